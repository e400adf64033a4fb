import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKERS, type Attack, type Conversation, type HostileRequest, importOf, json, list } from '../attack.ts';
import { opened, statusOf } from '../raw-status.ts';
import { burst, many } from './burst.ts';

const MCP = '/mcp';
const CALLED = [200, 400, 413, 503] as const;
const ACCEPT = 'application/json, text/event-stream';
const LABEL = '<http://www.w3.org/2000/01/rdf-schema#label>';

const post = (value: unknown, headers: Readonly<Record<string, string>> = {}): HostileRequest => {
  const request = json('POST', MCP, value);
  return { ...request, headers: { ...request.headers, accept: ACCEPT, ...headers } };
};
const message = (method: string, params: unknown = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const call = (name: string, input: unknown, id: unknown = 1, meta?: unknown) =>
  message('tools/call', { name, arguments: input, ...(meta !== undefined && { _meta: meta }) }, id);
/** As many calls as one request may have. */
const calls = (item: (i: number) => readonly [string, unknown]) =>
  post(many(50, (i) => call(item(i)[0], item(i)[1], i)));

const quads = (text: string) => importOf(text, 'application/n-quads');
const hub = (n: number) =>
  quads(list(n, (i) => `<urn:hub> <urn:p${i % 500}> "text ${i}" .\n<urn:o${i}> <urn:q${i % 500}> <urn:hub> .\n`, ''));
const named = (n: number) => quads(list(n, (i) => `<urn:e${i}> ${LABEL} "Person number ${i} of the list" .\n`, ''));
const texts = (n: number, length: number) =>
  quads(list(n, (i) => `<urn:d${i}> <urn:text> "${list(length / 10, (j) => `word${(i + j) % 97} text`)}" .\n`, ''));
const fact = (i: number) => ({ subject: `Person ${i}`, predicate: `p${i % 20}`, value: `text ${i}` });
const HEAVY = {
  query: 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(STR(?c) < STR(?f)) }',
};

/** A request as bytes, for connections whose answers are not read. */
const bytes = (value: unknown, more = '') => {
  const body = JSON.stringify(value);
  return `POST ${MCP} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ATTACKERS.mallory}\r\nContent-Type: application/json\r\nAccept: ${ACCEPT}\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};
const PING = bytes(message('ping'));

/** Sends requests whose answers nobody reads, and asks something small after a while. */
const unread =
  (requests: readonly string[], ms: number): Conversation =>
  async (port) => {
    const sockets = requests.map((request) => {
      const socket = opened(port).pause();
      socket.write(request);
      return socket;
    });
    await sleep(ms);
    const answer = await statusOf(port, PING);
    for (const socket of sockets) socket.destroy();
    return answer;
  };

type Row = readonly [string, (size: number) => HostileRequest | Conversation, Partial<Attack>?];

const ROWS: readonly Row[] = [
  [
    'looks at a hub',
    () => calls(() => ['look', { entity: '<urn:hub>', world: 'w' }]),
    { before: (size) => [hub(500 * size)] },
  ],
  [
    'histories of a hub',
    () => calls(() => ['history', { entity: '<urn:hub>', world: 'w', newest: true }]),
    { before: (size) => [hub(500 * size)] },
  ],
  [
    'searches of long texts',
    () => calls((i) => ['search', { query: `word${i} text`, worlds: ['w'], limit: 100 }]),
    { before: (size) => [texts(100, 2_000 * size)] },
  ],
  [
    'names among many',
    () => calls((i) => ['find_entity', { name: `Persn numbr ${i} of th lst`, worlds: ['w'] }]),
    { before: (size) => [named(1_000 * size)] },
  ],
  [
    'queries of long results',
    (size) =>
      calls(() => ['query', { query: `SELECT ("${'x'.repeat(1_000 * size)}" AS ?t) { ?s ?p ?o }`, limit: 1000 }]),
  ],
  [
    'graphs as results of queries',
    (size) =>
      calls(() => [
        'query',
        { query: `CONSTRUCT { ${list(10 * size, (i) => `?s <urn:q${i}> [ <urn:r> ?o ] .`)} } WHERE { ?s ?p ?o }` },
      ]),
  ],
  ['writes that wait for each other', (size) => calls((i) => ['remember', { world: 'w', facts: [fact(i * size)] }])],
  [
    'documents with each a token of progress that is long',
    (size) =>
      unread(
        many(5 * size, (i) =>
          bytes(
            call(
              'import_document',
              { world: 'w', document: list(5_000, (j) => `<urn:a${i}x${j}> <urn:p> 1 .`, '\n') },
              1,
              { progressToken: 'x'.repeat(400_000) },
            ),
          ),
        ),
        3_000,
      ),
    { statuses: [200, 503] },
  ],
  [
    'a document with a token of progress that is long',
    (size) =>
      post(
        call('import_document', { world: 'w', document: list(1_000 * size, (j) => `<a:${j}> <a:p> 1 .`, '\n') }, 1, {
          progressToken: 'x'.repeat(500_000),
        }),
      ),
  ],
  [
    'ids of every kind',
    () =>
      post(
        [null, true, 1.5, 1e308, -1, '', [], {}, [[]], { id: {} }, '\u0000', '__proto__'].map((id) =>
          message('ping', {}, id),
        ),
      ),
  ],
  [
    'an id of nested arrays',
    (size) => ({
      ...post(0),
      body: `{"jsonrpc":"2.0","method":"ping","id":${'['.repeat(60 * size)}${']'.repeat(60 * size)}}`,
    }),
  ],
  [
    'names of prototypes',
    () => calls((i) => [['__proto__', 'constructor', 'toString'][i % 3], JSON.parse('{"__proto__":{"world":"w"}}')]),
  ],
  [
    'messages of prototypes',
    () =>
      post(
        ['__proto__', 'constructor', 'hasOwnProperty', 'tools/', '/', 'notifications/'].map((method, i) =>
          message(method, {}, i),
        ),
      ),
  ],
  [
    'calls that another request cancels',
    (size) => async (port) => {
      const session = 'Mcp-Session-Id: one\r\n';
      const running = many(5 * size, (i) => statusOf(port, bytes(call('query', HEAVY, i), session)));
      await sleep(300);
      const cancelled = many(5 * size, (i) =>
        statusOf(port, bytes({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: i } }, session)),
      );
      return (await Promise.all([...running, ...cancelled])).flat();
    },
    { statuses: [200, 202, 429, 503], cost: 'answer' },
  ],
  [
    'batches that another request cancels in part',
    (size) => async (port) => {
      const session = 'Mcp-Session-Id: two\r\n';
      const heavy = bytes(
        many(50, (i) => call('query', HEAVY, i)),
        session,
      );
      const running = many(size, () => statusOf(port, heavy));
      await sleep(300);
      const cancel = many(50, (i) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: i } }));
      const cancelled = many(size, () => statusOf(port, bytes(cancel, session)));
      return (await Promise.all([...running, ...cancelled])).flat();
    },
    { statuses: [200, 202, 429, 503], cost: 'answer' },
  ],
  [
    'requests of the largest batches together',
    (size) => burst(many(4 * size, () => calls((i) => ['search', { query: `text ${i}`, worlds: ['w'] }]))),
    { statuses: [200, 429, 503], cost: 'answer' },
  ],
  [
    'resources, prompts and completions in batches',
    () =>
      post(
        many(
          50,
          (i) =>
            [
              message('resources/read', { uri: 'world://mallet/w' }, i),
              message('resources/read', { uri: `world://mallet/w/${encodeURIComponent('urn:hub')}` }, i),
              message('resources/list', { cursor: '' }, i),
              message(
                'completion/complete',
                { ref: { type: 'ref/prompt', name: 'recall' }, argument: { name: 'world', value: '' } },
                i,
              ),
            ][i % 4],
        ),
      ),
    { before: (size) => [hub(500 * size)] },
  ],
  [
    'the past of a hub',
    () =>
      calls((i) => [
        'state_at',
        { world: 'w', entity: '<urn:hub>', known_at: new Date().toISOString(), valid_at: `20${10 + i}-01-01` },
      ]),
    { before: (size) => [hub(500 * size)], server: 'history' },
  ],
];

export const AGENTS: readonly Attack[] = ROWS.map(([name, at, more]) => ({
  name: `agent: ${name}`,
  route: MCP,
  at,
  statuses: CALLED,
  ...more,
}));
