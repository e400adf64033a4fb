import type { World } from '@rdf-worlds/core';
import { textTable } from './text-table.ts';

/** Records of worlds for people. */
export function worldsTable(worlds: readonly World[]): string {
  return textTable(
    ['world', 'label', 'description', 'created', 'updated'],
    worlds.map(({ slug, namespace, label = '', description, createdAt, updatedAt }) => [
      `${namespace}/${slug}`,
      label,
      description ?? '',
      new Date(createdAt).toISOString(),
      new Date(updatedAt).toISOString(),
    ]),
  );
}
