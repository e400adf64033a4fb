import { dataFactory, type WorldSource, type Worlds, WorldsError } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import type { Fact, Triple } from './fact.ts';
import { factTerm, tripleTerm } from './fact-quads.ts';
import { FACT_IRIS, FACT_PROPERTIES, FACTS_GRAPH } from './memory-vocabulary.ts';

const { namedNode } = dataFactory;

/** What reading facts needs of an engine. */
export type FactReadingEngine = Pick<Worlds, 'quads' | 'select'>;

/** Options of reading facts. */
export interface FactReadOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the facts of one reifier: one for each triple that it reifies; none if it is no reifier.
 */
export async function readFactsOf(
  engine: FactReadingEngine,
  source: WorldSource,
  id: string,
  { signal }: FactReadOptions = {},
): Promise<Fact[]> {
  const properties = new Properties();
  // Only this library writes that graph, so what other graphs say cannot change a fact of it.
  const graph = id.startsWith(FACT_IRIS) ? namedNode(FACTS_GRAPH) : undefined;
  for await (const { predicate, object } of engine.quads({ source, subject: factTerm(id), graph, signal }))
    properties.add(predicate.value, object);
  return factsFrom(id, properties);
}

/** Returns all facts of a triple, in any graph. */
export async function readFactsOfTriple(
  engine: FactReadingEngine,
  source: WorldSource,
  triple: Triple,
  options: FactReadOptions = {},
): Promise<Fact[]> {
  const ids = new Set<string>();
  const pattern = { predicate: namedNode(FACT_PROPERTIES.reifies), object: tripleTerm(triple) };
  for await (const { subject } of engine.quads({ source, ...pattern, signal: options.signal })) ids.add(idOf(subject));
  const facts: Fact[] = [];
  for (const id of ids) {
    const found = await readFactsOf(engine, source, id, options);
    facts.push(...found.filter((fact) => tripleTerm(fact).equals(tripleTerm(triple))));
  }
  return facts;
}

/** Facts of this library, by lookup; and those of documents with annotations, by their triples. */
const FACTS_ABOUT = `
  SELECT ?fact ?property ?object WHERE {
    { GRAPH <${FACTS_GRAPH}> { ?fact <${FACT_PROPERTIES.about}> ?entity . ?fact ?property ?object } }
    UNION {
      { SELECT DISTINCT ?fact WHERE {
        ?fact <${FACT_PROPERTIES.reifies}> ?triple .
        FILTER(isTRIPLE(?triple) && SAMETERM(SUBJECT(?triple), ?entity) && !STRSTARTS(STR(?fact), "${FACT_IRIS}"))
      } }
      ?fact ?property ?object
    }
  }`;

/** Returns all facts about an entity, retracted ones included, by the time they were recorded. */
export async function readFactsAbout(
  engine: FactReadingEngine,
  source: WorldSource,
  entity: Triple['subject'],
  { signal, maxFacts = Number.POSITIVE_INFINITY }: FactReadOptions & { readonly maxFacts?: number | undefined } = {},
): Promise<Fact[]> {
  const rows = await engine.select({ sources: [source], query: FACTS_ABOUT, bindings: { entity }, signal });
  const found = new Map<string, Properties>();
  for await (const row of rows) {
    const id = idOf(row.get('fact')!);
    let properties = found.get(id);
    if (!properties) found.set(id, (properties = new Properties()));
    if (found.size > maxFacts) throw tooManyFacts(maxFacts);
    properties.add(row.get('property')!.value, row.get('object')!);
  }
  return [...found]
    .flatMap(([id, properties]) => factsFrom(id, properties))
    .filter((fact) => fact.subject.equals(entity))
    .sort(byRecording);
}

/** The error for an entity of which too much is known to read it as a whole. */
export function tooManyFacts(maxFacts: number): WorldsError {
  return new WorldsError(
    'LIMIT_EXCEEDED',
    `More than ${maxFacts} facts are about this entity; query for those that you need, with conditions and LIMIT.`,
  );
}

/** Orders facts by the time they were recorded, those without one first. */
export function byRecording(a: Fact, b: Fact): number {
  const order = (a.recordedAt?.getTime() ?? 0) - (b.recordedAt?.getTime() ?? 0);
  if (order !== 0) return order;
  return (a.id ?? '') < (b.id ?? '') ? -1 : 1;
}

function idOf(term: RDF.Term): string {
  return term.termType === 'BlankNode' ? `_:${term.value}` : term.value;
}

/** Objects by predicate. */
class Properties {
  private readonly objects = new Map<string, RDF.Term[]>();

  add(predicate: string, object: RDF.Term): void {
    const known = this.objects.get(predicate);
    if (!known) this.objects.set(predicate, [object]);
    // The same quad may be in several graphs.
    else if (!known.some((term) => term.equals(object))) known.push(object);
  }

  all(property: keyof typeof FACT_PROPERTIES): readonly RDF.Term[] {
    return this.objects.get(FACT_PROPERTIES[property]) ?? [];
  }

  first(property: keyof typeof FACT_PROPERTIES): RDF.Term | undefined {
    return this.all(property)[0];
  }

  /** Undefined if it is missing or no time. */
  date(property: keyof typeof FACT_PROPERTIES): Date | undefined {
    const text = this.first(property)?.value;
    if (text === undefined) return undefined;
    const date = new Date(text);
    return Number.isNaN(date.getTime()) ? undefined : date;
  }
}

function factsFrom(id: string, properties: Properties): Fact[] {
  const confidence = Number(properties.first('confidence')?.value ?? Number.NaN);
  const revisionOf = properties.first('revisionOf');
  const context = {
    id,
    sources: [...properties.all('derivedFrom'), ...properties.all('source')].map(idOf),
    validFrom: properties.date('validFrom'),
    validUntil: properties.date('validUntil'),
    confidence: Number.isNaN(confidence) ? undefined : confidence,
    recordedAt: properties.date('recordedAt'),
    retractedAt: properties.date('retractedAt'),
    reason: properties.first('reason')?.value,
    revisionOf: revisionOf && idOf(revisionOf),
  };
  return properties.all('reifies').flatMap((term) => {
    if (term.termType !== 'Quad') return [];
    const { subject, predicate, object } = term as unknown as Triple;
    return [{ subject, predicate, object, ...context }];
  });
}
