import { dataFactory, type WorldsEngine } from '@rdf-worlds/core';

const { literal, namedNode, quad } = dataFactory;

/** Sets `window.hacked` wherever it is run. */
export const SCRIPTS = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 2">',
  '<svg onload="window.hacked = 3"><script>window.hacked = 4</script></svg>',
  '"><iframe srcdoc="<script>parent.hacked = 5</script>"></iframe>',
  '{{constructor.constructor("window.hacked = 6")()}}',
  '#{window.hacked = 7}',
  '<style>* { display: none !important }</style>',
] as const;

/** Texts and names that are meant to mislead, to run, or to break a layout. */
export async function oddWorld(engine: WorldsEngine, slug: string, namespace = 'acme'): Promise<void> {
  await engine.createWorld({
    namespace,
    slug,
    label: `Odd <b>world</b> ${SCRIPTS[1]} \u202eexe.gpj`,
    description: `${SCRIPTS[0]} ${'long '.repeat(200)}`,
  });
  const hostile = namedNode('https://example.org/hostile');
  const p = (name: string) => namedNode(`urn:p:${name}`);
  const texts = [
    ...SCRIPTS.map((text) => literal(text)),
    literal('\u202eThis text is turned around\u202c and \u200bhas hidden\u0007 characters'),
    literal('שלום עולם, זה טקסט מימין לשמאל', 'he'),
    literal('مرحبا بالعالم', 'ar'),
    literal('זה text מימין', 'he'),
    literal('x'.repeat(1 << 20)),
    literal('W'.repeat(300)),
    literal('line\nbreaks\r\nand\ttabs'),
    literal('zero', 'en-x-very-long-language-tag'),
    literal('A sentence of a comment. '.repeat(40)),
  ];
  const iris = [
    'javascript:window.hacked=8',
    'data:text/html,<script>window.hacked=9</script>'.replace(/[<>]/g, (character) => encodeURIComponent(character)),
    'vbscript:hacked',
    `https://example.org/${'very-long-segment/'.repeat(60)}end`,
    'https://example.org/%3Cscript%3Ewindow.hacked=10%3C/script%3E',
    'https://example.org/__proto__',
    'https://example.org/constructor',
    'https://xn--e1afmkfd.example/пример#имя',
  ];
  const quads = [
    quad(hostile, namedNode('http://www.w3.org/2000/01/rdf-schema#label'), literal(SCRIPTS[2])),
    quad(hostile, namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#type'), namedNode(iris[0]!)),
    ...texts.map((text, i) => quad(hostile, p(`text-${i}`), text)),
    ...iris.map((iri, i) => quad(hostile, p(`iri-${i}`), namedNode(iri))),
    ...iris.map((iri, i) => quad(namedNode(iri), p(`back-${i}`), hostile)),
    quad(hostile, namedNode(iris[0]!), namedNode(iris[3]!), namedNode(iris[1]!)),
    quad(namedNode(iris[3]!), namedNode(iris[3]!), literal(`A text of a long name, ${'t'.repeat(300)}`)),
  ];
  for (let i = 0; i < 10_000; i++)
    quads.push(
      quad(namedNode(`urn:s:${i % 100}`), namedNode(`https://example.org/predicates/number-${i}`), literal(String(i))),
    );
  await engine.import({ source: { namespace, slug }, data: quads });
}
