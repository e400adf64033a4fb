import { sortBy } from '../canonical/sort-texts.ts';
import { QuadBatch, WANT_OBJECT, WANT_PREDICATE, WANT_SUBJECT } from '../contracts/quad-batch.ts';
import type { QuadSource } from '../contracts/quad-source.ts';
import { Slicer } from '../contracts/slicer.ts';
import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import { compareUnits } from '../model/code-point-order.ts';
import type { RequestMemory } from '../model/memory-budget.ts';
import { dataFactory } from '../model/term.ts';
import { RDF_TYPE } from '../model/vocabulary.ts';

/** A class of a world. */
export interface SchemaClass {
  readonly class: string;
  /** Number of `rdf:type` statements with it. */
  readonly count: number;
}

/** A predicate of a world. */
export interface SchemaPredicate {
  readonly predicate: string;
  /** Number of quads with it. */
  readonly count: number;
  /** Number of these quads whose object is a literal. */
  readonly literals: number;
}

/** A predicate between instances of two classes. */
export interface SchemaLink {
  readonly from: string;
  readonly predicate: string;
  /** Class of the objects; null for literals, and for entities without a class. */
  readonly to: string | null;
  /** Number of quads. */
  readonly count: number;
}

/**
 * What a world contains: its classes, predicates, and which classes are linked by which predicates.
 * Each list is in descending order of counts, and equal counts in the order of the names.
 */
export interface WorldSchema {
  /** Number of quads of the world, in all graphs. */
  readonly quads: number;
  readonly classes: readonly SchemaClass[];
  readonly predicates: readonly SchemaPredicate[];
  /** Links between the 500 classes with the highest counts. */
  readonly links: readonly SchemaLink[];
  /** Lengths of the lists before they were cut to the limits of the request. */
  readonly totals: { readonly classes: number; readonly predicates: number; readonly links: number };
}

/** Upper bounds of the lists. */
export const SCHEMA_LIMITS = { classes: 2_000, predicates: 20_000, links: 5_000 } as const;

/** Classes whose links are counted. */
export const MAX_LINKED_CLASSES = 500;
/** Classes of one entity whose links are counted. */
const MAX_CLASSES_OF_ENTITY = 8;
/** Distinct links that are counted; further ones are ignored. */
const MAX_COUNTED_LINKS = 200_000;
/** Upper bound of the memory of an entry of a map. */
const ENTRY_BYTES = 64;
/** Predicates that a link's key has room for. */
const PREDICATES = 2 ** 31;

/** Index of objects without a class. */
const NO_CLASS = MAX_LINKED_CLASSES;

interface PredicateCounts {
  /** Its number, in the order of the first occurrence. */
  readonly index: number;
  count: number;
  literals: number;
}

/** Counts the schema of a world, in slices. The entities with a class are claimed from `memory`. */
export async function worldSchema(
  source: QuadSource,
  memory: RequestMemory,
  signal: AbortSignal | undefined,
): Promise<WorldSchema> {
  const slicer = new Slicer(signal);
  const { terms } = source;
  const type = terms.find(dataFactory.namedNode(RDF_TYPE));

  const classCounts = await countClasses(source, type, memory, slicer);
  const classes = await ranked(source, classCounts, (count) => count, slicer);
  const linked = new Map(classes.slice(0, MAX_LINKED_CLASSES).map(({ id }, index) => [id, index]));
  const classesOf = await entityClasses(source, type, linked, memory, slicer);

  const predicateCounts = new Map<TermId, PredicateCounts>();
  /** By from, predicate and to, as one number. */
  const linkCounts = new Map<number, number>();
  const batch = new QuadBatch(1024, WANT_SUBJECT | WANT_PREDICATE | WANT_OBJECT);
  const cursor = source.cursor();
  cursor.seek(NO_TERM, NO_TERM, NO_TERM, NO_TERM);
  let quads = 0;
  let lastSubject: TermId = NO_TERM;
  let from: readonly number[] | undefined;
  while (cursor.next(batch) > 0) {
    quads += batch.length;
    const { subject, predicate, object } = batch;
    for (let row = 0; row < batch.length; row++) {
      if (subject[row] !== lastSubject) {
        lastSubject = subject[row];
        from = classesOf.get(lastSubject);
      }
      let counts = predicateCounts.get(predicate[row]);
      if (!counts) {
        memory.claimMemory(ENTRY_BYTES);
        counts = { index: predicateCounts.size, count: 0, literals: 0 };
        predicateCounts.set(predicate[row], counts);
      }
      counts.count++;
      const isLiteral = terms.kind(object[row]) === 'literal';
      if (isLiteral) counts.literals++;
      if (!from || predicate[row] === type) continue;
      const to = (isLiteral ? undefined : classesOf.get(object[row])) ?? [NO_CLASS];
      for (const start of from) for (const end of to) addLink(linkCounts, linkKey(start, counts.index, end), memory);
    }
    if (slicer.due) await slicer.pause();
  }

  const predicates = await ranked(source, predicateCounts, ({ count }) => count, slicer);
  const names: string[] = new Array(predicates.length);
  for (const { iri, value } of predicates) names[value.index] = iri;
  const links = await slicer.run(
    sortBy(
      await slicer.run(
        mapped(linkCounts, ([key, count]): SchemaLink => {
          const [start, index, end] = linkOf(key);
          return {
            from: classes[start].iri,
            predicate: names[index],
            to: end === NO_CLASS ? null : classes[end].iri,
            count,
          };
        }),
      ),
      (a, b) =>
        b.count - a.count ||
        compareUnits(a.from, b.from) ||
        compareUnits(a.predicate, b.predicate) ||
        compareUnits(a.to ?? '', b.to ?? ''),
    ),
  );
  return {
    quads,
    classes: classes.slice(0, SCHEMA_LIMITS.classes).map(({ iri, value }) => ({ class: iri, count: value })),
    predicates: predicates
      .slice(0, SCHEMA_LIMITS.predicates)
      .map(({ iri, value: { count, literals } }) => ({ predicate: iri, count, literals })),
    links: links.slice(0, SCHEMA_LIMITS.links),
    totals: { classes: classes.length, predicates: predicates.length, links: links.length },
  };
}

/** Returns a schema with at most `limit` entries in each list. */
export function cutSchema(schema: WorldSchema, limit: number | undefined): WorldSchema {
  if (limit === undefined) return schema;
  const { classes, predicates, links } = schema;
  return {
    ...schema,
    classes: classes.slice(0, limit),
    predicates: predicates.slice(0, limit),
    links: links.slice(0, limit),
  };
}

async function countClasses(
  source: QuadSource,
  type: TermId,
  memory: RequestMemory,
  slicer: Slicer,
): Promise<Map<TermId, number>> {
  const counts = new Map<TermId, number>();
  if (type === NO_TERM) return counts;
  const batch = new QuadBatch(1024, WANT_OBJECT);
  const cursor = source.cursor();
  cursor.seek(NO_TERM, type, NO_TERM, NO_TERM);
  while (cursor.next(batch) > 0) {
    for (let row = 0; row < batch.length; row++) {
      const id = batch.object[row];
      const count = counts.get(id);
      if (count === undefined) {
        // Blank nodes have no name that would last.
        if (source.terms.kind(id) !== 'iri') continue;
        memory.claimMemory(ENTRY_BYTES);
      }
      counts.set(id, (count ?? 0) + 1);
    }
    if (slicer.due) await slicer.pause();
  }
  return counts;
}

/** Returns the indexes of the classes of each entity that has one of them. */
async function entityClasses(
  source: QuadSource,
  type: TermId,
  linked: ReadonlyMap<TermId, number>,
  memory: RequestMemory,
  slicer: Slicer,
): Promise<Map<TermId, readonly number[]>> {
  const classesOf = new Map<TermId, readonly number[]>();
  if (type === NO_TERM) return classesOf;
  /** One list for all entities of one class alone. */
  const alone = Array.from(linked, (_, index): readonly number[] => [index]);
  const batch = new QuadBatch(1024, WANT_SUBJECT | WANT_OBJECT);
  const cursor = source.cursor();
  cursor.seek(NO_TERM, type, NO_TERM, NO_TERM);
  while (cursor.next(batch) > 0) {
    for (let row = 0; row < batch.length; row++) {
      const index = linked.get(batch.object[row]);
      if (index === undefined) continue;
      const known = classesOf.get(batch.subject[row]);
      if (known && (known.length === MAX_CLASSES_OF_ENTITY || known.includes(index))) continue;
      memory.claimMemory(ENTRY_BYTES);
      classesOf.set(batch.subject[row], known ? [...known, index] : alone[index]);
    }
    if (slicer.due) await slicer.pause();
  }
  return classesOf;
}

function linkKey(from: number, predicate: number, to: number): number {
  return (from * (MAX_LINKED_CLASSES + 1) + to) * PREDICATES + predicate;
}

function linkOf(key: number): readonly [from: number, predicate: number, to: number] {
  const classes = Math.floor(key / PREDICATES);
  return [Math.floor(classes / (MAX_LINKED_CLASSES + 1)), key % PREDICATES, classes % (MAX_LINKED_CLASSES + 1)];
}

function addLink(counts: Map<number, number>, key: number, memory: RequestMemory): void {
  const count = counts.get(key);
  if (count === undefined) {
    if (counts.size >= MAX_COUNTED_LINKS) return;
    memory.claimMemory(ENTRY_BYTES);
  }
  counts.set(key, (count ?? 0) + 1);
}

interface Ranked<Value> {
  readonly id: TermId;
  readonly iri: string;
  readonly value: Value;
}

/** Returns the entries with their IRIs, highest count first. The order does not depend on ids. */
async function ranked<Value>(
  { terms }: QuadSource,
  counts: ReadonlyMap<TermId, Value>,
  countOf: (value: Value) => number,
  slicer: Slicer,
): Promise<Ranked<Value>[]> {
  const all: Ranked<Value>[] = [];
  for (const [id, value] of counts) {
    all.push({ id, iri: terms.term(id).value, value });
    if (all.length % 256 === 0 && slicer.due) await slicer.pause();
  }
  return slicer.run(sortBy(all, (a, b) => countOf(b.value) - countOf(a.value) || compareUnits(a.iri, b.iri)));
}

/** A kernel. */
function* mapped<Item, Result>(items: Iterable<Item>, map: (item: Item) => Result): Generator<void, Result[], void> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(map(item));
    if (results.length % 256 === 0) yield;
  }
  return results;
}
