import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFactory, type SelectResult, WorldsEngine, type WorldsErrorCode } from '../../src/index.ts';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open();
  await engine.createWorld({ slug: 'w' });
  await engine.import({
    source: 'w',
    contentType: 'text/turtle',
    data: `
      PREFIX : <https://example.org/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
      :ada :name "Ada"@en ; :born 1815 ; :knows :mary .
      :mary :name "Mary" ; :knows [ :name "nobody" ] .`,
  });
});
afterEach(() => engine.close());

const select = (query: string): Promise<SelectResult> => engine.select({ sources: ['w'], query });
const PEOPLE = `PREFIX : <https://example.org/> SELECT ?who ?name ?born { ?who :knows ?x ; :name ?name OPTIONAL { ?who :born ?born } } ORDER BY ?who`;
const refusal = (code: WorldsErrorCode, text: string) => ({ code, message: expect.stringContaining(text) });

describe('a result', () => {
  it('that is read twice is refused, whatever way', async () => {
    const readings: ((result: SelectResult) => Promise<unknown>)[] = [
      (result) => result.array(),
      (result) => result.objects(),
      async (result) => {
        for await (const _ of result) break;
      },
      async (result) => {
        for await (const _ of result.batches);
      },
    ];
    for (const first of readings) {
      for (const second of readings) {
        const result = await select(PEOPLE);
        await first(result);
        await expect(second(result)).rejects.toMatchObject(refusal('INVALID_ARGUMENT', 'await result.array()'));
      }
    }
  });

  it('of query and construct is read once too', async () => {
    const query = 'CONSTRUCT WHERE { ?s ?p ?o }';
    const quads = await engine.construct({ sources: ['w'], query });
    expect(await quads.array()).toHaveLength(6);
    await expect(quads.array()).rejects.toMatchObject(refusal('INVALID_ARGUMENT', 'has already been read'));
    for (const text of [query, PEOPLE]) {
      const result = await engine.query({ sources: ['w'], query: text });
      if (result.type !== 'quads' && result.type !== 'bindings') throw new TypeError(result.type);
      const read = async () => {
        for await (const _ of result.batches);
      };
      await read();
      await expect(read()).rejects.toMatchObject(refusal('INVALID_ARGUMENT', 'has already been read'));
    }
  });

  it('returns its rows as objects of plain values, without unbound variables', async () => {
    expect(await (await select(PEOPLE)).objects()).toEqual([
      { who: 'https://example.org/ada', name: 'Ada', born: 1815 },
      { who: 'https://example.org/mary', name: 'Mary' },
    ]);
  });
});

describe('a row', () => {
  it('has get, has, entries, an iterator and toObject, in results and in batches', async () => {
    const [ada, mary] = await (await select(PEOPLE)).array();
    expect(ada.get('name')).toMatchObject({ value: 'Ada', language: 'en' });
    expect([ada.has('born'), mary.has('born'), mary.has('nothing')]).toEqual([true, false, false]);
    expect([...mary.entries()].map(([name, { value }]) => [name, value])).toEqual([
      ['who', 'https://example.org/mary'],
      ['name', 'Mary'],
    ]);
    expect(new Map(ada).get('born')?.equals(ada.get('born'))).toBe(true);
    const result = await engine.query({ sources: ['w'], query: PEOPLE });
    if (result.type !== 'bindings') throw new TypeError(result.type);
    for await (const batch of result.batches) {
      expect(Array.from(batch, (row) => (row as typeof ada).toObject().name)).toEqual(['Ada', 'Mary']);
    }
  });

  it('prints its terms in the console', async () => {
    const [ada] = await (await select(PEOPLE)).array();
    expect(inspect(ada)).toBe(`ResultRow { who: <https://example.org/ada>, name: "Ada"@en, born: 1815 }`);
    const result = await select(PEOPLE);
    expect(inspect(result, { depth: 9, breakLength: 200 })).toBe(
      "SelectResult { variables: [ 'who', 'name', 'born' ], batches: ReadOnce {} }",
    );
  });

  it('is JSON, with big integers as texts', async () => {
    const [row] = await (
      await select('SELECT (123456789012345678901 AS ?big) (1 AS ?small) (<urn:x> AS ?iri) {}')
    ).array();
    expect(JSON.stringify(row)).toBe('{"big":"123456789012345678901","small":1,"iri":"urn:x"}');
  });

  it('may have a variable of any name', async () => {
    const [row] = await (await select('SELECT (1 AS ?__proto__) {}')).array();
    expect(Object.entries(row.toObject())).toEqual([['__proto__', 1]]);
    expect(JSON.stringify(row)).toBe('{"__proto__":1}');
  });

  it('keeps nothing but its batch, its number and the names, which all rows share', async () => {
    const [a, b] = (await (await select(PEOPLE)).array()) as unknown as Record<string, unknown>[];
    expect(Object.keys(a)).toEqual(['batch', 'row', 'variables']);
    expect([a.batch === b.batch, a.variables === b.variables]).toEqual([true, true]);
  });
});

it('terms are the JavaScript values that toTerm would take back, where there is one', async () => {
  const table: [term: string, value: unknown][] = [
    ['<https://example.org/x>', 'https://example.org/x'],
    ['"text"', 'text'],
    ['"texte"@fr', 'texte'],
    ['7', 7],
    ['"+007"^^xsd:int', 7],
    ['"-0"^^xsd:integer', 0],
    ['9007199254740993', 9007199254740993n],
    ['"+9007199254740993"^^xsd:integer', 9007199254740993n],
    ['0.10', 0.1],
    ['1.5e3', 1500],
    ['"INF"^^xsd:double', Number.POSITIVE_INFINITY],
    ['"-INF"^^xsd:float', Number.NEGATIVE_INFINITY],
    ['"NaN"^^xsd:double', Number.NaN],
    ['true', true],
    ['"0"^^xsd:boolean', false],
    ['"2020-02-03T04:05:06.789+01:00"^^xsd:dateTime', new Date(Date.UTC(2020, 1, 3, 3, 5, 6, 789))],
    ['"-0044-03-15T12:00:00Z"^^xsd:dateTime', new Date(Date.UTC(-44, 2, 15, 12))],
    ['"12020-01-01T00:00:00Z"^^xsd:dateTimeStamp', new Date(Date.UTC(12020, 0))],
    ['"2020-02-03T04:05:06"^^xsd:dateTime', '2020-02-03T04:05:06'],
    ['"2020-02-03"^^xsd:date', '2020-02-03'],
    ['"many"^^xsd:integer', 'many'],
    ['"0x10"^^xsd:integer', '0x10'],
    ['""^^xsd:double', ''],
    ['"yes"^^xsd:boolean', 'yes'],
    ['"x"^^<urn:own>', 'x'],
    ['<<( <urn:s> <urn:p> 3 )>>', { subject: 'urn:s', predicate: 'urn:p', object: 3 }],
  ];
  for (const [term, value] of table) {
    const query = `PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> SELECT * { VALUES ?x { ${term} } }`;
    const [object] = await (await select(query)).objects();
    expect(object, term).toEqual({ x: value });
  }
  const [{ x }] = await (await select('SELECT (BNODE() AS ?x) {}')).objects();
  expect(x).toMatch(/^_:/);
});

describe('an entity', () => {
  const world = () => engine.world('w');
  const ADA = 'https://example.org/ada';

  it('is its properties, each with all its values', async () => {
    expect(await world().get(ADA)).toEqual({
      'https://example.org/name': ['Ada'],
      'https://example.org/born': [1815],
      'https://example.org/knows': ['https://example.org/mary'],
    });
    expect(await world().get('https://example.org/nobody')).toBeUndefined();
    expect(await engine.getEntity({ source: 'w', entity: dataFactory.namedNode(ADA) })).toEqual(await world().get(ADA));
  });

  it('has the short names that the caller gives', async () => {
    const prefixes = { ex: 'https://example.org/' };
    expect(await world().get(ADA, { prefixes })).toEqual({
      'ex:name': ['Ada'],
      'ex:born': [1815],
      'ex:knows': ['https://example.org/mary'],
    });
    const context = { ex: 'https://example.org/', fullName: 'ex:name', friend: 'https://example.org/knows' };
    const named = await world().get(ADA, { context });
    expect(Object.keys(named!).sort()).toEqual(['ex:born', 'friend', 'fullName']);
    const byVocab = await world().get(ADA, { context: { '@vocab': 'https://example.org/', name: 'urn:other' } });
    // `name` is taken by something else, so the IRI stays.
    expect(Object.keys(byVocab!).sort()).toEqual(['born', 'https://example.org/name', 'knows']);
  });

  it('is found by the label of a blank node', async () => {
    const [someone] = (await world().get('https://example.org/mary'))!['https://example.org/knows'];
    expect(await world().get(String(someone))).toEqual({ 'https://example.org/name': ['nobody'] });
  });

  it('returns a triple of several graphs once, or only those of one graph', async () => {
    await engine.import({
      source: 'w',
      graph: 'urn:g',
      data: `<${ADA}> <https://example.org/born> 1815, 1816 .`,
      contentType: 'text/turtle',
    });
    expect((await world().get(ADA))!['https://example.org/born']).toEqual([1815, 1816]);
    expect(await world().get(ADA, { graph: 'urn:g' })).toEqual({ 'https://example.org/born': [1815, 1816] });
  });

  it('rejects a name that is not an IRI and an invalid context', async () => {
    const wrong: [unknown, object | undefined, string][] = [
      [undefined, undefined, 'getEntity: entity: expected the absolute IRI'],
      ['ada', undefined, 'getEntity: entity: expected the absolute IRI'],
      [dataFactory.literal('x'), undefined, 'getEntity: entity'],
      [ADA, { context: { name: 'name' } }, 'context: "name": expected an absolute IRI'],
      [ADA, { context: { a: 'b:x', b: 'a:y' } }, 'is defined in terms of itself'],
      [ADA, { context: { '@base': 'urn:x' } }, 'the only JSON-LD keyword allowed here is @vocab'],
      [ADA, { prefixes: { ex: 'example' } }, 'prefixes: "ex"'],
      [ADA, { prefix: {} }, 'did you mean prefixes'],
    ];
    for (const [iri, options, text] of wrong) {
      const result = (world().get as (...request: unknown[]) => Promise<unknown>).call(world(), iri, options);
      await expect(result, text).rejects.toMatchObject(refusal('INVALID_ARGUMENT', text));
    }
    await expect(engine.world('none').get(ADA)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
