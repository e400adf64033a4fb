import { WorldsError } from '@rdf-worlds/core';
import { kindOf, requireEngine } from '@rdf-worlds/core/internal';

/** Throws INVALID_ARGUMENT unless a constructor got an engine and the name of a world. */
export function requireWorldOf(where: string, engine: unknown, world: unknown): void {
  const example = `new ${where}(await WorldsEngine.open(), { namespace: 'acme', slug: 'notes' })`;
  requireEngine(engine, where, example);
  const { namespace, slug } = Object(world) as { readonly namespace?: unknown; readonly slug?: unknown };
  if (typeof namespace === 'string' && typeof slug === 'string') return;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `${where}: world: expected { namespace, slug }, not ${kindOf(world)}; write ${example}.`,
  );
}
