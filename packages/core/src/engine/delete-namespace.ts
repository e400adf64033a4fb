import type { Catalog } from './catalog.ts';
import { namespaceNotFound } from './open-source.ts';
import { Overtaken } from './overtaken.ts';

/** Deletes a namespace with all its worlds. Throws NOT_FOUND if it has none. */
export async function deleteNamespace(catalog: Catalog, name: string): Promise<void> {
  await catalog.repeating(async () => {
    const namespace = await catalog.findOnHead(name);
    if (!namespace) throw namespaceNotFound(name);
    await namespace.exclusively(async () => {
      if (namespace.dropped && catalog.inMemory(name) !== namespace && namespace.latestSize > 0)
        throw new Overtaken(name);
      if (namespace.dropped || namespace.latestSize === 0) throw namespaceNotFound(name);
      await catalog.deleteNamespace(namespace);
    });
  });
}
