import type { SeededRandom } from '@rdf-worlds/testkit';
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../../../src/model/term.ts';
import { BLANK_TYPE } from './peer.ts';

export const EX = 'http://ex.org/';
const XSD = 'http://www.w3.org/2001/XMLSchema#';
export const NODES = ['a', 'b', 'c', 'd', 'e'].map((name) => EX + name);
export const BLANKS = ['_:b0', '_:b1', '_:b2'];
export const TYPES = ['T1', 'T2', 'T3'].map((name) => EX + name);
export const PROPERTIES = ['p', 'q', 'r', 's'].map((name) => EX + name);
/** The properties that have literals, too; the others have nodes and lists. */
export const LITERAL_PROPERTIES: ReadonlySet<string> = new Set([`${EX}r`, `${EX}s`]);
export const GRAPHS = [`${EX}g1`, `${EX}e`];

export type JsonObject = Record<string, unknown>;

const { literal, namedNode } = dataFactory;

/** Literals in the order of their ids. */
export const LITERALS: readonly RDF.Literal[] = [
  literal('x'),
  literal('y'),
  literal('x', 'en'),
  literal('x', 'de'),
  literal('1', namedNode(`${XSD}integer`)),
  literal('2020-01-01', namedNode(`${XSD}date`)),
];
const VALUES: readonly JsonObject[] = [
  { '@value': 'x' },
  { '@value': 'y' },
  { '@value': 'x', '@language': 'en' },
  { '@value': 'x', '@language': 'de' },
  { '@value': '1', '@type': `${XSD}integer` },
  { '@value': '2020-01-01', '@type': `${XSD}date` },
];

/** Returns some of the items, in their order. */
export function some<Item>(random: SeededRandom, items: readonly Item[], chance: number): Item[] {
  return items.filter(() => random.chance(chance));
}

/**
 * Returns a random document in expanded form: nodes that refer to each other, lists and, with
 * `graphs`, named graphs. Values of a property are in the order of their ids, and all of them are
 * in one graph, so that it does not matter how graphs are merged.
 */
export function randomDocument(random: SeededRandom, graphs: boolean): JsonObject[] {
  // Names blank nodes in the order of their labels.
  const document: JsonObject[] = BLANKS.map((id, i) => ({ '@id': id, '@type': [`${BLANK_TYPE}${i}`] }));
  const named = new Map<string, JsonObject[]>();
  for (const id of [...BLANKS, ...NODES]) {
    const homes = new Map<string, JsonObject>();
    const inGraph = () => {
      const graph = graphs && random.chance(0.4) ? random.pick(GRAPHS) : '';
      let node = homes.get(graph);
      if (!node) homes.set(graph, (node = { '@id': id }));
      return node;
    };
    const types = some(random, TYPES, 0.3);
    if (types.length > 0) inGraph()['@type'] = types;
    for (const property of PROPERTIES) {
      if (random.chance(0.5)) continue;
      const values = randomValues(random, LITERAL_PROPERTIES.has(property));
      if (values.length > 0) inGraph()[property] = values;
    }
    for (const [graph, node] of homes) {
      if (graph === '') document.push(node);
      else named.set(graph, [...(named.get(graph) ?? []), node]);
    }
  }
  for (const [graph, nodes] of named) document.push({ '@id': graph, '@graph': nodes });
  return document;
}

function randomValues(random: SeededRandom, hasLiterals: boolean): JsonObject[] {
  const nodes = some(random, [...BLANKS, ...NODES], 0.15).map((id): JsonObject => ({ '@id': id }));
  const values = hasLiterals ? [...nodes, ...some(random, VALUES, 0.15)] : nodes;
  if (random.chance(0.1)) {
    const items = Array.from({ length: 1 + random.below(3) }, () =>
      random.chance(0.5) ? { '@id': random.pick([...BLANKS, ...NODES]) } : random.pick(VALUES),
    );
    return [{ '@list': items }];
  }
  return values;
}
