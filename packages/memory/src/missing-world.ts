import { WorldsError } from '@rdf-worlds/core';
import { nearestName } from '@rdf-worlds/core/internal';
import type { AgentMemory } from './agent-memory.ts';

/** The arguments of a call that name worlds. */
export interface WorldArguments {
  readonly world?: string | undefined;
  readonly worlds?: readonly string[] | undefined;
}

/** Worlds that a message lists, and that are compared with a wrong name. */
const MAX_LISTED = 20;
const MAX_COMPARED = 1_000;

/**
 * Returns the error for the first world that a call names, or means by naming none, and that does
 * not exist: with the names of those that do. Undefined if all exist. A caller that may not read a
 * world is not told whether it exists.
 */
export async function missingWorld(
  { engine, scope }: AgentMemory,
  { world, worlds }: WorldArguments,
): Promise<WorldsError | undefined> {
  const named = world === undefined ? (worlds ?? []) : [world];
  const targets = named.length > 0 ? named.map((name) => scope.require('read', name)) : [scope.defaultWorld];
  for (const target of targets) {
    if (!target || !scope.may('read', target) || (await engine.getWorld({ source: target }))) continue;
    const names: string[] = [];
    for await (const record of scope.readable(engine)) {
      names.push(scope.nameOf(record));
      if (names.length > MAX_COMPARED) break;
    }
    const shown = scope.nameOf(target);
    const near = nearestName(shown, names, 1 / 2);
    const listed = names.slice(0, MAX_LISTED).join(', ');
    const proposal = near === undefined ? '.' : `; did you mean ${near}?`;
    const more = names.length > MAX_LISTED ? ' and more (list_worlds shows all)' : '';
    const others = names.length === 0 ? 'There are no worlds' : `The worlds are ${listed}${more}`;
    const advice = scope.isSingle || scope.readOnly ? '' : '; create_world makes one';
    return new WorldsError('NOT_FOUND', `There is no world ${shown}${proposal} ${others}${advice}.`);
  }
  return undefined;
}
