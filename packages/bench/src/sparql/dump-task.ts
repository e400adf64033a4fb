import { sparqlStore } from './sparql-store.ts';
import type { Task } from './task.ts';

/** Writes all quads as N-Quads, in memory. */
export const DUMP_TASK: Task = {
  name: 'N-Quads dump',
  kind: 'store',
  operations: 1,
  anyRows: false,
  isFor: ({ language }) => language === 'sparql',
  prepare: async ({ store }) => ({ isRepeatable: true, run: () => sparqlStore(store).dump() }),
};
