import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { comunicaEngine } from '../../../comunica/src/index.ts';
import { nativeEngine, WorldsEngine } from '../../src/index.ts';
import type { SparqlEngine } from '../../src/plugin.ts';

const PREFIXES = 'PREFIX ws: <urn:rdf-worlds:search#> PREFIX : <https://example.org/>';
const SHOP = `
@prefix : <https://example.org/> .
:lamp a :Product ; :price 15 ; :text "a desk lamp with a lamp shade" .
:torch a :Product ; :price 30 ; :text "a torch, or pocket lamp" .
:bulb a :Product ; :price 5 ; :text "a bulb for a lamp of any size" .
:essay a :Post ; :price 1 ; :text "the lamp: lamp, lamp and lamp" ; :note "an essay" .
:ada :name "Ada Lovelace" ; :likes "lamp" .
:secrets { :vault :text "a lamp in the vault" . :lamp :note "hidden lamp" . }
:others { :vault :text "a lamp in the vault" . }
`;

const engines: [string, () => SparqlEngine][] = [
  ['native', () => nativeEngine()],
  ['native, one row at a time, as it is written', () => nativeEngine({ batchRows: 1, optimize: false })],
  ['comunica', () => comunicaEngine()],
];

describe.each(engines)('SERVICE <urn:rdf-worlds:search> in the engine: %s', (name, make) => {
  let engine: WorldsEngine;
  beforeEach(async () => {
    engine = await WorldsEngine.open({ sparql: make() });
    await engine.createWorld({ slug: 'shop' });
    await engine.import({ source: 'shop', data: SHOP, contentType: 'application/trig' });
  });
  afterEach(() => engine.close());

  const short = (value: string | undefined) => value?.replace('https://example.org/', ':');
  const rows = async (body: string, { select = '*', ...request }: { select?: string; sources?: string[] } = {}) => {
    const result = await engine.select({ query: `${PREFIXES} SELECT ${select} ${body}`, ...request });
    const found: string[] = [];
    for await (const row of result) {
      found.push(result.variables.map((variable) => short(row.get(variable)?.value) ?? '-').join(' '));
    }
    return found;
  };
  const search = (inside: string) => `SERVICE <urn:rdf-worlds:search> { ${inside} }`;

  it('gives the hits of the search, best first in rank', async () => {
    const found = await rows(
      `{ ${search('[] ws:query "lamp" ; ws:subject ?s ; ws:predicate ?p ; ws:object ?o ; ws:score ?x ; ws:rank ?r')} } ORDER BY ?r`,
      { select: '?r ?s ?p ?o' },
    );
    const hits = await engine.search({ query: 'lamp', sources: ['shop'] });
    const expected = hits
      .filter(({ subject, object }) => !/vault/.test(subject) && !/hidden/.test(object))
      .map(({ subject, predicate, object }, at) => `${at + 1} ${short(subject)} ${short(predicate)} ${object}`);
    expect(found).toEqual(expected);
    expect(found).toHaveLength(5);
  });

  it('gives scores that descend with the rank, as doubles', async () => {
    const found = await rows(`{ ${search('[] ws:query "lamp" ; ws:score ?x ; ws:rank ?r')} } ORDER BY ?r`, {
      select: '?x (DATATYPE(?x) AS ?d)',
    });
    const scores = found.map((row) => Number(row.split(' ')[0]));
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.every((score) => score > 0)).toBe(true);
    expect(found[0]).toMatch(/XMLSchema#double$/);
  });

  it('joins with the rest of the query', async () => {
    expect(
      await rows(
        `{ ?s a :Product ; :price ?price . ${search('[] ws:query "lamp" ; ws:subject ?s ; ws:rank ?r')} } ORDER BY ?price`,
        {
          select: '?s ?price',
        },
      ),
    ).toEqual([':bulb 5', ':lamp 15', ':torch 30']);
  });

  it('ranks only triples that satisfy its other patterns, before the limit', async () => {
    const among = (limit: number) =>
      rows(
        `{ ${search(`[] ws:query "lamp" ; ws:subject ?s ; ws:limit ${limit} ; ws:rank ?r . ?s a :Product ; :price ?price . FILTER(?price < 20)`)} } ORDER BY ?r`,
        { select: '?r ?s ?price' },
      );
    expect(await among(10)).toEqual(['1 :lamp 15', '2 :bulb 5']);
    expect(await among(1)).toEqual(['1 :lamp 15']);
    // The essay is better, but is no product.
    expect(
      (await rows(`{ ${search('[] ws:query "lamp" ; ws:subject ?s ; ws:limit 1')} }`, { select: '?s' }))[0],
    ).not.toBe(':lamp');
  });

  it('filters its hits by values that only the search provides', async () => {
    const body = `{ ${search('[] ws:query "lamp" ; ws:subject ?s ; ws:object ?o ; ws:rank ?r . FILTER(?r = 2 || STRSTARTS(?o, "a torch"))')} }`;
    expect((await rows(body, { select: '?s' })).sort()).toContain(':torch');
  });

  it('has filters that see only its own patterns, not the surrounding group', async () => {
    const body = (condition: string) =>
      `{ VALUES (?x ?q) { (:ada "torch") } ${search(`[] ws:query ?q ; ws:subject ?s FILTER(${condition})`)} }`;
    const options = { select: '?s' };
    expect(await rows(body('?s != :ada && STRLEN(?q) = 5'), options)).toEqual([':torch']);
    expect(await rows(body('?s != ?x'), options)).toEqual([]);
    expect(await rows(body('!BOUND(?x)'), options)).toEqual([':torch']);
    expect(await rows(`${body('?s != :ada')} ORDER BY ?x`, options)).toEqual([':torch']);
  });

  it('takes its text from a variable, once for each text', async () => {
    const body = (bind: string) => `{ ${bind} ${search('[] ws:query ?q ; ws:subject ?s ; ws:limit 2')} }`;
    const options = { select: '?q ?s' };
    expect((await rows(body('VALUES ?q { "torch" "bulb" "nothing" }'), options)).sort()).toEqual([
      'bulb :bulb',
      'torch :torch',
    ]);
    expect(await rows(body('BIND("essay" AS ?q)'), options)).toEqual(['essay :essay']);
    expect((await rows(body(':ada :likes ?q'), options)).every((row) => row.startsWith('lamp'))).toBe(true);
    expect(await rows(body(':ada :likes ?q'), options)).toHaveLength(2);
  });

  it('takes its text from the bindings of the request', async () => {
    const query = `${PREFIXES} SELECT ?s { ${search('[] ws:query ?q ; ws:subject ?s')} }`;
    const result = await engine.select({ query, bindings: { q: 'torch' } });
    expect((await result.array()).map((row) => short(row.get('s')?.value))).toEqual([':torch']);
  });

  it('finds triples of blank nodes, which join', async () => {
    await engine.createWorld({ slug: 'blanks' });
    const data = '_:a <urn:text> "quadrant" . _:a <urn:age> "7" . _:b <urn:text> "other" . _:b <urn:age> "8" .';
    await engine.import({ source: 'blanks', data, contentType: 'text/turtle' });
    const body = `{ ?s <urn:age> ?age . ${search('[] ws:query "quadrant" ; ws:subject ?s')} }`;
    expect(await rows(body, { select: '?age', sources: ['blanks'] })).toEqual(['7']);
    const inside = search('[] ws:query "quadrant" ; ws:subject ?s . ?s <urn:age> ?age');
    expect(await rows(`{ ${inside} }`, { select: '?age', sources: ['blanks'] })).toEqual(['7']);
  });

  it('stands in OPTIONAL, UNION, MINUS, EXISTS and subqueries', async () => {
    const lamps = search('[] ws:query "torch" ; ws:subject ?s');
    const products = '?s a :Product .';
    const select = { select: '?s' };
    expect((await rows(`{ ${products} MINUS { ${lamps} } }`, select)).sort()).toEqual([':bulb', ':lamp']);
    expect(await rows(`{ ${products} FILTER EXISTS { ${lamps} } }`, select)).toEqual([':torch']);
    expect(await rows(`{ ${products} { SELECT ?s { ${lamps} } } }`, select)).toEqual([':torch']);
    expect((await rows(`{ { ${lamps} } UNION { ?s a :Post } }`, select)).sort()).toEqual([':essay', ':torch']);
    const optional = search('[] ws:query "torch" ; ws:subject ?s ; ws:object ?o');
    expect((await rows(`{ ${products} OPTIONAL { ${optional} } }`, { select: '?s ?o' })).sort()).toEqual([
      ':bulb -',
      ':lamp -',
      ':torch a torch, or pocket lamp',
    ]);
  });

  it('confines the hits to terms that are given', async () => {
    expect(await rows(`{ ${search('[] ws:query "lamp" ; ws:subject ?s ; ws:predicate :likes')} }`)).toEqual([':ada']);
    expect(await rows(`{ ${search('[] ws:query "lamp" ; ws:subject :bulb ; ws:predicate ?p')} }`)).toEqual([':text']);
    expect(await rows(`{ ${search('[] ws:query "lamp" ; ws:subject :nobody ; ws:predicate ?p')} }`)).toEqual([]);
  });

  it('looks in the graph around it', async () => {
    const inside = search('[] ws:query "lamp" ; ws:subject ?s ; ws:object ?o');
    expect((await rows(`{ GRAPH :secrets { ${inside} } }`, { select: '?s ?o' })).sort()).toEqual([
      ':lamp hidden lamp',
      ':vault a lamp in the vault',
    ]);
    expect(await rows(`{ GRAPH :nowhere { ${inside} } }`)).toEqual([]);
    expect((await rows(`{ GRAPH ?g { ${inside} } }`, { select: '?g ?s' })).sort()).toEqual([
      ':others :vault',
      ':secrets :lamp',
      ':secrets :vault',
    ]);
    const named = search('[] ws:query "lamp" ; ws:subject ?s ; ws:graph ?g');
    expect((await rows(`{ ${named} }`, { select: '?g ?s' })).sort()).toEqual([
      ':others :vault',
      ':secrets :lamp',
      ':secrets :vault',
    ]);
    expect(await rows(`{ ${search('[] ws:query "lamp" ; ws:subject ?s ; ws:graph :others')} }`)).toEqual([':vault']);
  });

  it('sees the dataset of FROM', async () => {
    const inside = search('[] ws:query "lamp" ; ws:subject ?s ; ws:limit 1');
    expect(await rows(`FROM :others { ${inside} }`)).toEqual([':vault']);
    expect(await rows(`FROM :nowhere { ${inside} }`)).toEqual([]);
  });

  it('sees the worlds of the query and no others', async () => {
    await engine.createWorld({ slug: 'attic' });
    await engine.import({ source: 'attic', data: '<urn:a> <urn:p> "lamp lamp lamp" .' });
    const inside = `{ ${search('[] ws:query "lamp" ; ws:subject ?s ; ws:limit 1')} }`;
    expect(await rows(inside, { sources: ['attic'] })).toEqual(['urn:a']);
    expect(await rows(inside, { sources: ['shop'] })).not.toEqual(['urn:a']);
    await engine.createWorld({ slug: 'far', namespace: 'other' });
    await engine.import({ source: { slug: 'far', namespace: 'other' }, data: '<urn:far> <urn:p> "lamp of afar" .' });
    const result = await engine.select({
      query: `${PREFIXES} SELECT ?s { ${search('[] ws:query "afar" ; ws:subject ?s')} }`,
      sources: ['shop', { slug: 'far', namespace: 'other' }],
    });
    expect((await result.array()).map((row) => row.get('s')?.value)).toEqual(['urn:far']);
  });

  it('gives a triple of several worlds once', async () => {
    for (const slug of ['one', 'two', 'three']) {
      await engine.createWorld({ slug });
      await engine.import({
        source: slug,
        data: `<urn:same> <urn:p> "sextant" .\n<urn:${slug}> <urn:p> "a sextant of ${slug}" .`,
      });
    }
    const found = await rows(`{ ${search('[] ws:query "sextant" ; ws:subject ?s ; ws:limit 3')} }`);
    expect(found).toHaveLength(3);
    expect(found.filter((row) => row === 'urn:same')).toHaveLength(1);
  });

  it('selects the triples that an update changes', async () => {
    await engine.update({
      query: `${PREFIXES} INSERT { ?s :found true } WHERE { ${search('[] ws:query "torch" ; ws:subject ?s')} }`,
      sources: ['shop'],
    });
    expect(await rows('{ ?s :found true }')).toEqual([':torch']);
  });

  it.each([
    ['?s ?p ?o', 'has no text to search for'],
    ['[] ws:subject ?s', 'has no text to search for'],
    ['[] ws:query "a" ; ws:what ?s', 'there is no ws:what; the properties are ws:query'],
    ['[] ws:query "a" ; ws:query "b"', 'ws:query occurs twice'],
    ['[] ws:query <urn:x>', 'the object of ws:query must be a plain string'],
    ['[] ws:query "a" ; ws:limit 0', 'the object of ws:limit must be an integer from 1 to 10000'],
    ['[] ws:query "a" ; ws:limit ?n', 'the object of ws:limit must be an integer'],
    ['[] ws:query "a" . [] ws:subject ?s', 'it describes two searches'],
    ['<urn:x> ws:query "a"', 'the subject of ws:query identifies the search'],
    ['[] ws:query "a" ; ws:score <urn:x>', 'the object of ws:score must be a variable'],
    ['[] ws:query ?q ; ws:subject ?s', 'has no value at this point'],
  ])('says what to do about { %s }', async (inside, message) => {
    await expect(rows(`{ ${search(inside)} }`)).rejects.toMatchObject({
      code: 'INVALID_SPARQL',
      message: expect.stringContaining(message),
    });
    // SPARQL 1.1 Federated Query section 2.4: a silent service that fails is one empty solution.
    const silent = search(inside).replace('SERVICE', 'SERVICE SILENT');
    expect(await rows(`{ :ada :name ?n ${silent} }`, { select: '?n' })).toEqual(['Ada Lovelace']);
  });

  it('with SILENT returns its hits as usual', async () => {
    const inside = '[] ws:query "lamp" ; ws:subject ?s ; ws:rank ?r . ?s a :Product . FILTER(?r > 1)';
    const found = await rows(`{ SERVICE SILENT <urn:rdf-worlds:search> { ${inside} } }`, { select: '?s ?r' });
    expect(found.sort()).toEqual(await rows(`{ ${search(inside)} } ORDER BY ?s`, { select: '?s ?r' }));
    expect(found).toHaveLength(2);
  });

  it('gives nothing for a text without words', async () => {
    expect(await rows(`{ ${search('[] ws:query "..." ; ws:subject ?s')} }`)).toEqual([]);
  });

  it('fails without a search engine, unless it is SILENT', async () => {
    const mute = await WorldsEngine.open({ sparql: make(), textIndex: null });
    await mute.createWorld({ slug: 'shop' });
    await mute.import({ source: 'shop', data: '<urn:s> <urn:p> "x" .' });
    const query = (silent: string) =>
      `${PREFIXES} SELECT * { ?s ?p ?o SERVICE ${silent} <urn:rdf-worlds:search> { [] ws:query "x" ; ws:subject ?s } }`;
    await expect(mute.select({ query: query('') }).then((result) => result.array())).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    });
    expect(await (await mute.select({ query: query('SILENT') })).array()).toHaveLength(1);
    // One empty solution, though its other patterns and filters would have none or many.
    for (const rest of ['?s ?p ?o . ?a ?b ?c', '?s <urn:none> ?n', 'FILTER(?r < 0)']) {
      const inside = `[] ws:query "x" ; ws:subject ?s ; ws:rank ?r . ${rest}`;
      const silent = `${PREFIXES} SELECT * { SERVICE SILENT <urn:rdf-worlds:search> { ${inside} } }`;
      const [row, ...more] = await (await mute.select({ query: silent })).array();
      expect([more, row?.get('s'), row?.get('n'), row?.get('a')]).toEqual([[], undefined, undefined, undefined]);
    }
    await mute.close();
  });

  it('stops at many different texts', async () => {
    const values = Array.from({ length: 1001 }, (_, i) => `"t${i}"`).join(' ');
    await expect(rows(`{ VALUES ?q { ${values} } ${search('[] ws:query ?q ; ws:subject ?s')} }`)).rejects.toMatchObject(
      {
        code: 'LIMIT_EXCEEDED',
      },
    );
  });

  it('has no hits in schema sources', async () => {
    await engine.createWorld({ slug: 'schema' });
    await engine.import({ source: 'schema', data: '<urn:schema> <urn:p> "sextant" .' });
    const query = `${PREFIXES} SELECT ?s { ${search('[] ws:query "sextant" ; ws:subject ?s')} }`;
    const found = async (schema: boolean) =>
      (await engine.select({ query, sources: ['shop', { slug: 'schema', schema }] })).array();
    expect(await found(false)).toHaveLength(1);
    expect(await found(true)).toEqual([]);
  });

  it('leaves other services refused', async () => {
    await expect(rows('{ SERVICE <urn:rdf-worlds:other> { ?s ?p ?o } }')).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    });
  });

  it('honours the signal', async () => {
    const stop = AbortSignal.abort();
    await expect(
      engine.select({
        query: `${PREFIXES} SELECT * { ${search('[] ws:query "lamp" ; ws:subject ?s')} }`,
        signal: stop,
      }),
    ).rejects.toMatchObject({ code: 'ABORTED' });
  });

  if (name !== 'comunica') {
    it('is waited for in the condition of an OPTIONAL too', async () => {
      const torch = search('[] ws:query "torch" ; ws:subject ?s');
      const found = await rows(`{ ?s a :Product OPTIONAL { ?x :name ?n FILTER EXISTS { ${torch} } } }`);
      expect(found.sort()).toEqual([':bulb - -', ':lamp - -', ':torch :ada Ada Lovelace']);
    });

    it('shows itself in plans', async () => {
      const { text } = await engine.explain({
        query: `${PREFIXES} SELECT * { ${search('[] ws:query "lamp" ; ws:subject ?s')} }`,
        analyze: true,
      });
      expect(text).toContain('text search');
    });
  }
});

describe('SERVICE <urn:rdf-worlds:search> in OPTIONAL', () => {
  it('searches for the text of each row', async () => {
    const engine = await WorldsEngine.open();
    await engine.createWorld({ slug: 'shop' });
    await engine.import({ source: 'shop', data: SHOP, contentType: 'application/trig' });
    const result = await engine.select({
      query: `${PREFIXES} SELECT ?q ?s { VALUES ?q { "torch" "nothing" } OPTIONAL { SERVICE <urn:rdf-worlds:search> { [] ws:query ?q ; ws:subject ?s } } }`,
    });
    const found = (await result.array()).map((row) => [row.get('q')?.value, row.get('s')?.value]);
    expect(found).toEqual([
      ['torch', 'https://example.org/torch'],
      ['nothing', undefined],
    ]);
    await engine.close();
  });
});
