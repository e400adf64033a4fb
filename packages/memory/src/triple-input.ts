import { dataFactory, WorldsError } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { z } from 'zod';
import type { AgentMemory } from './agent-memory.ts';
import { requireEntity } from './entity-input.ts';
import type { Triple } from './fact.ts';
import { findEntities } from './find-entity.ts';
import { RDF_TYPE, RDFS_LABEL } from './memory-vocabulary.ts';
import { entityIri, vocabularyIri } from './minted-iri.ts';
import { literalInput, type Reference, readLiteral, readReference, requirePredicate } from './term-input.ts';
import type { WorldName } from './world-name.ts';

const { literal, namedNode, quad } = dataFactory;

const reference = z.string().min(1).max(2_000);

/** The fields of a triple in the arguments of a tool. */
export const tripleFields = {
  subject: reference.describe('Entity: name, IRI or prefix:name.'),
  predicate: reference.describe('Such as works_at, schema:email, or a for the type.'),
  object: reference.optional().describe('Another entity, or the class after a.'),
  value: literalInput.optional().describe('Instead of object: a text, number or boolean.'),
  datatype: z.string().max(2_000).optional().describe('Of value, such as xsd:date.'),
  lang: z.string().max(50).optional().describe('Language tag of value.'),
};

export interface TripleInput {
  readonly subject: string;
  readonly predicate: string;
  readonly object?: string | undefined;
  readonly value?: string | number | boolean | undefined;
  readonly datatype?: string | undefined;
  readonly lang?: string | undefined;
}

/** Returns the predicate of a reference; a name becomes an IRI of the vocabulary. */
export function predicateOf(given: Reference, field: string): Triple['predicate'] {
  if (given.kind === 'term') return requirePredicate(given.term, field);
  return namedNode(given.name === 'a' || given.name === 'type' ? RDF_TYPE : vocabularyIri(given.name));
}

/** An entity that is stored under a name for the first time. */
export interface NewEntity {
  readonly iri: string;
  readonly name: string;
  /** Names that are similar, which may mean the same entity. */
  readonly similar: readonly { readonly iri: string; readonly label: string }[];
}

/** Lookups of similar names in one call; bounded, because each look reads all names. */
const MAX_SIMILAR_LOOKUPS = 10;

/**
 * Reads the triples of one call. Names of entities become the entity that has the name, or a new
 * one.
 */
export class TripleInputs {
  readonly created: NewEntity[] = [];
  private readonly memory: AgentMemory;
  private readonly world: WorldName;
  private readonly signal: AbortSignal | undefined;
  private readonly named = new Map<string, Triple['subject']>();

  constructor(memory: AgentMemory, world: WorldName, signal: AbortSignal | undefined) {
    this.memory = memory;
    this.world = world;
    this.signal = signal;
  }

  /** Labels of the new entities, to be stored with the triples. */
  get labels(): RDF.Quad[] {
    return this.created.map(({ iri, name }) => quad(namedNode(iri), namedNode(RDFS_LABEL), literal(name)));
  }

  /** Reads a triple that may name new entities. Throws `INVALID_ARGUMENT` that names `field`. */
  async read(input: TripleInput, field: string): Promise<Triple> {
    const at = (name: string) => (field === '' ? name : `${field}.${name}`);
    const { prefixes } = this.memory;
    const subject = await this.entity(readReference(input.subject, at('subject'), prefixes), at('subject'));
    const predicate = predicateOf(readReference(input.predicate, at('predicate'), prefixes), at('predicate'));
    return { subject, predicate, object: await this.object(input, predicate, at) };
  }

  /** Reads the object or value of a triple. */
  async object(
    { object, value, datatype, lang }: Pick<TripleInput, 'object' | 'value' | 'datatype' | 'lang'>,
    predicate: Triple['predicate'],
    at: (name: string) => string,
  ): Promise<Triple['object']> {
    if ((object === undefined) === (value === undefined)) {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `${at('object')}: pass either object (another entity) or value (a text, number or boolean).`,
      );
    }
    const { prefixes } = this.memory;
    if (value !== undefined) return readLiteral({ value, datatype, lang }, at('value'), prefixes);
    if (datatype !== undefined || lang !== undefined)
      throw new WorldsError('INVALID_ARGUMENT', `${at('object')}: datatype and lang belong to value, not to object.`);
    const given = readReference(object!, at('object'), prefixes);
    if (given.kind === 'name' && predicate.value === RDF_TYPE) return namedNode(vocabularyIri(given.name));
    return this.entity(given, at('object'));
  }

  private async entity(given: Reference, field: string): Promise<Triple['subject']> {
    if (given.kind === 'term') return given.term;
    const { name } = given;
    const known = this.named.get(name);
    if (known) return known;
    const { memory, world, signal } = this;
    const isExact = this.created.length >= MAX_SIMILAR_LOOKUPS;
    const hidesSome = memory.scope.hidesSome([world]);
    const options = { limit: 3, isExact, exactSuffices: true, signal, hidesSome };
    const { candidates } = await findEntities(memory, [world], name, options);
    const exact = candidates.filter(({ reason }) => reason === 'exact');
    let entity: Triple['subject'];
    if (exact.length > 1) entity = await requireEntity(memory, world, name, field, signal);
    else if (exact.length === 1) entity = exact[0].entity;
    else {
      const iri = entityIri(name);
      entity = namedNode(iri);
      const similar = candidates
        .filter(({ reason }) => reason === 'same letters' || reason === 'similar name')
        .map((candidate) => ({ iri: candidate.entity.value, label: candidate.label }));
      this.created.push({ iri, name: name.trim(), similar });
    }
    this.named.set(name, entity);
    return entity;
  }
}
