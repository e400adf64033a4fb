import { WorldsError } from '@rdf-worlds/core';
import type { AgentMemory } from './agent-memory.ts';
import type { Triple } from './fact.ts';
import { findEntities } from './find-entity.ts';
import { readReference } from './term-input.ts';
import type { WorldName } from './world-name.ts';

/**
 * Returns the entity that an argument of a tool names: by IRI, or by a name that exactly one entity
 * of the world has. Throws `NOT_FOUND` with similar names, and `INVALID_ARGUMENT` if several have
 * it, both with what to pass instead.
 */
export async function requireEntity(
  memory: AgentMemory,
  world: WorldName,
  text: string,
  field: string,
  signal: AbortSignal | undefined,
): Promise<Triple['subject']> {
  const reference = readReference(text, field, memory.prefixes);
  if (reference.kind === 'term') return reference.term;
  const { name } = reference;
  const hidesSome = memory.scope.hidesSome([world]);
  const options = { limit: 5, exactSuffices: true, signal, hidesSome };
  const { candidates } = await findEntities(memory, [world], name, options);
  const certain = candidates.filter(({ score }) => score >= 0.98);
  const exact = certain.filter(({ reason }) => reason === 'exact');
  const meant = exact.length > 0 ? exact : certain;
  if (meant.length === 1) return meant[0].entity;
  const shown = (list: typeof candidates) =>
    list
      .map(({ entity, label }) => `${shortEntity(memory, entity)} (${JSON.stringify(label.slice(0, 80))})`)
      .join(', ');
  if (meant.length > 1) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${field}: several entities are called ${JSON.stringify(name.slice(0, 80))}: ${shown(meant)}; pass one of these IRIs.`,
    );
  }
  // A vector is near to others whatever the name is.
  const similar = candidates.filter(({ reason }) => reason !== 'similar meaning');
  const advice =
    similar.length > 0
      ? `similar names: ${shown(similar)}; pass one of these IRIs if it is meant`
      : 'call search to find it by what is said about it; only remember makes new ones';
  throw new WorldsError('NOT_FOUND', `${field}: no entity is called ${JSON.stringify(name.slice(0, 80))}; ${advice}.`);
}

export function shortEntity({ prefixes }: AgentMemory, entity: Triple['subject']): string {
  return entity.termType === 'BlankNode' ? `_:${entity.value}` : prefixes.shorten(entity.value);
}
