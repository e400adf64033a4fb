import { type Attack, BOUNDED, graphOf, importOf, list, nest } from '../attack.ts';

/** A document at a length of n: its name, n at size 1, and the text or bytes. */
type DocumentRow = readonly [
  name: string,
  length: number,
  document: (n: number) => string | Uint8Array,
  more?: Partial<Pick<Attack, 'statuses' | 'cost'>>,
];

/** Sends documents in turns as imports and as graphs; formats of quads as imports alone. */
function documents(contentType: string, rows: readonly DocumentRow[], isGraph = true): readonly Attack[] {
  return rows.map(([name, length, document, more], i) => {
    const way = isGraph ? i % 3 : 0;
    return {
      name: `${contentType}: ${name}`,
      route: way === 0 ? 'importWorld' : way === 1 ? 'putGraph' : 'postGraph',
      at: (size) => {
        const text = document(length * size);
        return way === 0 ? importOf(text, contentType) : graphOf(text, contentType, way === 1 ? 'PUT' : 'POST');
      },
      statuses: BOUNDED,
      ...more,
    };
  });
}

/** Broken somewhere; a large one may meet the deadline before that is found. */
const refused = { statuses: [400, 503] } as const;

/** What Turtle, TriG and N3 have in common. */
const TURTLE_ROWS: readonly DocumentRow[] = [
  ['triples', 5_000, (n) => list(n, (i) => `<urn:s${i}> <urn:p${i % 7}> <urn:o${i}> .\n`, '')],
  ['objects of one subject', 5_000, (n) => `<urn:s> <urn:p> ${list(n, (i) => `${i}`, ',')} .`],
  ['predicates of one subject', 5_000, (n) => `<urn:s> ${list(n, (i) => `<urn:p${i}> 1`, ';')} .`],
  ['nested blank nodes', 10_000, (n) => `<urn:s> <urn:p> ${nest('[ <urn:p> ', '1', ' ]')(n)} .`],
  ['nested collections', 20_000, (n) => `<urn:s> <urn:p> ${nest('(', '1', ')')(n)} .`],
  ['nested blank nodes without end', 20_000, (n) => `<urn:s> <urn:p> ${'[ <urn:p> '.repeat(n)}`, refused],
  ['nested triple terms', 5_000, (n) => `<urn:s> <urn:p> ${nest('<<( <urn:a> <urn:b> ', '1', ' )>>')(n)} .`],
  ['a wide collection', 20_000, (n) => `<urn:s> <urn:p> (${'1 '.repeat(n)}) .`],
  ['a long base', 4_000, (n) => `@base <http://e/${'x/'.repeat(n / 2)}> . ${list(n * 2, (i) => `<${i}> <p> 1 .`)}`],
  ['a long prefix', 4_000, (n) => `@prefix p: <urn:${'x'.repeat(n)}> . ${list(n * 2, (i) => `p:${i} p: 1 .`)}`],
  ['a base that grows', 2_000, (n) => list(n, (i) => `@base <a${i}/> .`)],
  ['prefixes', 5_000, (n) => list(n, (i) => `@prefix p${i}: <urn:${i}> .`)],
  [
    'dots of relative IRIs',
    5_000,
    (n) => `@base <http://e/${'x/'.repeat(500)}> . ${list(n, () => `<${'../'.repeat(20)}a> <p> 1 .`)}`,
  ],
  ['one IRI of dots', 20_000, (n) => `@base <http://e/a/b> . <${'../'.repeat(n)}a> <p> 1 .`],
  ['a long IRI', 100_000, (n) => `<urn:${'x'.repeat(n)}> <urn:p> 1 .`],
  ['a long string', 500_000, (n) => `<urn:s> <urn:p> "${'x'.repeat(n)}" .`],
  ['a long string of escapes', 100_000, (n) => `<urn:s> <urn:p> "${'\\u00e9'.repeat(n)}" .`],
  ['a string of quotes', 200_000, (n) => `<urn:s> <urn:p> """${'""a'.repeat(n)}""" .`],
  ['a string without end', 500_000, (n) => `<urn:s> <urn:p> """${'x\n'.repeat(n)}`, refused],
  ['a long name', 100_000, (n) => `@prefix p: <urn:> . p:${'x.'.repeat(n)}x p: 1 .`],
  ['a long number', 200_000, (n) => `<urn:s> <urn:p> ${'9'.repeat(n)} .`],
  ['a long language tag', 100_000, (n) => `<urn:s> <urn:p> "a"@en${'-x'.repeat(n)} .`],
  ['a long comment', 500_000, (n) => `#${'x'.repeat(n)}\n`],
  ['comments', 200_000, (n) => '#\n'.repeat(n)],
  ['white space', 500_000, (n) => ' '.repeat(n)],
  ['labels of blank nodes', 20_000, (n) => list(n, (i) => `_:b${i} <urn:p> _:b${i + 1} .`)],
  ['dots', 100_000, (n) => '.'.repeat(n), refused],
];

const every = (rows: readonly DocumentRow[], step: number, first = 0) => rows.filter((_, i) => i % step === first);

const TRIG_ROWS: readonly DocumentRow[] = [
  ['graphs', 3_000, (n) => list(n, (i) => `<urn:g${i}> { <urn:s> <urn:p> ${i} }`)],
  ['the same graph', 5_000, (n) => list(n, (i) => `GRAPH <urn:g> { <urn:s> <urn:p> ${i} }`)],
  ['graphs without triples', 5_000, (n) => list(n, (i) => `<urn:g${i}> {}`)],
  ['graphs in graphs', 10_000, (n) => nest('<urn:g> {', '', '}')(n), refused],
  ['graphs of blank nodes', 3_000, (n) => list(n, (i) => `_:g${i} { [] <urn:p> [] }`)],
];

const N3_ROWS: readonly DocumentRow[] = [
  ['formulas', 10_000, (n) => nest('{', '', '}')(n), refused],
  ['rules', 3_000, (n) => list(n, () => '{ ?s <urn:p> ?o } => { ?s <urn:q> ?o } .'), refused],
  ['paths', 20_000, (n) => `<urn:s>${'!<urn:p>'.repeat(n)} <urn:q> 1 .`],
  ['inverse paths', 20_000, (n) => `<urn:s>${'^<urn:p>'.repeat(n)} <urn:q> 1 .`],
  ['is and of', 5_000, (n) => list(n, (i) => `<urn:s${i}> is <urn:p> of <urn:o> .`)],
];

const LINE_ROWS: readonly DocumentRow[] = [
  ['statements', 10_000, (n) => list(n, (i) => `<urn:s${i}> <urn:p${i % 7}> "${i}" .\n`, '')],
  ['different literals', 10_000, (n) => list(n, (i) => `<urn:s> <urn:p> "${i}"^^<urn:d${i}> .\n`, '')],
  ['languages', 10_000, (n) => list(n, (i) => `<urn:s> <urn:p> "a"@x-${i.toString(36)} .\n`, '')],
  ['a long line', 500_000, (n) => `<urn:s> <urn:p> "${'x'.repeat(n)}" .\n`],
  ['a line without end', 500_000, (n) => `<urn:s> <urn:p> "${'x'.repeat(n)}`, refused],
  ['escapes', 100_000, (n) => `<urn:s> <urn:p> "${'\\U0001F600'.repeat(n)}" .\n`],
  ['a long IRI', 100_000, (n) => `<urn:${'x'.repeat(n)}> <urn:p> "a" .\n`],
  ['empty lines', 500_000, (n) => '\n'.repeat(n)],
  ['comments', 200_000, (n) => '# x\n'.repeat(n)],
  ['carriage returns', 500_000, (n) => '\r'.repeat(n)],
  ['NUL', 500_000, (n) => new Uint8Array(n), refused],
  [
    'bad UTF-8 at the end',
    500_000,
    (n) => Buffer.concat([Buffer.from(`<urn:s> <urn:p> "${'x'.repeat(n)}`), Buffer.from([0xff])]),
    refused,
  ],
  ['nested triple terms', 5_000, (n) => `<urn:s> <urn:p> ${nest('<<( <urn:a> <urn:b> ', '"1"', ' )>>')(n)} .\n`],
  ['labels of blank nodes', 10_000, (n) => list(n, (i) => `_:b${i} <urn:p> _:b${i * 7} .\n`, '')],
];

const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"';
const rdfXml = (inner: string, attributes = '') => `<rdf:RDF ${RDF} ${attributes}>${inner}</rdf:RDF>`;

const XML_ROWS: readonly DocumentRow[] = [
  [
    'descriptions',
    4_000,
    (n) => rdfXml(list(n, (i) => `<rdf:Description rdf:about="urn:s${i}"><e:p>${i}</e:p></rdf:Description>`)),
  ],
  ['nested descriptions', 5_000, (n) => rdfXml(nest('<rdf:Description><e:p>', '', '</e:p></rdf:Description>')(n))],
  ['elements without end', 10_000, (n) => `<rdf:RDF ${RDF}>${'<rdf:Description><e:p>'.repeat(n)}`, refused],
  ['attributes', 5_000, (n) => rdfXml(`<rdf:Description rdf:about="urn:s" ${list(n, (i) => `e:p${i}="${i}"`)}/>`)],
  [
    'the same attribute',
    5_000,
    (n) => rdfXml(`<rdf:Description rdf:about="urn:s" ${list(n, () => 'e:p="1"')}/>`),
    refused,
  ],
  [
    'namespaces of one element',
    5_000,
    (n) =>
      rdfXml(
        '',
        list(n, (i) => `xmlns:n${i}="urn:${i}"`),
      ),
  ],
  [
    'namespaces of nested elements',
    2_000,
    (n) =>
      rdfXml(
        `${list(n, (i) => `<rdf:Description xmlns:n${i}="urn:${i}"><n${i}:p>`, '')}${list(n, (i) => `</n${n - 1 - i}:p></rdf:Description>`, '')}`,
      ),
  ],
  [
    'a long base',
    4_000,
    (n) =>
      rdfXml(
        list(n, (i) => `<rdf:Description rdf:about="${i}"><e:p rdf:resource="${i}"/></rdf:Description>`),
        `xml:base="http://e/${'x/'.repeat(n / 2)}"`,
      ),
  ],
  [
    'bases of nested elements',
    1_000,
    (n) =>
      rdfXml(
        nest('<rdf:Description rdf:about="a" xml:base="b/"><e:p>', '', '</e:p></rdf:Description>')(n),
        'xml:base="http://e/"',
      ),
  ],
  [
    'a long namespace',
    4_000,
    (n) =>
      rdfXml(
        `<rdf:Description>${list(n, (i) => `<x:p${i}>1</x:p${i}>`)}</rdf:Description>`,
        `xmlns:x="http://e/${'x'.repeat(n)}"`,
      ),
  ],
  [
    'a long text',
    500_000,
    (n) => rdfXml(`<rdf:Description rdf:about="urn:s"><e:p>${'x'.repeat(n)}</e:p></rdf:Description>`),
  ],
  ['a long attribute', 500_000, (n) => rdfXml(`<rdf:Description rdf:about="urn:s" e:p="${'x'.repeat(n)}"/>`)],
  [
    'character references',
    100_000,
    (n) => rdfXml(`<rdf:Description rdf:about="urn:s"><e:p>${'&#x41;'.repeat(n)}</e:p></rdf:Description>`),
  ],
  [
    'CDATA',
    20_000,
    (n) => rdfXml(`<rdf:Description rdf:about="urn:s"><e:p>${'<![CDATA[x]]>'.repeat(n)}</e:p></rdf:Description>`),
  ],
  [
    'an entity that is used often',
    4_000,
    (n) =>
      `<!DOCTYPE r [<!ENTITY a "${'x'.repeat(n)}">]>${rdfXml(`<rdf:Description rdf:about="urn:s"><e:p>${'&a;'.repeat(n)}</e:p></rdf:Description>`)}`,
  ],
  [
    'entities of entities',
    2,
    (n) =>
      `<!DOCTYPE r [<!ENTITY a0 "lol">${list(n * 10, (i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`)}]>${rdfXml(`<rdf:Description rdf:about="urn:s" e:p="&a${n * 10};"/>`)}`,
    refused,
  ],
  ['entities', 5_000, (n) => `<!DOCTYPE r [${list(n, (i) => `<!ENTITY a${i} "x">`)}]>${rdfXml('')}`],
  [
    'a literal of XML',
    5_000,
    (n) =>
      rdfXml(
        `<rdf:Description rdf:about="urn:s"><e:p rdf:parseType="Literal">${'<e:a b="1">x</e:a>'.repeat(n)}</e:p></rdf:Description>`,
      ),
  ],
  [
    'a nested literal of XML',
    10_000,
    (n) =>
      rdfXml(
        `<rdf:Description rdf:about="urn:s"><e:p rdf:parseType="Literal">${nest('<e:a>', '', '</e:a>')(n)}</e:p></rdf:Description>`,
      ),
  ],
  [
    'a literal of XML with many namespaces',
    500,
    (n) =>
      rdfXml(
        `<rdf:Description rdf:about="urn:s"><e:p rdf:parseType="Literal">${list(n, (i) => `<n${i}:a/>`)}</e:p></rdf:Description>`,
        list(n, (i) => `xmlns:n${i}="urn:${i}"`),
      ),
  ],
  [
    'a collection',
    5_000,
    (n) =>
      rdfXml(
        `<rdf:Description rdf:about="urn:s"><e:p rdf:parseType="Collection">${'<rdf:Description/>'.repeat(n)}</e:p></rdf:Description>`,
      ),
  ],
  ['containers', 5_000, (n) => rdfXml(`<rdf:Bag>${'<rdf:li>1</rdf:li>'.repeat(n)}</rdf:Bag>`)],
  [
    'statements that are named',
    5_000,
    (n) =>
      rdfXml(
        `<rdf:Description rdf:about="urn:s">${list(n, (i) => `<e:p rdf:ID="i${i}">1</e:p>`)}</rdf:Description>`,
        'xml:base="http://e/"',
      ),
  ],
  ['comments', 50_000, (n) => rdfXml('<!-- x -->'.repeat(n))],
  ['a long comment', 500_000, (n) => rdfXml(`<!-- ${'x'.repeat(n)} -->`)],
  ['processing instructions', 50_000, (n) => rdfXml('<?x y?>'.repeat(n))],
  [
    'a long name',
    100_000,
    (n) => rdfXml(`<rdf:Description rdf:about="urn:s"><e:${'x'.repeat(n)}>1</e:${'x'.repeat(n)}></rdf:Description>`),
  ],
  ['signs of tags', 500_000, (n) => `<rdf:RDF ${RDF}>${'<'.repeat(n)}`, refused],
];

const node = (context: unknown, more: object = {}) => JSON.stringify({ '@context': context, ...more });
const terms = (n: number, term: (i: number) => unknown) =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`t${i}`, term(i)]));

/** An object in an object, without recursion. */
function nested(depth: number, open: string, inner: string, close: string): string {
  return nest(open, inner, close)(depth);
}

const JSON_LD_ROWS: readonly DocumentRow[] = [
  ['nodes', 4_000, (n) => JSON.stringify(Array.from({ length: n }, (_, i) => ({ '@id': `urn:s${i}`, 'urn:p': i })))],
  [
    'properties',
    5_000,
    (n) => JSON.stringify(Object.fromEntries(Array.from({ length: n }, (_, i) => [`urn:p${i}`, i]))),
  ],
  ['values', 10_000, (n) => JSON.stringify({ '@id': 'urn:s', 'urn:p': Array.from({ length: n }, (_, i) => i) })],
  ['nested nodes', 5_000, (n) => nested(n, '{"urn:p":', '1', '}')],
  ['nested arrays', 50_000, (n) => nested(n, '[', '', ']')],
  ['nested lists', 5_000, (n) => `{"urn:p":${nested(n, '{"@list":[', '1', ']}')}}`],
  ['nested sets', 5_000, (n) => `{"urn:p":${nested(n, '{"@set":[', '1', ']}')}}`],
  ['nested graphs', 5_000, (n) => nested(n, '{"@graph":[', '', ']}')],
  ['nested reverse properties', 5_000, (n) => nested(n, '{"@reverse":{"urn:p":', '{"@id":"urn:a"}', '}}')],
  ['nested @nest', 5_000, (n) => `{"@id":"urn:a",${nested(n, '"@nest":{', '"urn:p":1', '}')}}`],
  ['nested @included', 5_000, (n) => nested(n, '{"@id":"urn:a","@included":[', '{"@id":"urn:b"}', ']}')],
  [
    'a wide list',
    10_000,
    (n) => JSON.stringify({ '@id': 'urn:s', 'urn:p': { '@list': Array.from({ length: n }, (_, i) => i) } }),
  ],
  ['terms of a context', 4_000, (n) => node(terms(n, (i) => `urn:t${i}`))],
  [
    'terms that are defined by each other',
    1_500,
    (n) => node({ t0: 'urn:x', ...Object.fromEntries(Array.from({ length: n }, (_, i) => [`t${i + 1}`, `t${i}:a`])) }),
  ],
  ['contexts of one node', 4_000, (n) => node(Array.from({ length: n }, (_, i) => ({ [`t${i}`]: 'urn:t' })))],
  ['empty contexts', 20_000, (n) => node(Array.from({ length: n }, () => ({})))],
  ['null contexts', 20_000, (n) => node(Array.from({ length: n }, () => null))],
  [
    'a large context and many nodes with one more',
    300,
    (n) =>
      node(
        terms(n, (i) => `urn:t${i}`),
        { '@graph': Array.from({ length: n }, (_, i) => ({ '@context': { x: `urn:${i}` }, x: 1 })) },
      ),
  ],
  [
    'contexts of properties',
    300,
    (n) =>
      node(
        terms(n, (i) => ({ '@id': `urn:t${i}`, '@context': terms(n % 97, (j) => `urn:${j}`) })),
        terms(n, (i) => ({ t1: i })),
      ),
  ],
  [
    'contexts of properties within each other',
    30,
    (n) => node({ t: { '@id': 'urn:t', '@context': nestedContext(n) } }, { t: { t: 1 } }),
  ],
  [
    'contexts of types',
    300,
    (n) =>
      node(
        terms(n, (i) => ({ '@id': `urn:t${i}`, '@context': { a: `urn:a${i}` } })),
        { '@type': Array.from({ length: n }, (_, i) => `t${i}`), a: 1 },
      ),
  ],
  [
    'many nodes with a context of their type',
    300,
    (n) =>
      node(
        { T: { '@id': 'urn:T', '@context': terms(n, (i) => `urn:${i}`) } },
        { '@graph': Array.from({ length: n }, () => ({ '@type': 'T', t0: 1 })) },
      ),
  ],
  ['nested nodes with a context each', 300, (n) => nested(n, '{"@context":{"a":"urn:a"},"urn:p":', '1', '}')],
  [
    'nested contexts that do not propagate',
    300,
    (n) => nested(n, '{"@context":{"@propagate":false,"a":"urn:a"},"urn:p":', '1', '}'),
  ],
  [
    'a long prefix',
    3_000,
    (n) =>
      node(
        { p: `urn:${'x'.repeat(n)}:` },
        { '@graph': Array.from({ length: n }, (_, i) => ({ '@id': `p:${i}`, 'p:q': 1 })) },
      ),
  ],
  [
    'a long vocabulary',
    3_000,
    (n) =>
      node({ '@vocab': `urn:${'x'.repeat(n)}` }, Object.fromEntries(Array.from({ length: n }, (_, i) => [`p${i}`, 1]))),
  ],
  [
    'a long base',
    3_000,
    (n) =>
      node(
        { '@base': `http://e/${'x/'.repeat(n / 2)}` },
        { '@graph': Array.from({ length: n }, (_, i) => ({ '@id': String(i), 'urn:q': 1 })) },
      ),
  ],
  [
    'an index map',
    5_000,
    (n) =>
      node(
        { m: { '@id': 'urn:m', '@container': '@index' } },
        { m: Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, { '@id': `urn:${i}` }])) },
      ),
  ],
  [
    'an index map of a property',
    5_000,
    (n) =>
      node(
        { m: { '@id': 'urn:m', '@container': '@index', '@index': 'urn:i' } },
        { m: Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, { '@id': `urn:${i}` }])) },
      ),
  ],
  [
    'a language map',
    5_000,
    (n) =>
      node(
        { m: { '@id': 'urn:m', '@container': '@language' } },
        { m: Object.fromEntries(Array.from({ length: n }, (_, i) => [`x-${i}`, 'a'])) },
      ),
  ],
  [
    'an id map',
    5_000,
    (n) =>
      node(
        { m: { '@id': 'urn:m', '@container': '@id' } },
        { m: Object.fromEntries(Array.from({ length: n }, (_, i) => [`urn:${i}`, { 'urn:p': 1 }])) },
      ),
  ],
  [
    'a type map',
    5_000,
    (n) =>
      node(
        { m: { '@id': 'urn:m', '@container': '@type' } },
        { m: Object.fromEntries(Array.from({ length: n }, (_, i) => [`urn:${i}`, { '@id': 'urn:a' }])) },
      ),
  ],
  [
    'a graph map',
    3_000,
    (n) =>
      node(
        { m: { '@id': 'urn:m', '@container': ['@graph', '@id'] } },
        { m: Object.fromEntries(Array.from({ length: n }, (_, i) => [`urn:${i}`, { 'urn:p': 1 }])) },
      ),
  ],
  [
    'a JSON literal',
    10_000,
    (n) =>
      node(
        { j: { '@id': 'urn:j', '@type': '@json' } },
        { j: Array.from({ length: n }, (_, i) => ({ b: i, a: 1.5e300 })) },
      ),
  ],
  [
    'a nested JSON literal',
    5_000,
    (n) => `{"@context":{"j":{"@id":"urn:j","@type":"@json"}},"j":${nested(n, '[', '1', ']')}}`,
  ],
  [
    'a JSON literal of many keys',
    5_000,
    (n) =>
      node(
        { j: { '@id': 'urn:j', '@type': '@json' } },
        { j: Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${(i * 7919) % n}`, i])) },
      ),
  ],
  ['a long string', 500_000, (n) => JSON.stringify({ '@id': 'urn:s', 'urn:p': 'x'.repeat(n) })],
  ['a string of escapes', 100_000, (n) => `{"@id":"urn:s","urn:p":"${'\\u0041'.repeat(n)}"}`],
  ['a long number', 200_000, (n) => `{"@id":"urn:s","urn:p":${'9'.repeat(n)}}`],
  ['the same key', 20_000, (n) => `{${list(n, () => '"urn:p":1', ',')}}`],
  ['keys of prototypes', 5_000, (n) => `{${list(n, (i) => `"__proto__":{"urn:p":${i}}`, ',')}}`],
  ['white space', 500_000, (n) => `{${' '.repeat(n)}}`],
  ['a remote context', 100, (n) => node(Array.from({ length: n }, (_, i) => `http://127.0.0.1:1/${i}`)), refused],
  [
    'aliases of keywords',
    1_000,
    (n) =>
      node(
        terms(n, () => '@id'),
        terms(n, () => 'urn:a'),
      ),
  ],
  [
    'names of blank nodes',
    5_000,
    (n) =>
      JSON.stringify(Array.from({ length: n }, (_, i) => ({ '@id': `_:b${i}`, 'urn:p': { '@id': `_:b${i + 1}` } }))),
  ],
];

function nestedContext(depth: number): unknown {
  let context: unknown = { t: 'urn:t' };
  for (let i = 0; i < depth; i++) context = { t: { '@id': 'urn:t', '@context': context } };
  return context;
}

export const DOCUMENTS: readonly Attack[] = [
  ...documents('text/turtle', TURTLE_ROWS),
  // Readers of the same family: every row once more, in one or the other.
  ...documents('application/trig', [...every(TURTLE_ROWS, 2), ...TRIG_ROWS], false),
  ...documents('text/n3', [...every(TURTLE_ROWS, 2, 1), ...N3_ROWS]),
  ...documents('application/n-triples', every(LINE_ROWS, 2)),
  ...documents('application/n-quads', LINE_ROWS, false),
  ...documents('application/rdf+xml', XML_ROWS),
  ...documents('application/ld+json', JSON_LD_ROWS, false),
];
