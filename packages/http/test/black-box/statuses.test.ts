import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectError, expectNoContent } from './answer-shapes.ts';
import type { Caller } from './callers.ts';
import { type Asked, ask } from './exchange.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { type RunningServer, startServer } from './running-server.ts';

// Every status that is documented for an operation occurs, with the documented response. The world
// `there` exists before each case.

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  for (const namespace of await server.engine.listNamespaces()) await server.engine.deleteNamespace({ namespace });
  await server.engine.createWorld({ slug: 'there', namespace: 'alpha' });
  await server.engine.import({ source: 'alpha/there', data: '<urn:s> <urn:p> "an engine" .\n' });
});

interface Way {
  /** Nobody when not given. */
  readonly as?: Caller;
  readonly slug?: string;
  readonly json?: unknown;
}

/** How an operation comes to a status. */
const WAYS: Readonly<Record<number, (operation: Operation) => Way>> = {
  200: ({ good }) => ({ as: 'alice', json: good?.('there') }),
  201: ({ good }) => ({ as: 'alice', json: good!('there') }),
  // Of the SPARQL operations 204 is the answer to an update; over a collection it names the world
  // that it writes.
  204: ({ kind, good }) => ({
    as: 'alice',
    json: kind === 'sparql' ? { query: 'INSERT DATA { <urn:s> <urn:p> 1 }', sources: ['there'] } : good!('there'),
  }),
  400: ({ bad }) => ({ as: 'alice', json: bad![0][0] }),
  401: ({ good }) => ({ json: good?.('there') }),
  // Where no namespace is in the path, it is the body that names one which the caller may not use.
  403: ({ family, good }) =>
    family.name === 'namespaced'
      ? { as: 'bob', json: good?.('there') }
      : { as: 'alice', json: { ...(good!('there') as object), namespace: 'beta' } },
  404: ({ good }) => ({ as: 'alice', slug: 'not-there', json: good?.('there') }),
  409: () => ({ as: 'alice', json: { slug: 'there' } }),
};

const CASES = OPERATIONS.flatMap((operation) =>
  [...operation.statuses, ...(operation.family.name === 'namespaced' ? operation.namespacedStatuses : [])].map(
    (status) => ({ status, operation, title: operation.title }),
  ),
);

it('covers 83 statuses in all', () => {
  // 2 of List, 4 of Create, 3 of Get, 4 of Update, 3 of Delete, 3 of Export, 3 of Import, 4 of
  // SPARQL twice, 3 of Search twice, for each family; and 403 of all but Create once more.
  expect(CASES).toHaveLength(2 * (2 + 4 + 3 + 4 + 3 + 3 + 3 + 2 * 4 + 2 * 3) + 10);
});

describe.each(CASES)('$title: $status', ({ status, operation }) => {
  it('is answered', async () => {
    const { as, slug = 'there', json } = WAYS[status](operation);
    const { method } = operation;
    const asked: Asked = { method, path: operation.path('alpha', slug), as, json };
    const before = await server.engine.getWorld({ source: 'alpha/there' });
    const answer = await ask(server, operation.body === 'none' ? { ...asked, json: undefined } : asked);
    if (status >= 400) {
      expectError(answer, status);
      expect(await server.engine.getWorld({ source: 'alpha/there' })).toEqual(before);
    } else if (status === 204) expectNoContent(answer);
    else expect(answer.status, answer.text).toBe(status);
  });
});
