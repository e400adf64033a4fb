/** The name of a tool, and its arguments. */
export type HostileCall = readonly [name: string, input: unknown];

/** Only the worlds that the caller may not use say this. */
export const SECRET = 'kingfisher';

/** The slug of the world that the caller may use. */
const world = 'open';

/** A fact that may be stored. */
export const fact = { subject: 'Ada', predicate: 'p', value: 1 };
const own = (name: string, input: object): HostileCall => [name, { world, ...input }];
const query = (text: string): HostileCall => ['query', { query: text }];
const remember = (given: object): HostileCall => own('remember', { facts: [{ ...fact, ...given }] });
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

/** Calls for worlds that the caller may not use. */
export const FOREIGN: readonly HostileCall[] = [
  ...WORLD_NAMES.flatMap((name): HostileCall[] => [
    ['look', { world: name, entity: 'It' }],
    ['query', { query: 'SELECT * { ?s ?p ?o }', worlds: [name] }],
    ['query', { query: 'SELECT * { ?s ?p ?o }', worlds: [name], recorded_at: '2020' }],
    ['remember', { world: name, facts: [fact] }],
  ]),
  ...['describe_world', 'history', 'state_at', 'correct', 'forget', 'import_document', 'create_world'].map(
    (name): HostileCall => [
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

/** A hundred million rows, each of which has to be looked at. */
export const ENDLESS = `SELECT (COUNT(*) AS ?n) {
  ${['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `VALUES ?${name} { 1 2 3 4 5 6 7 8 9 10 }`).join(' ')}
  FILTER(MD5(CONCAT(STR(?a), STR(?b), STR(?c), STR(?d), STR(?e), STR(?f), STR(?g), STR(?h))) = "0") }`;

/** Calls that must be refused, and change nothing. */
export const REFUSED: readonly HostileCall[] = [
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

/** Calls that are allowed, and must show and do nothing more than they say. */
export const HARMLESS: readonly HostileCall[] = [
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
