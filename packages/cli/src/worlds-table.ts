import type { World } from '@rdf-worlds/core';
import { type TableStyle, textTable } from './text-table.ts';

/** Formats the records of worlds as a table. */
export function worldsTable(worlds: readonly World[], style?: TableStyle): string {
  return textTable(
    ['world', 'label', 'description', 'created', 'updated'],
    worlds.map(({ slug, namespace, label = '', description, createdAt, updatedAt }) => [
      `${namespace}/${slug}`,
      label,
      description ?? '',
      new Date(createdAt).toISOString(),
      new Date(updatedAt).toISOString(),
    ]),
    style,
  );
}
