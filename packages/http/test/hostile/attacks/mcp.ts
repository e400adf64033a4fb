import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ATTACKERS,
  type Attack,
  type Conversation,
  type HostileRequest,
  importOf,
  json,
  list,
  nest,
} from '../attack.ts';
import { opened, statusOf } from '../raw-status.ts';

const MCP = '/mcp';
const REFERENCE = '/reference';
/** With the arguments of a call: an error of a tool is a result too. */
const CALLED = [200, 400, 413, 503] as const;
const ACCEPT = 'application/json, text/event-stream';

const post = (value: unknown, path = MCP, as?: HostileRequest['as'], session?: string): HostileRequest => {
  const request = json('POST', path, value);
  return {
    ...request,
    as,
    headers: { ...request.headers, accept: ACCEPT, ...(session && { 'mcp-session-id': session }) },
  };
};
const message = (method: string, params: unknown = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const call = (name: string, input: unknown, id: unknown = 1) => message('tools/call', { name, arguments: input }, id);
const many = <Item>(n: number, item: (i: number) => Item): Item[] => Array.from({ length: n }, (_, i) => item(i));
const deep = (depth: number): unknown => JSON.parse(nest('[', '', ']')(depth));

const LABEL = '<http://www.w3.org/2000/01/rdf-schema#label>';
const TYPE = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';
const quads = (text: string) => importOf(text, 'application/n-quads');
/** Entities with names that differ in few letters. */
const named = (n: number) =>
  quads(
    list(
      n,
      (i) => `<urn:e${i}> ${LABEL} "Person number ${i} of the long list" .\n<urn:e${i}> ${TYPE} <urn:C${i % 50}> .\n`,
      '',
    ),
  );
/** One entity with much about it. */
const hub = (n: number) =>
  quads(list(n, (i) => `<urn:hub> <urn:p${i % 500}> "text ${i}" .\n<urn:o${i}> <urn:q${i % 500}> <urn:hub> .\n`, ''));
const fact = (i: number) => ({ subject: `Person ${i}`, predicate: `p${i % 20}`, value: `text ${i}` });
const facts = (n: number) => post(call('remember', { world: 'w', facts: many(n, fact) }));
const document = (n: number) => list(n, (i) => `<urn:s${i}> <urn:p${i % 7}> "text ${i}" .\n`, '');
const prose = (n: number) => list(n, (i) => `Sentence ${i} says that Person ${i % 100} knows Person ${i % 37}.`, ' ');
const graph = (n: number) => [
  post(
    call('create_entities', {
      entities: many(n, (i) => ({ name: `Entity ${i}`, entityType: 'thing', observations: [`It has number ${i}.`] })),
    }),
    REFERENCE,
  ),
  post(
    call('create_relations', {
      relations: many(n, (i) => ({ from: `Entity ${i}`, to: `Entity ${(i * 7) % n}`, relationType: 'knows' })),
    }),
    REFERENCE,
  ),
];

type ToolRow = readonly [
  name: string,
  tool: string,
  length: number,
  input: (n: number) => unknown,
  more?: Partial<Attack> & { readonly path?: string; readonly as?: HostileRequest['as'] },
];

/** Calls of every tool; the length is that of size 1. */
const TOOLS: readonly ToolRow[] = [
  ['a list after a long name', 'list_worlds', 20_000, (n) => ({ after: 'x'.repeat(n) })],
  [
    'a list of many',
    'list_worlds',
    1,
    () => ({}),
    { before: (size) => many(30 * size, (i) => json('POST', '/worlds', { slug: `m${i}`, label: 'x'.repeat(2_000) })) },
  ],
  ['a long description', 'create_world', 50_000, (n) => ({ world: 'new', label: 'x', description: 'y'.repeat(n) })],
  [
    'a description of many predicates',
    'describe_world',
    1,
    () => ({ world: 'w' }),
    { before: (size) => [quads(list(1_000 * size, (i) => `<urn:e${i % 50}> <urn:q${i}> "x" .\n`, ''))] },
  ],
  [
    'a description of many classes',
    'describe_world',
    1,
    () => ({ world: 'w', max_tokens: 1_000_000 }),
    { before: (size) => [quads(list(1_000 * size, (i) => `<urn:e${i}> ${TYPE} <urn:C${i}> .\n`, ''))], as: 'guest' },
  ],
  ['many words', 'search', 5_000, (n) => ({ query: list(n, (i) => `word${i}`) })],
  ['names of many worlds', 'search', 4_000, (n) => ({ query: 'text', worlds: many(n, (i) => `w${i}`) })],
  ['the same world', 'search', 4_000, (n) => ({ query: 'text number', worlds: many(n, () => 'w'), limit: 1000 })],
  [
    'many names',
    'find_entity',
    1,
    () => ({ name: 'Persn numbr 7 of the long lst', worlds: ['w'] }),
    { before: (size) => [named(1_000 * size)] },
  ],
  [
    'a long name',
    'find_entity',
    20_000,
    (n) => ({ name: 'Person '.repeat(n / 7), worlds: ['w'] }),
    { before: () => [named(1_000)] },
  ],
  [
    'long names',
    'find_entity',
    1,
    () => ({ name: 'a'.repeat(400), worlds: ['w'] }),
    { before: (size) => [quads(list(100 * size, (i) => `<urn:e${i}> ${LABEL} "${'a'.repeat(2_000)}${i}" .\n`, ''))] },
  ],
  [
    'an entity with many facts',
    'look',
    1,
    () => ({ entity: '<urn:hub>', world: 'w' }),
    { before: (size) => [hub(2_000 * size)] },
  ],
  [
    'an entity with long texts',
    'look',
    1,
    () => ({ entity: '<urn:hub>', world: 'w' }),
    { before: (size) => [quads(list(10, (i) => `<urn:hub> <urn:p> "${i}${'x'.repeat(100_000 * size)}" .\n`, ''))] },
  ],
  ['a long IRI', 'look', 20_000, (n) => ({ entity: `<urn:${'x'.repeat(n)}>`, world: 'w' })],
  [
    'a cross product',
    'query',
    4,
    (n) => ({ query: `SELECT (COUNT(*) AS ?n) { ${list(n, (i) => `?a${i} ?b${i} ?c${i} .`)} FILTER(?c0 < ?c1) }` }),
    { cost: 'answer' },
  ],
  ['nested groups', 'query', 4_000, (n) => ({ query: `SELECT * ${nest('{', '', '}')(n)}` })],
  ['a long text', 'query', 50_000, (n) => ({ query: `SELECT * { ?s ?p "${'x'.repeat(n)}" }` })],
  [
    'long results',
    'query',
    20_000,
    (n) => ({ query: `SELECT ?s ("${'x'.repeat(n)}" AS ?t) { ?s ?p ?o }`, limit: 1000 }),
  ],
  ['many facts', 'remember', 30, (n) => ({ world: 'w', facts: many(n, fact) })],
  ['too many facts', 'remember', 400, (n) => ({ world: 'w', facts: many(n, fact) })],
  ['a document', 'remember', 31, (n) => ({ world: 'w', document: document(n) })],
  [
    'a document in JSON-LD',
    'remember',
    1_000,
    (n) => ({ world: 'w', document: nest('{"urn:p":', '1', '}')(n), content_type: 'application/ld+json' }),
  ],
  [
    'a document in RDF/XML',
    'remember',
    5_000,
    (n) => ({ world: 'w', document: '<a>'.repeat(n), content_type: 'application/rdf+xml' }),
  ],
  ['arguments of numbers', 'remember', 5_000, (n) => ({ world: 'w', facts: many(n, Number) })],
  ['arguments of arrays', 'remember', 4_000, (n) => ({ world: 'w', facts: many(n, () => []) })],
  ['nested arguments', 'remember', 120, (n) => deep(n)],
  ['unknown arguments', 'remember', 4_000, (n) => Object.fromEntries(many(n, (i) => [`k${i}`, 0]))],
  [
    'one of many facts',
    'correct',
    1,
    () => ({ world: 'w', old: fact(1), kind: 'changed', value: 'new' }),
    { before: (size) => many(size, () => facts(500)) },
  ],
  [
    'a long reason',
    'correct',
    50_000,
    (n) => ({ world: 'w', old: fact(1), kind: 'wrong', value: 'y', reason: 'x'.repeat(n) }),
    { before: () => [facts(10)] },
  ],
  [
    'an entity with many facts',
    'forget',
    1,
    () => ({ world: 'w', entity: '<urn:hub>', erase: true }),
    { before: (size) => [hub(2_000 * size)] },
  ],
  ['many facts', 'forget', 30, (n) => ({ world: 'w', facts: many(n, fact) }), { before: () => [facts(500)] }],
  [
    'many changes',
    'history',
    1,
    () => ({ world: 'w', entity: '<urn:hub>', newest: true }),
    {
      before: (size) => [
        hub(1_000 * size),
        json('POST', '/worlds/w/sparql', { query: 'DELETE { ?s ?p ?o } INSERT { ?s ?p "new" } WHERE { ?s ?p ?o }' }),
      ],
    },
  ],
  [
    'an entity with many facts, in the past',
    'state_at',
    1,
    () => ({ world: 'w', entity: '<urn:hub>', valid_at: '2030-01-01' }),
    { before: (size) => [hub(2_000 * size)] },
  ],
  ['a document', 'import_document', 1_500, (n) => ({ world: 'w', document: document(n) })],
  [
    'a document of blank nodes',
    'import_document',
    1_500,
    (n) => ({ world: 'w', document: list(n, (i) => `_:b${i} <urn:p> _:b${i + 1} .`) }),
  ],
  ['a document without end', 'import_document', 50_000, (n) => ({ world: 'w', document: '['.repeat(n) })],
  [
    'a long base',
    'import_document',
    10_000,
    (n) => ({ world: 'w', document: `@base <http://e/${'x'.repeat(n)}> . ${list(n / 8, (i) => `<${i}> <p> 1 .`)}` }),
  ],
  ['a text', 'remember_document', 900, (n) => ({ world: 'w', document: 'Book', text: prose(n) })],
  [
    'a text without spaces',
    'remember_document',
    50_000,
    (n) => ({ world: 'w', document: 'Book', text: 'x'.repeat(n) }),
  ],
  [
    'a text of line breaks',
    'remember_document',
    50_000,
    (n) => ({ world: 'w', document: 'Book', text: '\n'.repeat(n) }),
  ],
  [
    'a text of letters of two units',
    'remember_document',
    12_000,
    (n) => ({ world: 'w', document: 'Book', text: '\u{1F600}'.repeat(n) }),
  ],
  ['a tool that is none', 'x'.repeat(50_000), 1, () => ({})],
  // Those of the reference server.
  [
    'entities',
    'create_entities',
    30,
    (n) => ({ entities: many(n, (i) => ({ name: `E${i}`, entityType: 't', observations: [`${i}`] })) }),
    { path: REFERENCE },
  ],
  [
    'observations of one',
    'create_entities',
    2_000,
    (n) => ({ entities: [{ name: 'E', entityType: 't', observations: many(n, String) }] }),
    { path: REFERENCE },
  ],
  [
    'relations',
    'create_relations',
    60,
    (n) => ({ relations: many(n, (i) => ({ from: `E${i}`, to: `E${i + 1}`, relationType: `r${i}` })) }),
    { path: REFERENCE, before: () => graph(200) },
  ],
  [
    'observations',
    'add_observations',
    60,
    (n) => ({ observations: many(n, (i) => ({ entityName: 'Entity 1', contents: [`${i}`] })) }),
    { path: REFERENCE, before: () => graph(200) },
  ],
  [
    'observations of nobody',
    'add_observations',
    2_000,
    (n) => ({ observations: many(n, (i) => ({ entityName: `Nobody ${i}`, contents: [] })) }),
    { path: REFERENCE, before: () => graph(200) },
  ],
  [
    'names',
    'delete_entities',
    4_000,
    (n) => ({ entityNames: many(n, (i) => `Entity ${i}`) }),
    { path: REFERENCE, before: () => graph(200) },
  ],
  [
    'observations',
    'delete_observations',
    2_000,
    (n) => ({ deletions: many(n, (i) => ({ entityName: `Entity ${i}`, observations: ['x'] })) }),
    { path: REFERENCE, before: () => graph(200) },
  ],
  [
    'relations',
    'delete_relations',
    1_000,
    (n) => ({ relations: many(n, (i) => ({ from: `Entity ${i}`, to: 'Entity 1', relationType: 'knows' })) }),
    { path: REFERENCE, before: () => graph(200) },
  ],
  [
    'all of it',
    'read_graph',
    1,
    () => ({}),
    { path: REFERENCE, before: (size) => many(size, (i) => graph(200 + i)).flat() },
  ],
  [
    'a world that it did not make',
    'read_graph',
    1,
    () => ({}),
    { path: REFERENCE, before: (size) => [named(5_000 * size)] },
  ],
  [
    'many words',
    'search_nodes',
    20_000,
    (n) => ({ query: 'entity '.repeat(n / 7) }),
    { path: REFERENCE, before: () => graph(200) },
  ],
  [
    'a letter',
    'search_nodes',
    1,
    () => ({ query: 'e' }),
    { path: REFERENCE, before: (size) => many(size, (i) => graph(200 + i)).flat() },
  ],
  [
    'names',
    'open_nodes',
    4_000,
    (n) => ({ names: many(n, (i) => `Entity ${i}`) }),
    { path: REFERENCE, before: () => graph(200) },
  ],
];

const WORLD_URI = 'world://mallet/w';

type MessageRow = readonly [
  name: string,
  length: number,
  at: (n: number) => HostileRequest,
  statuses?: readonly number[],
  more?: Partial<Attack>,
];

/** Messages that are not calls, and requests that are not messages. */
const MESSAGES: readonly MessageRow[] = [
  [
    'an initialization',
    20_000,
    (n) =>
      post(
        message('initialize', {
          protocolVersion: '2025-06-18',
          capabilities: { experimental: { x: { y: 'z'.repeat(n) } } },
          clientInfo: { name: 'x'.repeat(n), version: '1' },
        }),
      ),
  ],
  ['an initialization without sense', 50_000, (n) => post(message('initialize', { protocolVersion: 'x'.repeat(n) }))],
  ['a ping', 50_000, (n) => post(message('ping', { _meta: { x: 'x'.repeat(n) } }))],
  ['a list of tools', 50_000, (n) => post(message('tools/list', { cursor: 'x'.repeat(n) }))],
  ['a list of tools, often', 3, (n) => post(many(n, (i) => message('tools/list', {}, i)))],
  [
    'a list of resources',
    1,
    () => post(message('resources/list')),
    [200],
    { before: (size) => many(30 * size, (i) => json('POST', '/worlds', { slug: `r${i}`, label: 'x'.repeat(1_000) })) },
  ],
  ['templates', 50_000, (n) => post(message('resources/templates/list', { cursor: 'x'.repeat(n) }))],
  [
    'a resource',
    1,
    () => post(message('resources/read', { uri: WORLD_URI })),
    [200],
    { before: (size) => [quads(list(1_000 * size, (i) => `<urn:e${i}> <urn:q${i}> "x" .\n`, ''))] },
  ],
  [
    'an entity',
    1,
    () => post(message('resources/read', { uri: `${WORLD_URI}/entity/urn%3Ahub` })),
    [200],
    { before: (size) => [hub(1_000 * size)] },
  ],
  [
    'the address of a resource',
    20_000,
    (n) => post(message('resources/read', { uri: `${WORLD_URI}/${'%41'.repeat(n)}` })),
  ],
  [
    'subscriptions',
    3,
    (n) =>
      post(many(n, (i) => message(i % 2 ? 'resources/unsubscribe' : 'resources/subscribe', { uri: WORLD_URI }, i))),
  ],
  ['prompts', 50_000, (n) => post(message('prompts/list', { cursor: 'x'.repeat(n) }))],
  ['a prompt', 50_000, (n) => post(message('prompts/get', { name: 'remember', arguments: { text: '"'.repeat(n) } }))],
  [
    'a prompt with many arguments',
    4_000,
    (n) =>
      post(message('prompts/get', { name: 'recall', arguments: Object.fromEntries(many(n, (i) => [`k${i}`, 'v'])) })),
  ],
  [
    'a completion',
    50_000,
    (n) =>
      post(
        message('completion/complete', {
          ref: { type: 'ref/resource', uri: 'world://{namespace}/{slug}' },
          argument: { name: 'slug', value: 'x'.repeat(n) },
        }),
      ),
  ],
  [
    'a completion over many',
    1,
    () =>
      post(
        message('completion/complete', {
          ref: { type: 'ref/resource', uri: 'world://{namespace}/{slug}' },
          argument: { name: 'slug', value: '' },
        }),
      ),
    [200],
    { before: (size) => many(30 * size, (i) => json('POST', '/worlds', { slug: `c${i}` })) },
  ],
  ['a level of logging', 3, (n) => post(many(n, (i) => message('logging/setLevel', { level: 'debug' }, i)))],
  ['a method that is none', 50_000, (n) => post(message('x'.repeat(n)))],
  ['a long id', 50_000, (n) => post(message('ping', {}, 'x'.repeat(n)))],
  ['the same id', 3, (n) => post(many(n, () => message('ping', {}, 7)))],
  [
    'calls in one request',
    3,
    (n) => post(many(n, (i) => call('search', { query: 'text number', worlds: ['w'], limit: 100 }, i))),
  ],
  [
    'heavy queries in one request',
    3,
    (n) =>
      post(
        many(n, (i) =>
          call(
            'query',
            { query: 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(STR(?c) < STR(?f)) }' },
            i,
          ),
        ),
      ),
    CALLED,
    { cost: 'answer' },
  ],
  // 413 for more messages than an array of a body may have members.
  ['too many messages', 1_000, (n) => post(many(n, (i) => message('ping', {}, i))), [400, 413]],
  [
    'notifications',
    1_000,
    (n) => post(many(n, () => ({ jsonrpc: '2.0', method: 'notifications/initialized' }))),
    [400, 413],
  ],
  [
    'notifications within the bound',
    3,
    (n) =>
      post(
        many(n, () => ({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: 1, progress: 1 },
        })),
      ),
    [202],
  ],
  [
    'answers to nothing',
    3,
    (n) => post(many(n, (i) => ({ jsonrpc: '2.0', id: i, result: { x: 'x'.repeat(5_000) } }))),
    [202, 413],
  ],
  [
    'cancellations',
    3,
    (n) =>
      post(
        many(n, (i) => ({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: `${i}`.repeat(1_000) },
        })),
        MCP,
        'mallory',
        'session',
      ),
    [202],
  ],
  ['messages that are none', 1_000, (n) => post(many(n, () => 0))],
  ['nested arrays', 4_000, (n) => ({ ...post(0), body: nest('[', '', ']')(n) }), [400, 413]],
  [
    'nested parameters',
    4_000,
    (n) => ({ ...post(0), body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":${nest('{"a":', '1', '}')(n)}}` }),
  ],
  [
    'members',
    5_000,
    (n) => post({ jsonrpc: '2.0', id: 1, method: 'ping', ...Object.fromEntries(many(n, (i) => [`k${i}`, 0])) }),
  ],
  ['text that is not JSON', 60_000, (n) => ({ ...post(0), body: '{'.repeat(n) }), [400, 413]],
  ['white space', 60_000, (n) => ({ ...post(0), body: ' '.repeat(n) }), [400]],
  ['a long session', 900, (n) => post(message('ping'), MCP, 'mallory', 'x'.repeat(n)), [200, 431]],
  [
    'another version',
    900,
    (n) => ({ ...post(message('ping')), headers: { ...post(0).headers, 'mcp-protocol-version': 'x'.repeat(n) } }),
    [200, 400, 431],
  ],
  [
    'nothing that may be answered',
    900,
    (n) => ({ ...post(message('ping')), headers: { 'content-type': 'application/json', accept: 'x'.repeat(n) } }),
    [406, 431],
  ],
  [
    'a GET',
    900,
    (n) => ({ method: 'GET', path: `${MCP}?${'x'.repeat(n)}`, headers: { accept: 'text/event-stream' } }),
    [405, 431],
  ],
  [
    'a DELETE of a session',
    900,
    (n) => ({ method: 'DELETE', path: MCP, headers: { 'mcp-session-id': 'x'.repeat(n) } }),
    [405, 431],
  ],
  ['without a token', 50_000, (n) => post(call('query', { query: 'x'.repeat(n) }), MCP, null), [401]],
];

/** A request as bytes, for connections that are left open. */
const bytes = (value: unknown, more = '') => {
  const body = JSON.stringify(value);
  return `POST ${MCP} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ATTACKERS.mallory}\r\nContent-Type: application/json\r\nAccept: ${ACCEPT}\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};
const INITIALIZE = bytes(
  message('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } }),
);
const HEAVY = call('query', {
  query: 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(STR(?c) < STR(?f)) }',
});
const close = (sockets: readonly Socket[]) => {
  for (const socket of sockets) socket.destroy();
};

const CONVERSATIONS: readonly (readonly [
  string,
  (size: number) => Conversation,
  readonly number[],
  Attack['cost']?,
])[] = [
  [
    'sessions that are never closed',
    (size) => async (port) => {
      for (let i = 0; i < 50 * size; i++) await statusOf(port, INITIALIZE);
      return statusOf(port, bytes(message('ping')));
    },
    [200],
  ],
  [
    'connections that begin sessions and stay',
    (size) => async (port) => {
      const sockets = many(30 * size, () => opened(port));
      for (const socket of sockets) {
        socket.on('data', () => {});
        socket.write(INITIALIZE);
      }
      await sleep(500);
      const answer = await statusOf(port, bytes(message('ping')));
      close(sockets);
      return answer;
    },
    [200],
  ],
  [
    'heavy calls that are given up',
    (size) => async (port) => {
      for (let i = 0; i < 10 * size; i++) {
        const socket = opened(port);
        socket.write(bytes(HEAVY, 'Mcp-Session-Id: one\r\n'));
        await sleep(5);
        socket.destroy();
      }
      return statusOf(port, bytes(message('ping')));
    },
    [200],
    'answer',
  ],
  [
    'heavy calls together',
    (size) => async (port) => (await Promise.all(many(4 * size, () => statusOf(port, bytes(HEAVY))))).flat(),
    [200, 429, 503],
    'answer',
  ],
  [
    'long answers that nobody reads',
    (size) => async (port) => {
      const sockets = many(5 * size, () => opened(port).pause());
      const large = message('prompts/get', { name: 'remember', arguments: { text: '"'.repeat(200_000) } });
      for (const socket of sockets) socket.write(bytes(large));
      await sleep(1_000);
      close(sockets);
      return statusOf(port, bytes(message('ping')));
    },
    [200],
  ],
];

export const MCP_ATTACKS: readonly Attack[] = [
  ...TOOLS.map(
    ([name, tool, length, input, { path = MCP, as, ...more } = {}]): Attack => ({
      name: `mcp: ${tool.slice(0, 20)}: ${name}`,
      route: path as `/${string}`,
      at: (size) => post(call(tool, input(length * size)), path, as),
      statuses: CALLED,
      ...more,
    }),
  ),
  ...MESSAGES.map(
    ([name, length, at, statuses = CALLED, more]): Attack => ({
      name: `mcp: ${name}`,
      route: MCP,
      at: (size) => at(length * size),
      statuses,
      ...more,
    }),
  ),
  ...CONVERSATIONS.map(
    ([name, at, statuses, cost]): Attack => ({ name: `mcp: ${name}`, route: MCP, at, statuses, cost }),
  ),
];
