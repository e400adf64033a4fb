import { dataFactory, type ResultRow, type SelectResult, sparql, type Worlds, WorldsError } from '@rdf-worlds/core';
import { throwIfAborted } from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import type { Triple } from './fact.ts';
import { tripleTerm } from './fact-quads.ts';
import {
  ENTITY_IRIS,
  FACT_PROPERTIES,
  FACTS_GRAPH,
  OBSERVATION,
  RDF_TYPE,
  RDFS_LABEL,
  VOCABULARY_IRIS,
} from './memory-vocabulary.ts';
import { encodedName } from './minted-iri.ts';
import { readFactsOfTriple } from './read-facts.ts';
import { termKey } from './triple-key.ts';
import { type FactDraft, WorldFacts } from './world-facts.ts';
import type { WorldName } from './world-name.ts';

const { literal, namedNode, quad } = dataFactory;
const TYPE = namedNode(RDF_TYPE);
const LABEL = namedNode(RDFS_LABEL);
const OBSERVED = namedNode(OBSERVATION);
const REIFIES = namedNode(FACT_PROPERTIES.reifies);
const FACTS = namedNode(FACTS_GRAPH);
const DEFAULT_GRAPH = dataFactory.defaultGraph();

/** An entity of the reference memory server. */
export interface ReferenceEntity {
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
}

/** A relation of the reference memory server, in the active voice. */
export interface ReferenceRelation {
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}

/** What the reference memory server reads and returns. */
export interface ReferenceGraph {
  readonly entities: readonly ReferenceEntity[];
  readonly relations: readonly ReferenceRelation[];
}

/** What a memory of this kind needs of an engine. */
export type ReferenceEngine = Pick<Worlds, 'getWorld' | 'quads' | 'select' | 'write' | 'search'>;

/** Options of `new ReferenceMemory`. */
export interface ReferenceMemoryOptions {
  /** The current time in milliseconds. Default: `Date.now`. */
  readonly clock?: (() => number) | undefined;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The type of an entity that other tools stored without one. */
const UNKNOWN_TYPE = 'entity';
/** Above this, one query for the whole graph is faster than one that names the entities. */
const MAX_NAMED_ENTITIES = 200;
const MAX_RANKED_HITS = 50;

/**
 * The model of the reference memory server on the facts of a world: entities with a type and
 * observations, and relations. Each change is one commit; what is deleted stays in the history. All
 * other tools see the same data as entities (`rdf:type`, `rdfs:label`, `mem:observation`).
 */
export class ReferenceMemory {
  private readonly engine: ReferenceEngine;
  private readonly world: WorldName;
  private readonly facts: WorldFacts;

  constructor(engine: ReferenceEngine, world: WorldName, options: ReferenceMemoryOptions = {}) {
    this.engine = engine;
    this.world = world;
    this.facts = new WorldFacts(engine, world, options);
  }

  /** Creates the entities whose names are new, and returns them. */
  async createEntities(entities: readonly ReferenceEntity[], options: CallOptions = {}): Promise<ReferenceEntity[]> {
    const { result } = await this.facts.edit(async (draft) => {
      const created = new Map<string, ReferenceEntity>();
      for (const entity of entities) {
        if (created.has(entity.name) || (await this.find(entity.name, options))) continue;
        const observations = [...new Set(entity.observations)];
        created.set(entity.name, { name: entity.name, entityType: entity.entityType, observations });
        await this.draftEntity(draft, mintedEntity(entity.name), { ...entity, observations });
      }
      return [...created.values()];
    }, options);
    return result;
  }

  /** Creates the relations that are new, and returns them. */
  async createRelations(
    relations: readonly ReferenceRelation[],
    options: CallOptions = {},
  ): Promise<ReferenceRelation[]> {
    const { result } = await this.facts.edit(async (draft) => {
      const created: ReferenceRelation[] = [];
      for (const { from, to, relationType } of relations) {
        const isTwice = created.some((one) => one.from === from && one.to === to && one.relationType === relationType);
        const triple = await this.relationTriple({ from, to, relationType }, options);
        if (isTwice || (await this.holds(triple, options))) continue;
        created.push({ from, to, relationType });
        await draft.remember(triple);
      }
      return created;
    }, options);
    return result;
  }

  /**
   * Adds observations to entities. Throws `NOT_FOUND` for an unknown entity; nothing is added then.
   */
  async addObservations(
    additions: readonly { readonly entityName: string; readonly contents: readonly string[] }[],
    options: CallOptions = {},
  ): Promise<{ entityName: string; addedObservations: string[] }[]> {
    const { result } = await this.facts.edit(async (draft) => {
      const added = new Set<string>();
      const results: { entityName: string; addedObservations: string[] }[] = [];
      for (const { entityName, contents } of additions) {
        const entity = await this.find(entityName, options);
        if (!entity) throw entityNotFound(entityName);
        const addedObservations: string[] = [];
        for (const content of contents) {
          const key = `${entity.value} ${content}`;
          const triple = observation(entity, content);
          if (added.has(key) || (await this.holds(triple, options))) continue;
          added.add(key);
          addedObservations.push(content);
          await draft.remember(triple);
        }
        results.push({ entityName, addedObservations });
      }
      return results;
    }, options);
    return result;
  }

  /** Deletes entities with their relations. Returns the names that there were. */
  async deleteEntities(names: readonly string[], options: CallOptions = {}): Promise<string[]> {
    const { result } = await this.facts.edit(async (draft) => {
      const deleted: string[] = [];
      for (const name of new Set(names)) {
        const entity = await this.find(name, options);
        if (!entity) continue;
        deleted.push(name);
        await draft.forget({ entity });
        const pattern = { source: this.world, object: entity, graph: DEFAULT_GRAPH, signal: options.signal };
        for await (const { subject, predicate } of this.engine.quads(pattern))
          await draft.forget({ triple: { subject, predicate, object: entity } as Triple });
      }
      return deleted;
    }, options);
    return result;
  }

  /** Deletes observations. Returns how many there were. */
  async deleteObservations(
    deletions: readonly { readonly entityName: string; readonly observations: readonly string[] }[],
    options: CallOptions = {},
  ): Promise<number> {
    const { change } = await this.facts.edit(async (draft) => {
      for (const { entityName, observations } of deletions) {
        const entity = await this.find(entityName, options);
        if (!entity) continue;
        for (const content of observations) await draft.forget({ triple: observation(entity, content) });
      }
    }, options);
    return change.retracted.length;
  }

  /** Deletes relations. Returns how many there were. */
  async deleteRelations(relations: readonly ReferenceRelation[], options: CallOptions = {}): Promise<number> {
    const { change } = await this.facts.edit(async (draft) => {
      for (const relation of relations) await draft.forget({ triple: await this.relationTriple(relation, options) });
    }, options);
    return change.retracted.length;
  }

  /** Returns all entities and relations, each in the order in which they were created. */
  readGraph(options: CallOptions = {}): Promise<ReferenceGraph> {
    return this.load(undefined, options);
  }

  /** Returns the entities of these names, with all their relations. Unknown names are skipped. */
  async openNodes(names: readonly string[], options: CallOptions = {}): Promise<ReferenceGraph> {
    const entities = new Set<string>();
    for (const name of names) {
      const entity = await this.find(name, options);
      if (entity) entities.add(entity.value);
    }
    return this.load(entities, options);
  }

  /**
   * Returns the entities whose name, type or observations contain a text, whatever the letter case,
   * with their relations. If there are none, those that best match its words.
   */
  async searchNodes(query: string, options: CallOptions = {}): Promise<ReferenceGraph> {
    const wanted = query.toLowerCase();
    const entities = new Set<string>();
    const { signal } = options;
    const sources = [this.world];
    const text = literal(wanted);
    for await (const row of await this.engine.select({ sources, query: CONTAINING, bindings: { text }, signal }))
      entities.add(row.get('entity')!.value);
    for await (const row of await this.engine.select({ sources, query: TYPES, signal })) {
      const type = row.get('type')!;
      if (!decodedName(type.value, VOCABULARY_IRIS)?.toLowerCase().includes(wanted)) continue;
      const pattern = { source: this.world, predicate: TYPE, object: type, graph: DEFAULT_GRAPH, signal };
      for await (const { subject } of this.engine.quads(pattern)) entities.add(subject.value);
    }
    if (entities.size === 0) {
      const predicates = [RDFS_LABEL, OBSERVATION];
      for (const hit of await this.engine.search({ query, sources, predicates, limit: MAX_RANKED_HITS, signal }))
        if (hit.subject.startsWith(ENTITY_IRIS)) entities.add(hit.subject);
    }
    return this.load(entities, options);
  }

  /**
   * Imports the file of the reference memory server: a JSON object a line, of entities and
   * relations, as one commit. What is stored already, and what was deleted since an earlier import,
   * is left as it is. Throws `INVALID_ARGUMENT` with the line.
   */
  async importLines(
    text: string,
    { source, signal }: CallOptions & { readonly source?: string | undefined } = {},
  ): Promise<{ entities: number; relations: number; observations: number }> {
    const { entities, relations } = parsedLines(text);
    const sources = source === undefined ? [] : [source];
    const { result } = await this.facts.edit(
      async (draft) => {
        const counts = { entities: 0, relations: 0, observations: 0 };
        const seen = new Set<string>();
        const isNew = async (triple: Triple) => {
          const key = `${triple.subject.value} ${triple.predicate.value} ${triple.object.value}`;
          if (seen.has(key)) return false;
          seen.add(key);
          if (await this.holds(triple, { signal })) return false;
          return (await readFactsOfTriple(this.engine, this.world, triple, { signal })).length === 0;
        };
        for (const { name, entityType, observations } of entities) {
          throwIfAborted(signal);
          const entity = (await this.find(name, { signal })) ?? mintedEntity(name);
          const type = { subject: entity, predicate: TYPE, object: mintedWord(entityType) };
          const isKnown = await this.holds({ ...type, predicate: LABEL, object: literal(name) }, { signal });
          if (!isKnown && (await isNew(type))) {
            counts.entities++;
            draft.insert(quad(entity, LABEL, literal(name)));
            await draft.remember({ ...type, sources });
          }
          for (const content of observations) {
            const triple = observation(entity, content);
            if (!(await isNew(triple))) continue;
            counts.observations++;
            await draft.remember({ ...triple, sources });
          }
        }
        for (const relation of relations) {
          const triple = await this.relationTriple(relation, { signal });
          if (!(await isNew(triple))) continue;
          counts.relations++;
          await draft.remember({ ...triple, sources });
        }
        return counts;
      },
      { signal },
    );
    return result;
  }

  private async draftEntity(draft: FactDraft, entity: RDF.NamedNode, given: ReferenceEntity): Promise<void> {
    draft.insert(quad(entity, LABEL, literal(given.name)));
    await draft.remember({ subject: entity, predicate: TYPE, object: mintedWord(given.entityType) });
    for (const content of given.observations) await draft.remember(observation(entity, content));
  }

  /** Returns the entity that has a name; undefined if there is none. */
  private async find(name: string, { signal }: CallOptions): Promise<RDF.NamedNode | undefined> {
    let found: string | undefined;
    const pattern = { source: this.world, predicate: LABEL, object: literal(wellFormed(name)), graph: DEFAULT_GRAPH };
    for await (const { subject } of this.engine.quads({ ...pattern, signal })) {
      const isEntity = subject.termType === 'NamedNode' && subject.value.startsWith(ENTITY_IRIS);
      // Of several, always the same one.
      if (isEntity && (found === undefined || subject.value < found)) found = subject.value;
    }
    return found === undefined ? undefined : namedNode(found);
  }

  private async relationTriple({ from, to, relationType }: ReferenceRelation, options: CallOptions): Promise<Triple> {
    return {
      subject: (await this.find(from, options)) ?? mintedEntity(from),
      predicate: mintedWord(relationType),
      object: (await this.find(to, options)) ?? mintedEntity(to),
    };
  }

  private async holds({ subject, predicate, object }: Triple, { signal }: CallOptions): Promise<boolean> {
    const pattern = { source: this.world, subject, predicate, object, graph: DEFAULT_GRAPH, signal };
    for await (const _ of this.engine.quads(pattern)) return true;
    return false;
  }

  /** Returns some entities with their relations, or the whole graph. */
  private async load(entities: ReadonlySet<string> | undefined, options: CallOptions): Promise<ReferenceGraph> {
    if (entities?.size === 0) return { entities: [], relations: [] };
    const graph = new GraphBuilder();
    if (entities && entities.size <= MAX_NAMED_ENTITIES) await this.loadEntities([...entities], graph, options);
    else for await (const row of await this.rows(ALL_TRIPLES, options)) graph.add(tripleOf(row), orderOf(row));
    return graph.build(entities);
  }

  /** Loads entities by lookups, which are as many as the entities have triples. */
  private async loadEntities(entities: readonly string[], graph: GraphBuilder, options: CallOptions): Promise<void> {
    const values = entities.map((iri) => String(sparql`${namedNode(iri)}`)).join(' ');
    const rowsOf = (query: string) =>
      this.rows(
        query.replace('?values', () => values),
        options,
      );
    const orders = new Map<string, string>();
    for await (const row of await rowsOf(FACTS_OF)) {
      const key = termKey(row.get('triple')!);
      orders.set(key, latest(orders.get(key), orderOf(row)));
    }
    for await (const row of await rowsOf(TRIPLES_OF)) {
      const triple = tripleOf(row);
      graph.add(triple, orders.get(termKey(tripleTerm(triple))) ?? '');
    }
    for await (const row of await rowsOf(TRIPLES_TO)) {
      const triple = tripleOf(row);
      let order = '';
      const pattern = { predicate: REIFIES, object: tripleTerm(triple), graph: FACTS, signal: options.signal };
      for await (const { subject } of this.engine.quads({ source: this.world, ...pattern }))
        order = latest(order, subject.value);
      graph.add(triple, order);
    }
    for (const iri of graph.unnamed()) {
      const pattern = { subject: namedNode(iri), predicate: LABEL, graph: DEFAULT_GRAPH, signal: options.signal };
      for await (const { object } of this.engine.quads({ source: this.world, ...pattern })) {
        graph.name(iri, object.value);
        break;
      }
    }
  }

  private rows(query: string, { signal }: CallOptions): Promise<SelectResult> {
    return this.engine.select({ sources: [this.world], query, signal });
  }
}

function tripleOf(row: ResultRow): Triple {
  const [subject, predicate, object] = ['s', 'p', 'o'].map((name) => row.get(name)!);
  return { subject, predicate, object } as Triple;
}

/** The id of a fact, which is ordered as the facts were made; empty for a triple without one. */
function orderOf(row: ResultRow): string {
  return row.get('fact')?.value ?? '';
}

const ALL_TRIPLES = `SELECT ?s ?p ?o ?fact WHERE { ?s ?p ?o OPTIONAL { GRAPH <${FACTS_GRAPH}> {
  ?fact <${FACT_PROPERTIES.about}> ?s ; <${FACT_PROPERTIES.reifies}> <<( ?s ?p ?o )>> } } }`;
const FACTS_OF = `SELECT ?fact ?triple WHERE { VALUES ?s { ?values } GRAPH <${FACTS_GRAPH}> {
  ?fact <${FACT_PROPERTIES.about}> ?s ; <${FACT_PROPERTIES.reifies}> ?triple } }`;
const TRIPLES_OF = 'SELECT ?s ?p ?o WHERE { VALUES ?s { ?values } ?s ?p ?o }';
const TRIPLES_TO = 'SELECT ?s ?p ?o WHERE { VALUES ?o { ?values } ?s ?p ?o }';
const CONTAINING = `SELECT DISTINCT ?entity WHERE {
  { ?entity <${OBSERVATION}> ?found } UNION { ?entity <${RDFS_LABEL}> ?found }
  FILTER(CONTAINS(LCASE(STR(?found)), ?text)) }`;
const TYPES = `SELECT DISTINCT ?type WHERE { ?entity <${RDF_TYPE}> ?type }`;

interface Ordered<Value> {
  readonly value: Value;
  readonly order: string;
}

/** Makes entities and relations of triples, in the order of their facts. */
class GraphBuilder {
  private readonly labels = new Map<string, string>();
  private readonly names = new Map<string, string>();
  private readonly types = new Map<string, Ordered<string>>();
  private readonly observations = new Map<string, Map<string, string>>();
  private readonly relations = new Map<string, Ordered<readonly [from: string, type: string, to: string]>>();

  /** A triple may come several times, with each of its facts. */
  add({ subject, predicate, object }: Triple, order: string): void {
    const entity = subject.value;
    if (subject.termType !== 'NamedNode' || !entity.startsWith(ENTITY_IRIS)) return;
    if (predicate.value === RDFS_LABEL) {
      if (!this.labels.has(entity)) this.labels.set(entity, object.value);
    } else if (predicate.value === OBSERVATION) {
      let known = this.observations.get(entity);
      if (!known) this.observations.set(entity, (known = new Map()));
      known.set(object.value, latest(known.get(object.value), order));
    } else if (predicate.value === RDF_TYPE) {
      const name = decodedName(object.value, VOCABULARY_IRIS);
      const known = this.types.get(entity);
      if (name !== undefined && (!known || known.order < order)) this.types.set(entity, { value: name, order });
    } else if (object.termType === 'NamedNode' && object.value.startsWith(ENTITY_IRIS)) {
      const type = decodedName(predicate.value, VOCABULARY_IRIS);
      if (type === undefined) return;
      const key = `${entity} ${predicate.value} ${object.value}`;
      const known = this.relations.get(key)?.order;
      this.relations.set(key, { value: [entity, type, object.value], order: latest(known, order) });
    }
  }

  /** The ends of relations whose names are not known. */
  unnamed(): Set<string> {
    const ends = [...this.relations.values()].flatMap(({ value: [from, , to] }) => [from, to]);
    return new Set(ends.filter((iri) => !this.labels.has(iri)));
  }

  /** Names the end of a relation, which does not make it an entity of the result. */
  name(iri: string, label: string): void {
    this.names.set(iri, label);
  }

  build(wanted: ReadonlySet<string> | undefined): ReferenceGraph {
    const entities = [...this.labels.keys()]
      .filter((iri) => !wanted || wanted.has(iri))
      .map((iri) => ({ iri, order: this.types.get(iri)?.order ?? '' }))
      .sort((a, b) => compare(a.order, b.order) || compare(a.iri, b.iri))
      .map(({ iri }) => ({
        name: this.labels.get(iri)!,
        entityType: this.types.get(iri)?.value ?? UNKNOWN_TYPE,
        observations: [...(this.observations.get(iri) ?? [])]
          .sort(([a, first], [b, second]) => compare(first, second) || compare(a, b))
          .map(([content]) => content),
      }));
    const relations = [...this.relations]
      .filter(
        ([
          ,
          {
            value: [from, , to],
          },
        ]) => !wanted || wanted.has(from) || wanted.has(to),
      )
      .sort(([a, first], [b, second]) => compare(first.order, second.order) || compare(a, b))
      .map(
        ([
          ,
          {
            value: [from, relationType, to],
          },
        ]) => ({ from: this.nameOf(from), to: this.nameOf(to), relationType }),
      );
    return { entities, relations };
  }

  private nameOf(iri: string): string {
    return this.labels.get(iri) ?? this.names.get(iri) ?? decodedName(iri, ENTITY_IRIS) ?? iri;
  }
}

function latest(known: string | undefined, order: string): string {
  return known !== undefined && known > order ? known : order;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Every name has an IRI of its own: unlike for the other tools, a space is not an underscore. */
function mintedEntity(name: string): RDF.NamedNode {
  return namedNode(ENTITY_IRIS + encodedName(wellFormed(name)));
}

function mintedWord(name: string): RDF.NamedNode {
  return namedNode(VOCABULARY_IRIS + encodedName(wellFormed(name)));
}

function observation(entity: RDF.NamedNode, content: string): Triple {
  return { subject: entity, predicate: OBSERVED, object: literal(wellFormed(content)) };
}

/** The name of a minted IRI; undefined for any other IRI. */
function decodedName(iri: string, namespace: string): string | undefined {
  if (!iri.startsWith(namespace)) return undefined;
  try {
    return decodeURIComponent(iri.slice(namespace.length));
  } catch {
    // Not minted by this library, and no name for it.
    return undefined;
  }
}

function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    'A text contains a lone surrogate, which is not a Unicode character; remove it.',
  );
}

function entityNotFound(name: string): WorldsError {
  return new WorldsError(
    'NOT_FOUND',
    `Entity with name ${name.slice(0, 200)} not found; create it with create_entities first.`,
  );
}

function parsedLines(text: string): { entities: ReferenceEntity[]; relations: ReferenceRelation[] } {
  const entities: ReferenceEntity[] = [];
  const relations: ReferenceRelation[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const invalid = (problem: string, cause?: unknown) =>
      new WorldsError('INVALID_ARGUMENT', `line ${i + 1}: ${problem}`, { cause });
    let item: Record<string, unknown>;
    try {
      item = JSON.parse(line) as Record<string, unknown>;
    } catch (cause) {
      throw invalid('it is not valid JSON; nothing was imported.', cause);
    }
    const isText = (...fields: string[]) => fields.every((field) => typeof item?.[field] === 'string');
    if (item?.type === 'entity' && isText('name', 'entityType') && isTexts(item.observations)) {
      const { name, entityType, observations } = item as unknown as ReferenceEntity;
      entities.push({ name, entityType, observations });
    } else if (item?.type === 'relation' && isText('from', 'to', 'relationType')) {
      const { from, to, relationType } = item as unknown as ReferenceRelation;
      relations.push({ from, to, relationType });
    } else {
      throw invalid(
        'expected {"type":"entity","name","entityType","observations"} or {"type":"relation","from","to","relationType"}; nothing was imported.',
      );
    }
  }
  return { entities, relations };
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
