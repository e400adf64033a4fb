import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { WorldsEngine } from '@rdf-worlds/core';
import { estimateTokens } from '@rdf-worlds/memory';
import { expect, it } from 'vitest';
import { aClient, anEngine, callTool, textOf } from './a-client.ts';

/** Only the worlds that the caller may not use say this. */
const SECRET = 'kingfisher';

const PRINCIPAL = {
  id: 'agent',
  defaultNamespace: 'default',
  grants: [{ namespace: 'default', world: 'open', read: true, write: true }],
};

/** A world that the caller may use, and two that it may not. */
async function aTarget() {
  const engine = await anEngine('open', 'secret');
  await engine.createWorld({ namespace: 'other', slug: 'secret' });
  for (const source of ['default/secret', 'other/secret'])
    await engine.import({
      source,
      contentType: 'text/turtle',
      data: `<urn:rdf-worlds:entity:It> <http://www.w3.org/2000/01/rdf-schema#label> "${SECRET}" . <urn:${SECRET}> a <urn:${SECRET}> .`,
    });
  await engine.import({
    source: 'open',
    contentType: 'text/turtle',
    data: '<urn:rdf-worlds:entity:Ada> <http://www.w3.org/2000/01/rdf-schema#label> "Ada" ; <urn:knows> "nothing" .',
  });
  return { engine, client: await aClient(engine, { principal: PRINCIPAL, limits: { timeoutMs: 1_500 } }) };
}

const fact = { subject: 'Ada', predicate: 'p', value: 1 };
const world = 'open';
const own = (name: string, input: object): readonly [string, unknown] => [name, { world, ...input }];
const query = (text: string): readonly [string, unknown] => ['query', { query: text }];
const remember = (given: object): readonly [string, unknown] => own('remember', { facts: [{ ...fact, ...given }] });
const document = (text: string, content_type = 'text/turtle') => own('remember', { document: text, content_type });
const deep = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

/** Names of worlds that are foreign, malformed or clever. */
const WORLD_NAMES = [
  'secret',
  'default/secret',
  'other/secret',
  '_/secret',
  '../secret',
  'open/../secret',
  'default%2Fsecret',
  'default/open/secret',
  '__proto__',
  'constructor',
  '',
  '*',
  ' secret',
  'open\u0000secret',
  'SECRET',
  'x'.repeat(299),
];

const FOREIGN: readonly (readonly [string, unknown])[] = [
  ...WORLD_NAMES.flatMap((name): (readonly [string, unknown])[] => [
    ['look', { world: name, entity: 'It' }],
    ['query', { query: 'SELECT * { ?s ?p ?o }', worlds: [name] }],
    ['query', { query: 'SELECT * { ?s ?p ?o }', worlds: [name], recorded_at: '2020' }],
    ['remember', { world: name, facts: [fact] }],
  ]),
  ...['describe_world', 'history', 'state_at', 'correct', 'forget', 'import_document', 'create_world'].map(
    (name): readonly [string, unknown] => [
      name,
      {
        describe_world: { world: 'secret' },
        history: { world: 'secret', entity: 'It' },
        state_at: { world: 'secret', entity: 'It', valid_at: '2020' },
        correct: { world: 'secret', old: fact, kind: 'wrong', value: 2 },
        forget: { world: 'secret', entity: 'It', erase: true },
        import_document: { world: 'secret', document: '' },
        create_world: { world: 'other/new' },
      }[name],
    ],
  ),
  ['remember_document', { world: 'secret', document: 'It', text: 'A text.' }],
  ['search', { query: SECRET, worlds: ['open', 'secret'] }],
  ['find_entity', { name: 'It', worlds: ['other/secret'] }],
];

it.each(FOREIGN)('reaches no foreign world: %s %j', async (name, input) => {
  const { engine, client } = await aTarget();
  const before = await revisions(engine);
  const result = await callTool(client, name, input as object);
  expect(result.isError).toBe(true);
  expect(textOf(result)).toMatch(/^(?:PERMISSION_DENIED|INVALID_ARGUMENT): /);
  expect(JSON.stringify(result)).not.toMatch(/urn:kingfisher|"kingfisher/);
  expect(await revisions(engine)).toEqual(before);
});

/** A hundred million rows, each of which has to be looked at. */
const ENDLESS = `SELECT (COUNT(*) AS ?n) {
  ${['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `VALUES ?${name} { 1 2 3 4 5 6 7 8 9 10 }`).join(' ')}
  FILTER(MD5(CONCAT(STR(?a), STR(?b), STR(?c), STR(?d), STR(?e), STR(?f), STR(?g), STR(?h))) = "0") }`;

/** Calls that must be refused, and change nothing. */
const REFUSED: readonly (readonly [string, unknown])[] = [
  // Updates, in disguise.
  query('DROP ALL'),
  query('# SELECT\nCLEAR ALL'),
  query('PREFIX a: <urn:a> INSERT DATA { a: a: a: }'),
  query('SELECT * {} ; DROP ALL'),
  query('SELECT * { ?s ?p ?o } } ; DELETE WHERE { ?s ?p ?o '),
  query('LOAD <http://127.0.0.1:1/data>'),
  query('SELECT * { SERVICE <http://127.0.0.1:1/sparql> { ?s ?p ?o } }'),
  query(`SELECT * { ${'{'.repeat(5_000)} ${'}'.repeat(5_000)} }`),
  query(`SELECT * { FILTER(${'!'.repeat(200_000)}true) }`),
  query('x'.repeat(1_100_000)),
  query(''),
  query(ENDLESS),
  // Invalid terms.
  remember({ subject: '<urn:a> . <urn:x> <urn:y> <urn:z>' }),
  remember({ subject: '<urn:a b>' }),
  remember({ subject: 'https://example.org/<script>' }),
  remember({ subject: 'nosuchprefix:x' }),
  remember({ subject: '   ' }),
  remember({ subject: '\ud800' }),
  remember({ predicate: '_:b1' }),
  remember({ predicate: '<urn:p> "x" ; <urn:q>' }),
  remember({ subject: 'n'.repeat(2_001) }),
  remember({ subject: 'long name '.repeat(30) }),
  remember({ value: 'x', datatype: 'xsd:date> .' }),
  remember({ value: 'x', datatype: 'not a datatype' }),
  remember({ value: 'x', lang: 'en" . <urn:a> <urn:b> "' }),
  remember({ value: 'x', lang: 'en', datatype: 'xsd:string' }),
  remember({ value: 'x\udfff' }),
  remember({ value: undefined }),
  remember({ value: 1, object: 'both' }),
  remember({ object: '', value: undefined }),
  // Provenance that a caller must not write.
  remember({ subject: 'fact:aaaaaaaaaaaaaaaaa', predicate: 'prov:invalidatedAtTime', value: '2020-01-01' }),
  document('<urn:rdf-worlds:fact:aaaaaaaaaaaaaaaaa> <http://www.w3.org/ns/prov#generatedAtTime> 1 .'),
  own('import_document', { document: '<urn:a> <urn:b> 1 .', graph: 'urn:rdf-worlds:memory#Facts' }),
  own('import_document', {
    document: '<urn:rdf-worlds:memory#Facts> { <urn:a> <urn:b> 1 }',
    content_type: 'application/trig',
  }),
  // Invalid times and numbers.
  remember({ from: '2026-02-31' }),
  remember({ from: 'yesterday' }),
  own('remember_document', { document: '_:b', text: 'A text.' }),
  own('remember_document', { document: 'A', text: '' }),
  own('remember_document', { document: 'urn:rdf-worlds:passage:a', text: 'A text.' }),
  remember({ from: '2026-13' }),
  remember({ from: '2026', until: '2025' }),
  remember({ confidence: 1.5 }),
  remember({ confidence: -1 }),
  remember({ confidence: '0.5' }),
  own('state_at', { entity: 'Ada' }),
  own('state_at', { entity: 'Ada', valid_at: '9'.repeat(400) }),
  ['search', { query: 'x', limit: 0 }],
  ['search', { query: 'x', limit: 1.5 }],
  ['search', { query: 'x', limit: 'many' }],
  own('describe_world', { max_tokens: -1 }),
  // Documents.
  document('<relative> <urn:p> 1 .'),
  document('<urn:a> <urn:b> "unterminated .'),
  document('{"@context": "http://127.0.0.1:1/context.jsonld", "name": "x"}', 'application/ld+json'),
  document(`${'['.repeat(100_000)}`, 'application/ld+json'),
  document('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>', 'application/rdf+xml'),
  document(
    `<!DOCTYPE r [<!ENTITY a0 "ha">${Array.from({ length: 30 }, (_, i) => `<!ENTITY a${i + 1} "&a${i};&a${i};">`).join('')}]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="urn:a"><p xmlns="urn:">&a30;</p></rdf:Description></rdf:RDF>`,
    'application/rdf+xml',
  ),
  document('', 'text/html'),
  document(Array.from({ length: 501 }, (_, i) => `<urn:s${i}> <urn:p> ${i} .`).join('\n')),
  own('remember', { facts: Array.from({ length: 501 }, () => fact) }),
  own('remember', { facts: [fact], document: '' }),
  own('remember', {}),
  // Wrong types, unknown fields, prototypes.
  own('remember', { facts: 'Ada' }),
  own('remember', { facts: [null] }),
  own('remember', { facts: [[fact]] }),
  own('remember', { facts: [deep(500)] }),
  own('remember', { facts: [{ ...fact, extra: 1 }] }),
  own('remember', JSON.parse('{"facts": [{"__proto__": {"subject": "x"}, "predicate": "p", "value": 1}]}') as object),
  ['look', { entity: 5, world }],
  ['look', { entity: ['Ada'], world }],
  ['look', { entity: { $ne: null }, world }],
  ['look', JSON.parse('{"__proto__": {"entity": "Ada"}, "world": "open"}')],
  own('look', { entity: '*' }),
  own('look', { entity: '?s ?p ?o' }),
  own('look', { entity: '<urn:nobody>' }),
  own('look', { entity: '_:c14n0' }),
  own('correct', { old: {}, kind: 'wrong', value: 1 }),
  own('correct', { old: { fact: 'fact:zzz' }, kind: 'wrong', value: 1 }),
  own('correct', { old: { fact: 'x', subject: 'Ada' }, kind: 'wrong', value: 1 }),
  own('correct', { old: fact, kind: 'maybe', value: 1 }),
  own('forget', {}),
  own('forget', { facts: [{ subject: 'Ada' }] }),
  own('forget', { entity: 'Ada', erase: 'yes' }),
];

it.each(REFUSED)('refuses, and stays as it was: %s %j', async (name, input) => {
  const { engine, client } = await aTarget();
  const before = await revisions(engine);
  const result = await callTool(client, name, input as object);
  expect(result.isError, JSON.stringify(result.content)).toBe(true);
  // Never INTERNAL, and never a stack.
  expect(textOf(result)).toMatch(
    /^(?:INVALID_ARGUMENT|INVALID_RDF|INVALID_SPARQL|LIMIT_EXCEEDED|NOT_FOUND|UNSUPPORTED|TIMEOUT): /,
  );
  expect(textOf(result)).not.toMatch(/\n {4}at |node_modules|\/packages\//);
  expect(estimateTokens(textOf(result))).toBeLessThan(1_500);
  expect(await revisions(engine)).toEqual(before);
  expect(textOf(await callTool(client, 'look', { entity: 'Ada', world }))).toContain('"nothing"');
});

/** Calls that are allowed, and must show and do nothing more than they say. */
const HARMLESS: readonly (readonly [string, unknown])[] = [
  query('SELECT * { GRAPH ?g { ?s ?p ?o } }'),
  query('SELECT * FROM <urn:any> FROM NAMED <urn:other> { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }'),
  query(
    `PREFIX ws: <urn:rdf-worlds:search#> SELECT * { SERVICE <urn:rdf-worlds:search> { ?hit ws:query "${SECRET}" ; ws:subject ?s ; ws:object ?o } }`,
  ),
  query('DESCRIBE <urn:rdf-worlds:entity:It>'),
  query('CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }'),
  ['search', { query: SECRET }],
  ['search', { query: '"; DROP ALL; #' }],
  ['search', { query: '\u0000\u202e\ufeff' }],
  ['find_entity', { name: SECRET }],
  ['find_entity', { name: '" } ; DROP ALL #' }],
  ['find_entity', { name: '%' }],
  ['find_entity', { name: 'x'.repeat(500) }],
  ['find_entity', { name: '__proto__' }],
  ['list_worlds', {}],
  ['list_worlds', { after: '\uffff' }],
  remember({ value: '" . <urn:x> <urn:y> <urn:z> . "' }),
  remember({ value: '"""\n@prefix : <urn:> . }} DROP ALL' }),
  remember({ value: '\\u0022 \\" \u0000 \u2028' }),
  remember({ subject: 'A "quoted" > name <with> {all} of `it`' }),
  remember({ subject: '__proto__', predicate: 'constructor', object: 'hasOwnProperty', value: undefined }),
  remember({ source: '"] ; <urn:x> <urn:y>' }),
  remember({ source: 'javascript:alert(1)' }),
];

it.each(HARMLESS)('shows nothing foreign and stores only what it says: %s %j', async (name, input) => {
  const { engine, client } = await aTarget();
  const before = await revisions(engine);
  const result = await callTool(client, name, input as object);
  expect(result.isError, textOf(result)).toBeUndefined();
  const withoutEcho = JSON.stringify(result).replaceAll(`called \\"${SECRET}\\"`, '');
  expect(withoutEcho).not.toContain(SECRET);
  const after = await revisions(engine);
  expect([after[1], after[2]]).toEqual([before[1], before[2]]);
  if (name === 'remember') {
    const given = (input as { facts: { value?: string; object?: string }[] }).facts[0]!;
    const texts = await objectsOf(engine);
    if (given.value !== undefined) expect(texts).toContain(String(given.value));
    expect(texts).not.toContain('urn:z');
  } else expect(after).toEqual(before);
});

it('has no tools, resources and prompts by the names of prototypes', async () => {
  const { client } = await aTarget();
  for (const name of [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    'remember ',
    'REMEMBER',
    'x'.repeat(5_000),
  ]) {
    await expect(callTool(client, name), name).rejects.toThrow('There is no tool');
    await expect(client.getPrompt({ name }), name).rejects.toThrow('There is no prompt');
  }
  const uris = [
    'world://default/secret',
    'world://other/secret',
    'world://default/open/%2e%2e%2fsecret',
    'world://default/open/%ZZ',
    'world://default%2Fsecret/open',
    'world:///secret',
    'file:///etc/passwd',
    'http://127.0.0.1:1/',
    `world://default/${'x'.repeat(5_000)}`,
  ];
  for (const uri of uris) {
    const error = await client.readResource({ uri }).then(
      (found) => JSON.stringify(found),
      (refused: Error) => refused.message,
    );
    expect(error, uri).toMatch(/PERMISSION_DENIED|INVALID_ARGUMENT|NOT_FOUND/);
    expect(error).not.toContain(SECRET);
  }
  const ref = { type: 'ref/resource', uri: 'world://{namespace}/{slug}' } as const;
  expect((await client.complete({ ref, argument: { name: 'slug', value: 's' } })).completion.values).toEqual([]);
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['world://default/open']);
});

it('stops a call that is cancelled, before it begins and while it runs', async () => {
  const { client, engine } = await aTarget();
  const before = await revisions(engine);
  const cancelled = AbortSignal.abort();
  await expect(
    client.callTool({ name: 'remember', arguments: { world, facts: [fact] } }, undefined, { signal: cancelled }),
  ).rejects.toThrow();
  expect(await revisions(engine)).toEqual(before);
  const running = new AbortController();
  const call = client.callTool({ name: 'query', arguments: { query: ENDLESS } }, undefined, { signal: running.signal });
  setTimeout(() => running.abort('changed my mind'), 50);
  await expect(call).rejects.toThrow();
  // The server is free for the next call.
  expect(textOf(await callTool(client, 'look', { entity: 'Ada', world }))).toContain('"nothing"');
});

it('is not confused by messages that are no calls', async () => {
  const { client } = await aTarget();
  for (const params of [{}, { name: 5 }, { name: 'look', arguments: 'x' }, { name: 'look', arguments: [1] }]) {
    const request = { method: 'tools/call', params } as never;
    await expect(client.request(request, CallToolResultSchema), JSON.stringify(params)).rejects.toThrow();
  }
  expect((await client.listTools()).tools).toHaveLength(14);
});

async function revisions(engine: WorldsEngine): Promise<number[]> {
  const worlds = await Promise.all(
    ['default/open', 'default/secret', 'other/secret'].map((source) => engine.getWorld({ source })),
  );
  return worlds.map((record) => record!.revision);
}

/** The objects of the default graph of the world that the caller may use. */
async function objectsOf(engine: WorldsEngine): Promise<string[]> {
  const objects: string[] = [];
  for await (const { object, graph } of engine.quads({ source: 'open' })) {
    if (graph.termType === 'DefaultGraph') objects.push(object.value);
  }
  return objects;
}
