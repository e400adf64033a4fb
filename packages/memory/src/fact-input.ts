import { dataFactory, WorldsError } from '@rdf-worlds/core';
import type { AgentMemory } from './agent-memory.ts';
import { requireEntity } from './entity-input.ts';
import type { Triple } from './fact.ts';
import { RDF_TYPE } from './memory-vocabulary.ts';
import { vocabularyIri } from './minted-iri.ts';
import { readLiteral, readReference } from './term-input.ts';
import { predicateOf, type TripleInput } from './triple-input.ts';

import type { WorldName } from './world-name.ts';

/** A fact in the arguments of a tool: by id, or by its triple. */
export interface FactInput extends Partial<TripleInput> {
  readonly fact?: string | undefined;
}

/**
 * Reads which fact is meant. Names must be those of stored entities. Throws `INVALID_ARGUMENT` that
 * names `field`, `NOT_FOUND` for unknown names.
 */
export async function selectorOf(
  memory: AgentMemory,
  world: WorldName,
  { fact, ...triple }: FactInput,
  field: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly id: string } | { readonly triple: Triple }> {
  const { prefixes } = memory;
  const { subject, predicate, object, value, datatype, lang } = triple;
  if (fact !== undefined) {
    if (subject !== undefined || predicate !== undefined || object !== undefined || value !== undefined)
      throw new WorldsError('INVALID_ARGUMENT', `${field}: pass fact, or subject, predicate and object; not both.`);
    const reference = readReference(fact, `${field}.fact`, prefixes);
    if (reference.kind === 'name')
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `${field}.fact: expected an id such as fact:abc; look at the entity to see the ids.`,
      );
    return { id: reference.term.termType === 'BlankNode' ? `_:${reference.term.value}` : reference.term.value };
  }
  if (subject === undefined || predicate === undefined || (object === undefined) === (value === undefined)) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${field}: pass fact (an id, as look shows it), or subject, predicate and either object or value.`,
    );
  }
  const entity = await requireEntity(memory, world, subject, `${field}.subject`, signal);
  const property = predicateOf(readReference(predicate, `${field}.predicate`, prefixes), `${field}.predicate`);
  const at = `${field}.${value === undefined ? 'object' : 'value'}`;
  if (value !== undefined)
    return {
      triple: { subject: entity, predicate: property, object: readLiteral({ value, datatype, lang }, at, prefixes) },
    };
  const reference = readReference(object!, at, prefixes);
  const isClass = reference.kind === 'name' && property.value === RDF_TYPE;
  const term = isClass
    ? dataFactory.namedNode(vocabularyIri(reference.name))
    : await requireEntity(memory, world, object!, at, signal).catch((error: unknown) => {
        if (!(error instanceof WorldsError && error.code === 'NOT_FOUND')) throw error;
        const advice = 'If it is a text, number or boolean, pass value instead of object.';
        throw new WorldsError('NOT_FOUND', `${error.message} ${advice}`, { cause: error });
      });
  return { triple: { subject: entity, predicate: property, object: term } };
}
