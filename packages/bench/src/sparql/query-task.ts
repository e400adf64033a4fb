import { freshText, type NamedQuery, wantsAnyRows } from './named-query.ts';
import type { Task } from './task.ts';

/** Returns a task that runs the query, with a unique text each time. */
export function queryTask(query: NamedQuery): Task {
  return {
    name: query.name,
    kind: 'query',
    operations: 1,
    anyRows: wantsAnyRows(query),
    prepare: async ({ store, delivery }) => ({
      isRepeatable: true,
      run: () => store.query(freshText(query.text), delivery),
    }),
  };
}
