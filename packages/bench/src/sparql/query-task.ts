import { freshText, type NamedQuery, type TextKind, textIn, wantsAnyRows } from './named-query.ts';
import type { Task } from './task.ts';

/** Returns a task that runs the query, with a unique text each time. */
export function queryTask(query: NamedQuery, texts: TextKind = 'new'): Task {
  return {
    name: query.name,
    kind: 'query',
    operations: 1,
    anyRows: wantsAnyRows(query),
    isFor: ({ language }) => textIn(query, language) !== undefined,
    prepare: async ({ store, delivery, language }) => {
      const text = textIn(query, language)!;
      return { isRepeatable: true, run: () => store.query(freshText(text, language, texts), delivery) };
    },
  };
}
