import { dataFactory } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { SeededRandom } from './seeded-random.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const { namedNode, literal, blankNode, defaultGraph, quad } = dataFactory;

/**
 * Strings that break careless code: quotes, escapes, line ends, markup, JavaScript member names,
 * characters beyond 16 bits.
 */
export const HOSTILE_STRINGS: readonly string[] = [
  '',
  ' ',
  '"',
  "'",
  '\\',
  '\\u0041',
  '"""',
  '\n\r\t',
  '" . <urn:x> <urn:y> "',
  '> } ; DROP ALL #',
  '?s',
  '$' + '{x}',
  '__proto__',
  'constructor',
  '</script>&amp;<!--',
  '\u0000\u0001',
  '\u200b\ufeff',
  'é',
  'e\u0301',
  '日本語',
  '😀 🏳️‍🌈',
  '\ud83d\ude00\u{10ffff}',
  '%20%00',
  'a'.repeat(300),
];

/** Size and shape of the quads of {@link randomQuads}. */
export interface RandomQuadsOptions {
  /** Number of quads, possibly including duplicates. Default 200. */
  readonly length?: number | undefined;
  /**
   * Number of distinct subjects, and approximately of objects. Smaller values make denser graphs.
   * Default 20.
   */
  readonly nodes?: number | undefined;
  /** Number of predicates. Default 5. */
  readonly predicates?: number | undefined;
  /** Number of named graphs, in addition to the default graph. Default 3. */
  readonly graphs?: number | undefined;
  /** Whether blank nodes occur as subjects, objects and graph names. Default true. */
  readonly blankNodes?: boolean | undefined;
  /** Whether triple terms occur as objects (RDF 1.2 Concepts 3.1). Default false. */
  readonly tripleTerms?: boolean | undefined;
}

function randomLiteral(random: SeededRandom): RDF.Literal {
  const integer = (type: string, text: string) => literal(text, namedNode(`${XSD}${type}`));
  switch (random.below(8)) {
    case 0:
      return literal(random.pick(HOSTILE_STRINGS));
    case 1:
      return literal(random.pick(HOSTILE_STRINGS), random.pick(['en', 'EN-gb', 'de', 'zh-Hant']));
    case 2:
      // "01" and "1" are two terms with the same value.
      return integer('integer', random.pick(['0', '1', '01', '-1', '+1', '12345678901234567890']));
    case 3:
      return integer('decimal', random.pick(['1.0', '1.00', '0.1', '-0.0', '.5']));
    case 4:
      return integer('double', random.pick(['1e0', '1.0E0', 'NaN', 'INF', '-INF', '-0e0']));
    case 5:
      return integer('boolean', random.pick(['true', 'false', '1', '0', 'yes']));
    case 6:
      return integer('dateTime', random.pick(['2020-02-29T00:00:00Z', '2020-02-28T24:00:00-00:00', 'yesterday']));
    default:
      return literal(random.pick(HOSTILE_STRINGS), namedNode(`urn:type:${random.below(3)}`));
  }
}

/**
 * Returns quads of mixed and hostile terms, determined by a seed: the same seed and options give
 * the same quads.
 */
export function randomQuads(
  seed: number,
  {
    length = 200,
    nodes = 20,
    predicates = 5,
    graphs = 3,
    blankNodes = true,
    tripleTerms = false,
  }: RandomQuadsOptions = {},
): RDF.Quad[] {
  const random = new SeededRandom(seed);
  const iri = () => namedNode(`urn:node:${random.below(nodes)}`);
  const node = (): RDF.NamedNode | RDF.BlankNode =>
    blankNodes && random.chance(0.2) ? blankNode(`b${random.below(Math.max(1, nodes >> 2))}`) : iri();
  const predicate = () => namedNode(`urn:predicate:${random.below(predicates)}`);
  const object = (): RDF.Quad_Object => {
    if (tripleTerms && random.chance(0.1))
      return quad(node(), predicate(), random.chance(0.5) ? node() : randomLiteral(random));
    return random.chance(0.4) ? randomLiteral(random) : node();
  };
  const graph = (): RDF.Quad_Graph => {
    if (graphs === 0 || random.chance(0.5)) return defaultGraph();
    if (blankNodes && random.chance(0.1)) return blankNode('graph');
    return namedNode(`urn:graph:${random.below(graphs)}`);
  };
  return Array.from({ length }, () => quad(node(), predicate(), object(), graph()));
}
