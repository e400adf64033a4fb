import type { Task } from './task.ts';

/** Writes all quads as N-Quads, in memory. */
export const DUMP_TASK: Task = {
  name: 'N-Quads dump',
  kind: 'store',
  operations: 1,
  anyRows: false,
  prepare: async ({ store }) => ({ isRepeatable: true, run: () => store.dump() }),
};
