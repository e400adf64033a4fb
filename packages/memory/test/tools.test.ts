import { expect, it, vi } from 'vitest';
import { AgentMemory, MEMORY_TOOLS, toolsFor } from '../src/index.ts';
import { aMemory, anEngine, caller } from './a-memory.ts';

it('remembers facts by names, and shows them', async () => {
  const { call } = await aMemory();
  const { text, data } = await call('remember', {
    facts: [
      { subject: 'Ada Lovelace', predicate: 'a', object: 'Person' },
      { subject: 'Ada Lovelace', predicate: 'works at', object: 'Acme', from: '2024-05', confidence: 0.8 },
      { subject: 'Ada Lovelace', predicate: 'born', value: '1815-12-10', datatype: 'xsd:date' },
    ],
    source: 'said in a call',
  });
  expect(data).toMatchObject({
    recordedCount: 3,
    alreadyKnown: 0,
    newEntities: [
      { entity: 'e:Ada_Lovelace', name: 'Ada Lovelace' },
      { entity: 'e:Acme', name: 'Acme' },
    ],
  });
  expect(text).toMatch(
    /^Recorded 3 facts\.\ne:Ada_Lovelace rdf:type v:Person {2}\[fact:\S+; source said in a call; recorded /,
  );
  const looked = await call('look', { entity: 'Ada Lovelace' });
  expect(looked.text).toContain('v:works_at e:Acme (Acme)  [fact:');
  expect(looked.text).toContain('valid 2024-05-01 to now; confidence 0.8; source said in a call');
  expect(looked.data).toMatchObject({ entity: 'e:Ada_Lovelace', label: 'Ada Lovelace', truncated: false });
  expect((await call('look', { entity: 'e:Acme' })).text).toContain('<- v:works_at e:Ada_Lovelace (Ada Lovelace)');
});

it('stores a person once, and says who may be the same', async () => {
  const { call } = await aMemory();
  const hobby = (subject: string, value: string) => ({ facts: [{ subject, predicate: 'hobby', value }] });
  await call('remember', hobby('Robert Smith', 'chess'));
  expect((await call('remember', hobby('Robert Smith', 'go'))).data).toMatchObject({ newEntities: [] });
  const { data, text } = await call('remember', hobby('Robert Smyth', 'shogi'));
  expect(data).toMatchObject({ newEntities: [{ name: 'Robert Smyth', similar: ['e:Robert_Smith "Robert Smith"'] }] });
  expect(text).toContain('similar names: e:Robert_Smith "Robert Smith"');
});

it('shows what else is stored, so that a contradiction is noticed', async () => {
  const { call } = await aMemory();
  const lives = (value: string) => ({ facts: [{ subject: 'Ada', predicate: 'lives in', value }] });
  await call('remember', lives('London'));
  const { data } = await call('remember', lives('Paris'));
  expect(data).toMatchObject({ otherValues: [expect.stringMatching(/^e:Ada v:lives_in "London"/)] });
});

it('remembers a document in Turtle or JSON-LD', async () => {
  const { call } = await aMemory();
  await call('remember', {
    document: 'e:Ada a schema:Person ; schema:name "Ada" ; schema:address [ schema:addressLocality "London" ] .',
    source: 'https://example.org/ada',
  });
  await call('remember', {
    document: '{"@id": "urn:rdf-worlds:entity:Ada", "https://schema.org/email": "ada@example.org"}',
    content_type: 'application/ld+json',
  });
  const { text } = await call('look', { entity: 'Ada' });
  expect(text).toContain('schema:email "ada@example.org"');
  expect(text).toMatch(/schema:address _:\S+ {2}\[fact:\S+; source https:\/\/example\.org\/ada/);
  await expect(call('remember', { document: 'e:Ada schema:name ' })).rejects.toMatchObject({ code: 'INVALID_RDF' });
  await expect(
    call('remember', { document: '<urn:g> { <urn:a> <urn:b> <urn:c> }', content_type: 'application/trig' }),
  ).rejects.toThrow('call import_document');
});

it('corrects and forgets, and keeps the history', async () => {
  const { call, clock } = await aMemory();
  const acme = { subject: 'Ada', predicate: 'employer', object: 'Acme' };
  await call('remember', { facts: [{ ...acme, from: '2020' }] });
  clock.set('2026-02-01T00:00:00Z');
  const { data } = await call('correct', {
    old: acme,
    kind: 'changed',
    object: 'Initech',
    since: '2026-01-15',
    reason: 'new job',
  });
  expect(data).toMatchObject({
    retracted: [{ object: 'e:Acme', status: 'retracted', reason: 'new job' }],
    recorded: [
      { object: 'e:Acme', from: '2020-01-01', until: '2026-01-15', status: 'ended' },
      { object: 'e:Initech', from: '2026-01-15', status: 'current' },
    ],
  });
  expect((await call('state_at', { entity: 'Ada', valid_at: '2025' })).text).toContain('v:employer e:Acme');
  expect((await call('state_at', { entity: 'Ada', valid_at: '2026-01-20' })).text).toContain('v:employer e:Initech');
  const before = await call('state_at', { entity: 'Ada', valid_at: '2026-01-20', recorded_at: '2026-01-25' });
  expect(before.text).toContain('v:employer e:Acme');
  const id = (
    (await call('look', { entity: 'Ada' })) as { data: { facts: { fact?: string; object: string }[] } }
  ).data.facts.find(({ object }) => object === 'e:Initech')!.fact;
  expect((await call('forget', { facts: [{ fact: id }], reason: 'not said' })).data).toMatchObject({
    retractedCount: 1,
  });
  const { text } = await call('history', { entity: 'Ada', predicate: 'employer' });
  expect(text.match(/RETRACTED/g)).toHaveLength(2);
  expect(text).toContain('because not said');
  await call('forget', { entity: 'Ada', erase: true });
  await expect(call('look', { entity: 'e:Ada' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await call('history', { entity: 'e:Ada' })).text).toContain('Nothing is or was known');
});

it('describes a world', async () => {
  const { call, engine } = await aMemory();
  await engine.updateWorld({ source: 'notes', label: 'Notes', description: 'What we know' });
  await call('remember', {
    facts: [
      { subject: 'Ada', predicate: 'a', object: 'Person' },
      { subject: 'Ada', predicate: 'age', value: 36 },
    ],
  });
  const { text, data } = await call('describe_world', {});
  expect(text).toContain('notes — Notes — What we know');
  expect(data).toMatchObject({
    triples: 3,
    facts: 2,
    classes: [{ class: 'v:Person', count: 1, example: 'e:Ada' }],
    predicates: [
      { predicate: 'rdf:type', count: 1 },
      { predicate: 'rdfs:label', count: 1 },
      { predicate: 'v:age', count: 1, example: '36' },
    ],
    truncated: false,
  });
});

it('queries, says when rows are missing, and never updates', async () => {
  const { call, engine } = await aMemory();
  const lines = Array.from({ length: 150 }, (_, i) => `<urn:s${i}> <urn:n> ${i} .`).join('\n');
  expect((await call('import_document', { document: lines })).data).toMatchObject({ inserted: 150 });
  const all = await call('query', { query: 'SELECT ?s ?n { ?s <urn:n> ?n } ORDER BY ?n' });
  expect(all.data).toMatchObject({ truncated: true });
  expect(all.text).toContain('truncated after 100 rows');
  const one = await call('query', { query: 'SELECT (COUNT(*) AS ?n) { ?s <urn:n> ?o }' });
  expect(one.text).toBe('?n\n150\n(1 row)');
  expect((await call('query', { query: 'ASK { <urn:s1> <urn:n> 1 }' })).data).toMatchObject({ answer: true });
  expect((await call('query', { query: 'CONSTRUCT WHERE { <urn:s1> <urn:n> ?n }' })).data).toMatchObject({
    triples: ['<urn:s1> <urn:n> 1 .'],
  });
  expect((await call('query', { query: 'SELECT ?s { ?s v:missing ?o }' })).text).toContain('No rows.');
  const before = await engine.getWorld({ source: 'notes' });
  for (const query of ['DELETE WHERE { ?s ?p ?o }', 'INSERT DATA { <urn:a> <urn:b> 1 }', 'CLEAR ALL', 'DROP DEFAULT']) {
    await expect(call('query', { query })).rejects.toThrow('this tool only reads');
  }
  expect(await engine.getWorld({ source: 'notes' })).toEqual(before);
});

it('searches texts, without those of provenance', async () => {
  const { call } = await aMemory();
  await call('remember', {
    facts: [
      { subject: 'Ada', predicate: 'note', value: 'Prefers morning meetings', source: 'a meeting in the morning' },
    ],
  });
  expect((await call('search', { query: 'morning meeting' })).data).toEqual({
    hits: [{ subject: 'e:Ada', label: 'Ada', predicate: 'v:note', text: '"Prefers morning meetings"', world: 'notes' }],
    truncated: false,
  });
  await call('remember', {
    document: 'e:Ada schema:address [ rdfs:label "Harbour" ; schema:addressLocality "London" ] .',
  });
  expect((await call('search', { query: 'london' })).text).toMatch(
    /^_:\S+ \(Harbour\) schema:addressLocality "London"/,
  );
  expect((await call('find_entity', { name: 'harbor' })).text).toMatch(/^_:\S+ "Harbour" \(similar name/);
  expect((await call('search', { query: 'xylophone' })).text).toContain('Nothing found');
});

it.each([
  ['Ada Lovelace', 'exact', 1],
  ['ada  lovelace', 'same letters', 0.98],
  ['Ada Lovelcae', 'similar name', expect.any(Number)],
  ['Lovelace', 'similar name', expect.any(Number)],
  ['Zoe', 'exact', 1],
])('finds by the name %s: %s', async (name, reason, score) => {
  const { call } = await aMemory();
  await call('import_document', {
    document:
      `<urn:ada> rdfs:label "Ada Lovelace" . <urn:bob> <http://xmlns.com/foaf/0.1/name> "Bob" . <urn:rdf-worlds:entity:Zoe> <urn:p> 1 .`.replace(
        'rdfs:label',
        '<http://www.w3.org/2000/01/rdf-schema#label>',
      ),
  });
  const { data } = await call('find_entity', { name });
  const entity = name === 'Zoe' ? 'e:Zoe' : '<urn:ada>';
  expect((data as { candidates: unknown[] }).candidates[0]).toMatchObject({ entity, reason, score });
});

it('finds nobody by a name that nobody has, and says what to do', async () => {
  const { call } = await aMemory();
  await call('remember', { facts: [{ subject: 'Ada', predicate: 'age', value: 36 }] });
  expect((await call('find_entity', { name: 'Wolfgang' })).data).toEqual({ candidates: [], partial: false });
  await expect(call('look', { entity: 'Adda' })).rejects.toThrow(
    'similar names: e:Ada ("Ada"); pass one of these IRIs',
  );
  await expect(call('look', { entity: 'Wolfgang' })).rejects.toThrow('call search');
});

it('lists the worlds that may be read, and creates others', async () => {
  const engine = await anEngine('a', 'b', 'secret');
  const memory = new AgentMemory(engine, {
    namespace: 'default',
    permits: (permission, { namespace, slug }) =>
      namespace === 'default' && slug !== undefined && slug !== 'secret' && (permission === 'read' || slug === 'new'),
  });
  const call = caller(memory);
  expect((await call('list_worlds', {})).data).toEqual({ worlds: [{ world: 'a' }, { world: 'b' }], more: false });
  expect((await call('list_worlds', { after: 'a' })).data).toMatchObject({ worlds: [{ world: 'b' }] });
  expect((await call('create_world', { world: 'new', label: 'New' })).data).toEqual({ world: 'new', created: true });
  expect((await call('create_world', { world: 'new' })).data).toEqual({ world: 'new', created: false });
  await expect(call('create_world', { world: 'other' })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  await expect(call('describe_world', { world: 'secret' })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  await expect(call('describe_world', {})).rejects.toThrow('call list_worlds');
});

it('offers no tool that writes to a read-only memory', async () => {
  const { call, memory } = await aMemory({ readOnly: true });
  expect(toolsFor(memory).map(({ name }) => name)).toEqual([
    'list_worlds',
    'describe_world',
    'search',
    'find_entity',
    'look',
    'query',
    'history',
    'state_at',
  ]);
  for (const { name, annotations } of MEMORY_TOOLS) {
    if (!annotations.readOnlyHint) await expect(call(name, {})).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  }
});

it('finds texts behind any number of sources with the same words', async () => {
  const { call } = await aMemory();
  const facts = Array.from({ length: 200 }, (_, i) => ({
    subject: 'Ada',
    predicate: `p${i}`,
    value: i,
    source: `minutes of meeting ${i}`,
  }));
  await call('remember', { facts });
  await call('remember', {
    facts: [
      { subject: 'Bob', predicate: 'note', value: 'Writes the minutes of every meeting there is in the whole company' },
    ],
  });
  const { data } = await call('search', { query: 'minutes meeting', limit: 1 });
  expect(data).toMatchObject({ hits: [{ subject: 'e:Bob' }] });
});

it('says that there is too much about an entity to show, and what to do', async () => {
  const { call, engine } = await aMemory();
  const lines = Array.from({ length: 10_001 }, (_, i) => `<urn:hub> <urn:to> ${i} .`).join('\n');
  await engine.import({ source: 'notes', data: lines, contentType: 'text/turtle' });
  await expect(call('look', { entity: '<urn:hub>' })).rejects.toThrow(
    'More than 10000 facts are about this entity; query',
  );
  await expect(call('forget', { entity: '<urn:hub>' })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
});

it('shows a part of the first hit if the whole is too long, and never says that there is none', async () => {
  const long = 'A crane lifts the engine. '.repeat(200);
  const limits = { maxResultTokens: 120, maxTextLength: 10_000 };
  const { call } = await aMemory({ limits });
  await call('remember', { facts: [{ subject: 'Crane', predicate: 'about', value: long }] });
  const found = await call('search', { query: 'crane engine' });
  expect(found.text).toContain('A crane lifts the engine.');
  expect(found.data).toMatchObject({
    hits: [{ text: expect.stringContaining('A crane lifts') }],
    truncated: expect.anything(),
  });
  for (const [name, input] of [
    ['history', { entity: 'Crane' }],
    ['state_at', { entity: 'Crane', recorded_at: '2030' }],
  ] as const) {
    const { text } = await call(name, input);
    expect(text).not.toMatch(/Nothing (is|was) (or was )?known/);
  }
  expect((await call('search', { query: 'xylophone' })).text).toContain('Nothing found');
});

it('shows the history as it was known at a time', async () => {
  const { call, clock, engine } = await aMemory();
  const at = (day: number) => `2026-01-0${day}T00:00:00Z`;
  const city = (value: string) => ({ subject: 'Ada', predicate: 'lives in', value });
  clock.set(at(1));
  await call('remember', { facts: [city('London')] });
  clock.set(at(3));
  await call('forget', { facts: [city('London')], reason: 'moved' });
  await call('remember', { facts: [city('Paris')] });
  const now = await call('history', { entity: 'Ada' });
  expect(now.text).toMatch(/London.*RETRACTED[\s\S]*Paris/);
  const then = await call('history', { entity: 'Ada', recorded_at: at(2) });
  expect(then.text).toContain('London');
  expect(then.text).not.toMatch(/RETRACTED|moved|Paris/);
  // The engine keeps no history, so triples without provenance are as of now, which is said.
  expect(then.data).toMatchObject({ plainAsOfNow: true });
  expect((await engine.stats()).history).toBeUndefined();
  await expect(call('history', { entity: 'Ada', recorded_at: 'soon' })).rejects.toThrow('recorded_at');
});

it('advises the type of a document that begins as JSON-LD, and parses no long one to find out', async () => {
  const { call } = await aMemory();
  const advice = 'for JSON-LD, pass content_type application/ld+json';
  const parse = vi.spyOn(JSON, 'parse');
  try {
    for (const start of ['{ "@id": "', '[ { "@id": "']) {
      await expect(call('import_document', { document: `${start}urn:a"${']'.repeat(100_000)}` })).rejects.toThrow(
        advice,
      );
    }
    await expect(call('import_document', { document: '['.repeat(100_000) })).rejects.not.toThrow(advice);
    expect(parse.mock.calls.filter(([text]) => text.length >= 100_000)).toEqual([]);
  } finally {
    parse.mockRestore();
  }
  await expect(call('import_document', { document: '[{"@id":"urn:a"}]' })).rejects.toThrow(advice);
  await expect(call('import_document', { document: '{"@id":"urn:a"' })).rejects.not.toThrow(advice);
});

it('a search that is too early says how far the index is; a later one is answered', async () => {
  const { engine, memory } = await aMemory({ limits: { timeoutMs: 1 } });
  const data = Array.from({ length: 30_000 }, (_, at) => `<urn:s${at}> <urn:p> "crane inspection ${at}" .`);
  await engine.import({ source: 'notes', data: data.join('\n') });
  const input = { query: 'crane 29999', limit: 1 };
  await expect(caller(memory)('search', input)).rejects.toThrow(/\d+% are indexed\. Search again soon/);
  const patient = new AgentMemory(engine, { namespace: 'default', worlds: ['notes'] });
  expect((await caller(patient)('search', input)).text).toContain('urn:s29999');
});
