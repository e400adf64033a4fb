import type { World } from '@rdf-worlds/core';
import type { Service } from './service.ts';
import { collectionPath } from './world-name.ts';

/** The most that the interface gives at once (INTERFACE, "Limits"). */
const PAGE_SIZE = 100;

/** All worlds of a namespace that the caller may read; of the caller's own when it is undefined. */
export async function listWorlds(service: Service, namespace: string | undefined): Promise<World[]> {
  const path = collectionPath(namespace);
  const worlds: World[] = [];
  for (let page = 1; ; page++) {
    const response = await service.send(`${path}?page=${page}&pageSize=${PAGE_SIZE}`);
    const found = (await response.json()) as World[];
    worlds.push(...found);
    if (found.length < PAGE_SIZE) return worlds;
  }
}
