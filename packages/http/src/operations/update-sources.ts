import { WorldsError } from '@rdf-worlds/core';
import type { Access } from '../access.ts';
import type { NamedWorld } from '../named-world.ts';

/**
 * The worlds of an update with their parts said outright: `write: true` for the one that it writes,
 * for which the caller needs leave to write, and `write: false` for the others, which it reads. The
 * one is the only source that is not `schema`, unless it says `write: false`; among several, the
 * only one that says `write: true`. It is decided here, since leave hangs on it. Throws
 * PERMISSION_DENIED, and INVALID_ARGUMENT when there is not exactly one.
 */
export function updateSources(worlds: readonly NamedWorld[], access: Access): readonly NamedWorld[] {
  const sources = distinct(worlds);
  const candidates = sources.filter(({ schema }) => !schema);
  const targets =
    candidates.length === 1
      ? candidates.filter(({ write }) => write !== false)
      : candidates.filter(({ write }) => write === true);
  for (const source of sources) access.require(targets.includes(source) ? 'write' : 'read', source);
  if (targets.length === 1) return sources.map((source) => ({ ...source, write: source === targets[0] }));
  throw new WorldsError(
    'INVALID_ARGUMENT',
    candidates.length <= 1
      ? 'An update needs a world to write to: name one in sources that is neither write: false nor schema: true.'
      : 'An update writes exactly one world: name it in sources, with write: true if there are others.',
  );
}

/** Each world once. The same one with other flags is a contradiction. */
function distinct(worlds: readonly NamedWorld[]): readonly NamedWorld[] {
  const byName = new Map<string, NamedWorld>();
  worlds.forEach((world, i) => {
    const name = `${world.namespace}/${world.slug}`;
    const known = byName.get(name);
    if (known && (known.write !== world.write || (known.schema ?? false) !== (world.schema ?? false))) {
      throw new WorldsError('INVALID_ARGUMENT', `sources[${i}]: ${name} is named twice with different flags.`);
    }
    byName.set(name, known ?? world);
  });
  return [...byName.values()];
}
