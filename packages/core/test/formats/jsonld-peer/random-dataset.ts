import type { SeededRandom } from '@rdf-worlds/testkit';
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../../../src/model/term.ts';
import { EX, PROPERTIES, TYPES } from './random-document.ts';

const RDF_NS = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const { namedNode, blankNode, literal, quad, defaultGraph } = dataFactory;

export const IRIS = [`${EX}a`, `${EX}b`, `${EX}sub/c`, `${EX}sub/c?d`, 'http://other.org/e#f', 'urn:x:y'];
/** They write the first two as relative IRIs, and the last where `ex` is a prefix. */
const ODD_IRIS = [`${EX}a:b`, `${EX}/x`, 'ex:a'];
export const DATATYPE = `${EX}D`;
/** Properties in addition to {@link PROPERTIES}. */
export const OTHER_PROPERTIES = ['http://other.org/v#w', `${EX}sub/t`, `${RDF_NS}type`];
/**
 * The property without lists: for those, they select terms with the containers `@id` and `@type`.
 */
export const WITHOUT_LISTS = PROPERTIES[0];
/** The property with lists in lists: they write the items of the inner one as if it had no term. */
export const WITH_NESTED_LISTS = OTHER_PROPERTIES[1];

const LITERALS: readonly RDF.Literal[] = [
  literal('x'),
  literal(''),
  literal('x', 'en'),
  literal('y', 'en'),
  literal('x', 'de'),
  literal('1', namedNode(`${XSD}integer`)),
  literal('true', namedNode(`${XSD}boolean`)),
  literal('2020-01-01', namedNode(`${XSD}date`)),
  literal('x', namedNode(DATATYPE)),
  literal('{"a":[1,null]}', namedNode(`${RDF_NS}JSON`)),
];
/** They leave out a direction where a context has the language. */
const DIRECTED = [
  literal('x', { language: 'ar', direction: 'rtl' }),
  literal('x', { language: 'en', direction: 'ltr' }),
];
/** They compare languages with case, and fail for null in a map. */
const ODD_LITERALS = [
  literal('x', 'de-CH'),
  literal('x', namedNode(TYPES[0])),
  literal('null', namedNode(`${RDF_NS}JSON`)),
  literal('[1]', namedNode(`${RDF_NS}JSON`)),
];

/**
 * Returns a random dataset: nodes, literals of all kinds, lists and named graphs. A wild one has
 * what they compact with loss, too.
 */
export function randomDataset(random: SeededRandom, isWild: boolean): RDF.Quad[] {
  const quads: RDF.Quad[] = [];
  const blanks = ['b0', 'b1', 'b2'].map((label) => blankNode(label));
  const iris = [...IRIS, ...(isWild || random.chance(0.05) ? ODD_IRIS : [])].map((iri) => namedNode(iri));
  const literals = [...LITERALS, ...(isWild || random.chance(0.15) ? DIRECTED : []), ...(isWild ? ODD_LITERALS : [])];
  // They write a list in a node with a type as if the context scoped to that applied in it.
  const hasLists = isWild || random.chance(0.5);
  const hasTypes = isWild || !hasLists;
  const node = () => (random.chance(0.25) ? random.pick(blanks) : random.pick(iris));
  const object = () => (random.chance(0.35) ? node() : random.pick(literals));
  const graphs: RDF.Quad_Graph[] = [defaultGraph()];
  if (random.chance(0.3)) graphs.push(random.pick(iris));
  if (random.chance(0.15)) graphs.push(random.pick(blanks));

  let cells = 0;
  const list = (graph: RDF.Quad_Graph, depth: number): RDF.Quad_Object => {
    let head: RDF.NamedNode | RDF.BlankNode = namedNode(`${RDF_NS}nil`);
    const kind = random.below(3);
    for (let items = random.below(4); items > 0; items--) {
      const cell = blankNode(`l${cells++}`);
      const isNested = depth > 0 && random.chance(0.15);
      const value = kind === 0 ? node() : kind === 1 ? random.pick(literals) : object();
      quads.push(quad(cell, namedNode(`${RDF_NS}first`), isNested ? list(graph, depth - 1) : value, graph));
      quads.push(quad(cell, namedNode(`${RDF_NS}rest`), head, graph));
      head = cell;
    }
    return head;
  };
  const value = (property: string, graph: RDF.Quad_Graph): RDF.Quad_Object => {
    const mayBeList = hasLists && property !== `${RDF_NS}type` && (isWild || property !== WITHOUT_LISTS);
    if (!mayBeList || random.chance(0.7)) return object();
    return list(graph, isWild || property === WITH_NESTED_LISTS ? 1 : 0);
  };

  for (const graph of graphs) {
    for (let nodes = 1 + random.below(3); nodes > 0; nodes--) {
      const subject = node();
      for (const type of TYPES)
        if (hasTypes && random.chance(0.3))
          quads.push(quad(subject, namedNode(`${RDF_NS}type`), namedNode(type), graph));
      for (const property of [...PROPERTIES, ...OTHER_PROPERTIES]) {
        if (random.chance(0.65)) continue;
        for (let values = 1 + random.below(3); values > 0; values--)
          quads.push(quad(subject, namedNode(property), value(property, graph), graph));
      }
    }
  }
  return quads;
}
