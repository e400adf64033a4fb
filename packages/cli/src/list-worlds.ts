import type { World } from '@rdf-worlds/core';
import type { Service } from './service.ts';
import { collectionPath } from './world-name.ts';

/** The largest page size that a server accepts (docs/reference/http.md). */
const PAGE_SIZE = 100;

/**
 * Returns all worlds of a namespace that the caller may read; undefined is the caller's own
 * namespace. `onElsewhere` receives the names of other namespaces with worlds if that one is empty.
 */
export async function listWorlds(
  service: Service,
  namespace: string | undefined,
  onElsewhere?: (names: readonly string[]) => void,
): Promise<World[]> {
  const path = collectionPath(namespace);
  const worlds: World[] = [];
  for (let page = 1; ; page++) {
    const response = await service.send(`${path}?page=${page}&pageSize=${PAGE_SIZE}`);
    const elsewhere = response.headers.get('rdf-worlds-elsewhere');
    if (elsewhere !== null) onElsewhere?.(elsewhere.split(', '));
    const found = (await response.json()) as World[];
    worlds.push(...found);
    if (found.length < PAGE_SIZE) return worlds;
  }
}
