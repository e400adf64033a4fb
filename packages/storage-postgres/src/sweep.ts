import { LONG, type PostgresStore } from './postgres-store.ts';

/** Deletes the rows of an incarnation that was dropped. May be repeated. */
export async function sweepIncarnation(store: PostgresStore, incarnation: string): Promise<void> {
  const { records, checkpoints, parts, blobs, dropped } = store.tables;
  for (const table of [records, checkpoints, parts, blobs, dropped])
    await store.run('Deleting a dropped namespace', `DELETE FROM ${table} WHERE incarnation = $1`, [incarnation], {
      weight: LONG,
    });
}

/** Deletes what interrupted drops have left. */
export async function sweepDropped(store: PostgresStore): Promise<void> {
  const rows = await store.run(
    'Deleting dropped namespaces',
    `SELECT incarnation FROM ${store.tables.dropped} LIMIT 1000`,
    [],
  );
  for (const { incarnation } of rows) await sweepIncarnation(store, String(incarnation));
}
