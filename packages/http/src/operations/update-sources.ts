import { WorldsError } from '@rdf-worlds/core';
import type { Access } from '../access.ts';
import type { NamedWorld } from '../named-world.ts';

/**
 * Returns the worlds of an update with explicit `write` flags: true for the target, which requires
 * write permission, and false for the others, which require read permission. The target is the only
 * source without `schema`, unless it has `write: false`; among several, the only one with
 * `write: true`. Decided here because permissions depend on it. Throws `PERMISSION_DENIED`, and
 * `INVALID_ARGUMENT` unless there is exactly one target.
 */
export function updateSources(worlds: readonly NamedWorld[], access: Access): readonly NamedWorld[] {
  const sources = distinct(worlds);
  const candidates = sources.filter(({ schema }) => !schema);
  const targets =
    candidates.length === 1
      ? candidates.filter(({ write }) => write !== false)
      : candidates.filter(({ write }) => write === true);
  for (const source of sources) access.require(targets.includes(source) ? 'write' : 'read', source);
  if (targets.length === 1) {
    const [target] = targets;
    return sources.map((source) => {
      const { namespace, slug, schema } = source;
      return { namespace, slug, schema, write: source === target };
    });
  }
  throw new WorldsError(
    'INVALID_ARGUMENT',
    candidates.length <= 1
      ? 'An update needs a world to write to: name one in sources that is neither write: false nor schema: true.'
      : 'An update writes exactly one world: name it in sources, with write: true if there are others.',
  );
}

/** Removes duplicates. Throws `INVALID_ARGUMENT` if a world is repeated with different flags. */
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
