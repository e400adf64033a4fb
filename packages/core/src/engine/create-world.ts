import { WorldsError } from '../model/worlds-error.ts';
import type { Catalog } from './catalog.ts';
import { commitNewWorld } from './commit-changes.ts';
import { givenFields } from './given-fields.ts';
import type * as z from './request-schema.ts';
import type { createWorldRequest } from './requests.ts';
import type { World } from './world.ts';
import { DEFAULT_NAMESPACE_MARK, requireName } from './world-name.ts';

/**
 * Creates a world, and its namespace if necessary. Throws ALREADY_EXISTS, unless `ifExists` is
 * 'return': then the existing world is returned.
 */
export async function createWorld(catalog: Catalog, request: z.Output<typeof createWorldRequest>): Promise<World> {
  const { slug, namespace, ifExists = 'error', ...fields } = request;
  if (namespace === DEFAULT_NAMESPACE_MARK) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'createWorld: namespace: "_" is reserved; omit the namespace to use the default.',
    );
  }
  requireName(slug, 'createWorld: slug');
  const name = catalog.namespaceName(namespace);
  for (;;) {
    const found = catalog.findOrCreate(name);
    // Awaits only promises, so that calls get the lock in their order.
    const home = found instanceof Promise ? await found : found;
    const making = home.exclusively(() => {
      // The namespace was dropped while this call waited for the lock, for example with its last
      // world: retry.
      if (home.dropped) return undefined;
      const known = home.latest(slug);
      if (!known) return commitNewWorld(home, slug, givenFields(fields), catalog.clock());
      if (ifExists === 'return') return known;
      throw new WorldsError(
        'ALREADY_EXISTS',
        `The world ${name}/${slug} already exists; choose another slug, or pass ifExists: 'return'.`,
      );
    });
    const created = await making.catch(async (cause) => {
      await catalog.forgetEmpty(home);
      throw cause;
    });
    if (created) return created.record;
  }
}
