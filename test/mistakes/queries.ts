import { mistakes } from './mistake.ts';

const ALL = 'SELECT * { ?s ?p ?o }';

export const QUERIES = [
  ...mistakes('INVALID_ARGUMENT', [
    [({ engine }) => engine.select('SELECT * {}'), 'select', 'a string', 'select({', 'query:'],
    [
      ({ engine }) => {
        const { select } = engine;
        return select({ query: ALL });
      },
      'select',
      'nothing instead of a WorldsEngine',
      'engine.select(...)',
    ],
    [({ engine }) => ({ run: engine.update }).run({ query: 'CLEAR ALL' }), 'update', 'an object', 'engine.update(...)'],
    [({ writeQueryResult }) => writeQueryResult(), 'writeQueryResult', 'nothing', 'await engine.query'],
    [
      ({ writeQueryResult, engine }) => writeQueryResult(engine.query({ query: ALL }), 'text/csv'),
      'a promise',
      'await engine.query',
    ],
    [
      async ({ writeQueryResult, engine }) => writeQueryResult(await engine.query({ query: ALL })),
      'mediaType',
      'nothing',
      'text/csv',
    ],
    [({ engine }) => engine.select(), 'select', 'nothing', 'query:'],
    [({ engine }) => engine.ask('ASK {}'), 'ask', 'a string', 'ask({'],
    [({ engine }) => engine.construct('CONSTRUCT {} {}'), 'construct', 'a string', 'construct({'],
    [({ engine }) => engine.update('CLEAR ALL'), 'update', 'a string', 'update({'],
    [({ engine }) => engine.query('ASK {}'), 'query', 'a string', 'query({'],
    [({ engine }) => engine.sparql('ASK {}'), 'sparql', 'a string', 'sparql({'],
    [({ engine }) => engine.prepare('ASK {}'), 'prepare', 'a string', 'prepare({'],
    [({ engine }) => engine.explain('ASK {}'), 'explain', 'a string', 'explain({'],
    [({ engine }) => engine.validate('ASK {}'), 'validate', 'a string', 'validate({'],
    [({ engine }) => engine.world('w').select('ASK {}'), 'world.select', 'a string', 'world.select({ query'],
    [({ engine }) => engine.select({ query: 5 }), 'query', 'expected a string'],
    [({ engine }) => engine.select({ query: 'ASK {}' }), 'an ASK', 'matching method'],
    [({ engine }) => engine.select({ query: 'CLEAR ALL' }), 'an update', 'nothing was run'],
    [({ engine }) => engine.update({ query: 'ASK {}' }), 'an ASK', 'nothing was run'],
    [({ engine }) => engine.select({ query: ALL, source: 'w' }), '"source"', 'sources'],
    [({ engine }) => engine.select({ query: ALL, sources: 'w' }), 'sources', 'array'],
    [({ engine }) => engine.select({ query: ALL, timeoutMs: '5s' }), 'timeoutMs', 'number'],
    [({ engine }) => engine.select({ query: ALL, signal: new AbortController() }), 'signal', 'AbortSignal'],
    [({ engine }) => engine.select({ query: ALL, at: '2026-01-01' }), 'at', 'Date'],
    [({ engine }) => engine.select({ query: ALL, bindings: { x: 1 } }), '"x"', 's, p, o'],
    [({ engine }) => engine.select({ query: ALL, bindings: { '?x': 1 } }), '"x"', 's, p, o'],
    [
      ({ engine }) => engine.select({ query: 'SELECT * { ?name ?p ?o }', bindings: { Name: 1 } }),
      '"Name"',
      'name',
      'case',
    ],
    [({ engine }) => engine.ask({ query: 'ASK {}', bindings: { x: 1 } }), '"x"', 'no variables'],
    [({ engine }) => engine.explain({ query: ALL, bindings: { x: 1 } }), 'explain', '"x"'],
    [({ engine }) => engine.update({ query: 'DELETE WHERE { ?s ?p ?o }', bindings: { x: 1 } }), 'update', '"x"'],
    [({ engine }) => engine.select({ query: ALL, bindings: null }), 'bindings', 'Map'],
    [({ engine }) => engine.select({ query: ALL, bindings: [1] }), 'bindings', '"0"'],
    [({ engine }) => engine.select({ query: ALL, bindings: { s: null } }), 'bindings.s', 'null', 'term'],
    [
      ({ engine }) => engine.select({ query: ALL, bindings: { s: { type: 'uri', value: 'urn:s' } } }),
      'bindings.s',
      'term',
    ],
    [({ sparql }) => sparql`SELECT * { ?s ?p ${undefined} }`, 'value 1', 'undefined'],
    [({ engine }) => engine.search('bulb'), 'search', 'a string', 'search({'],
    [({ engine }) => engine.search({ q: 'bulb' }), '"q"', 'query'],
    [({ engine }) => engine.search({ query: 'x', limit: 0 }), 'limit', '>=1'],
    [({ engine }) => engine.search({ query: 'x', types: 'urn:t' }), 'types', 'array'],
    [({ engine }) => engine.search({ query: 'x', predicates: ['name'] }), 'predicates[0]', 'absolute IRI'],
    [({ engine }) => engine.search({ query: 'x', source: 'w' }), '"source"', 'sources'],
    [({ engine }) => engine.search({ query: 'x', offset: 5 }), '"offset"', 'limit'],
    [({ engine }) => engine.search({ query: 'x', fusion: 'best' }), 'fusion', 'rrf'],
    [({ engine }) => engine.select({ query: ALL, limit: 5 }), '"limit"', 'maxRows'],
    [({ engine }) => engine.select({ query: ALL, sources: [undefined] }), 'sources[0]', 'slug'],
    [({ engine }) => engine.select({ query: ALL, sources: ['*'] }), 'sources[0]', '"*"'],
    [
      async ({ engine }) => {
        const result = await engine.select({ query: ALL });
        await result.array();
        return result.array();
      },
      'already been read',
      'result.array()',
    ],
    [
      async ({ engine }) => {
        const result = await engine.select({ query: ALL });
        for await (const _ of result);
        for await (const _ of result);
      },
      'already been read',
      'run the query again',
    ],
    [
      async ({ engine }) => {
        const result = await engine.construct({ query: 'CONSTRUCT WHERE { ?s ?p ?o }' });
        await result.array();
        return result.array();
      },
      'already been read',
      'once',
    ],
  ]),
  ...mistakes('NOT_FOUND', [
    [({ engine }) => engine.select({ query: ALL, sources: ['nowhere'] }), 'default/nowhere', 'create it'],
  ]),
  ...mistakes('INVALID_SPARQL', [
    [({ engine }) => engine.select({ query: '' }), 'empty', 'write a query'],
    [({ engine }) => engine.select({ query: 'SELECT * { ?s ?p }' }), 'line 1', 'found "}"'],
    [({ engine }) => engine.select({ query: 'SELECT * { ?s foaf:name ?o }' }), '"foaf:"', 'PREFIX'],
    [({ engine }) => engine.select({ query: 'SELECT * { ?s ?p ?o' }), 'line 1', 'Expected'],
    [({ engine }) => engine.select({ query: 'SELCT * { ?s ?p ?o }' }), 'line 1', 'SELCT'],
    [({ engine }) => engine.select({ query: 'MATCH (n) RETURN n' }), 'SELECT, ASK', 'MATCH'],
    [({ engine }) => engine.select({ query: 'SELECT * FROM people' }), 'IRI of a graph', 'people'],
    [({ engine }) => engine.select({ query: 'SELECT ?x { ?x a Person }' }), '"Person"', 'column 18'],
    [({ engine }) => engine.select({ query: 'SELECT COUNT(?s) { ?s ?p ?o }' }), '"COUNT"', '(expression AS ?variable)'],
    [({ engine }) => engine.select({ query: 'SELECT ?s, ?p { ?s ?p ?o }' }), '","', 'column 10'],
    [({ engine }) => engine.select({ query: 'SELECT * { ?s ?p ?o FILTER ?o > 5 }' }), 'after FILTER', '"("'],
    [({ engine }) => engine.select({ query: 'SELECT * { ?s ?p ?o FILTER(?o == 1) }' }), '"="', 'column 32'],
    [({ engine }) => engine.select({ query: 'SELECT * { ?s ?p ?o } LIMIT ten' }), 'LIMIT', '"ten"'],
    [({ engine }) => engine.select({ query: 'SELECT * { ?s ?p ?o FILTER(CONTAINS(?o)) }' }), 'CONTAINS', '2 arguments'],
    [({ engine }) => engine.select({ query: 'PREFIX ex <urn:> SELECT * { ?s ?p ?o }' }), '":"', '"ex"'],
    [({ engine }) => engine.select({ query: 'SELECT * { http://a.example/ ?p ?o }' }), '"http:"', 'not declared'],
    [({ engine }) => engine.update({ query: 'INSERT DATA { ?s ?p ?o }', sources: ['w'] }), 'variable', 'INSERT DATA'],
    [({ engine }) => engine.update({ query: 'INSERT INTO w VALUES (1)', sources: ['w'] }), 'INTO', 'DATA'],
    [({ engine }) => engine.select({ query: 'SELECT * { ?s <p> ?o }' }), 'line 1', 'p'],
  ]),
];
