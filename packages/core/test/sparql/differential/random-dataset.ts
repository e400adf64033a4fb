import type { Random } from './random.ts';

/** A triple in the syntax that N-Quads and SPARQL share. */
export interface TextTriple {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
}

/** What a query may find: by graph name, '' for the default graph; a graph may be empty. */
export type TextDataset = ReadonlyMap<string, readonly TextTriple[]>;

const XSD = 'http://www.w3.org/2001/XMLSchema#';

export const NODES = ['a', 'b', 'c', 'd', 'e'].map((name) => `<http://e/${name}>`);
export const PREDICATES = ['p', 'q', 'r', 's'].map((name) => `<http://e/${name}>`);
export const GRAPHS = ['g1', 'g2', 'g3'].map((name) => `<http://e/${name}>`);
const BLANK_NODES = ['_:x', '_:y', '_:z'];

/** Each kind of value, equal ones of different types and spellings among them; doubles are sums of powers of two, so that adding them has no order. */
export const LITERALS = [
  `"1"^^<${XSD}integer>`,
  `"2"^^<${XSD}integer>`,
  `"3"^^<${XSD}integer>`,
  `"01"^^<${XSD}integer>`,
  `"-7"^^<${XSD}integer>`,
  `"1.0"^^<${XSD}decimal>`,
  `"2.5"^^<${XSD}decimal>`,
  `"2.0E0"^^<${XSD}double>`,
  `"1.5e1"^^<${XSD}double>`,
  `"x1"^^<${XSD}integer>`,
  '"x"',
  '"xy"',
  '"Ab c"',
  '""',
  '"1"',
  '"xy"@en',
  '"Ab"@de',
  '"x"@en-gb',
  `"true"^^<${XSD}boolean>`,
  `"false"^^<${XSD}boolean>`,
  `"2020-01-02"^^<${XSD}date>`,
  `"2020-01-02T03:04:05Z"^^<${XSD}dateTime>`,
  `"2020-01-02T05:04:05+02:00"^^<${XSD}dateTime>`,
  `"2021-06-07T08:09:10.5Z"^^<${XSD}dateTime>`,
  '"v"^^<http://e/type>',
  '"é𝒳"',
];

/** @param literals few, so that they repeat and join */
function randomTriple(random: Random, literals: readonly string[]): TextTriple {
  const node = () => (random.chance(0.2) ? random.pick(BLANK_NODES) : random.pick(NODES.slice(0, 4)));
  const object = random.weighted<() => string>([
    [5, node],
    [5, () => random.pick(literals)],
    [0.3, () => random.pick(GRAPHS)],
    [0.2, () => random.pick(PREDICATES)],
  ])();
  const subject = random.chance(0.05) ? random.pick(GRAPHS) : node();
  return { subject, predicate: random.pick(PREDICATES.slice(0, 3)), object };
}

/** One world: its triples by graph. A graph that is here with no triples exists all the same. */
function randomWorld(random: Random): Map<string, TextTriple[]> {
  const literals = Array.from({ length: 6 }, () => random.pick(LITERALS));
  const world = new Map<string, TextTriple[]>();
  const fill = (graph: string, count: number): void => {
    world.set(
      graph,
      Array.from({ length: count }, () => randomTriple(random, literals)),
    );
  };
  fill('', random.between(5, 14));
  for (const graph of GRAPHS) if (random.chance(0.7)) fill(graph, random.chance(0.15) ? 0 : random.between(1, 7));
  return world;
}

/** Some worlds with their names, and the dataset that they are together. Blank nodes are named apart: each world has its own. */
export class RandomDataset {
  readonly worlds: readonly Map<string, TextTriple[]>[];
  readonly merged: TextDataset;

  constructor(random: Random, worldCount: number) {
    this.worlds = Array.from({ length: worldCount }, () => randomWorld(random));
    const merged = new Map<string, TextTriple[]>();
    this.worlds.forEach((world, number) => {
      const own = (term: string) => (term.startsWith('_:') ? `${term}${number}` : term);
      for (const [graph, triples] of world) {
        const all = merged.get(graph) ?? [];
        for (const { subject, predicate, object } of triples) {
          all.push({ subject: own(subject), predicate, object: own(object) });
        }
        merged.set(graph, all);
      }
    });
    this.merged = merged;
  }

  /** A world as N-Quads; graphs without triples have no place there. */
  nQuads(world: number): string {
    let text = '';
    for (const [graph, triples] of this.worlds[world]) {
      for (const { subject, predicate, object } of triples) text += `${subject} ${predicate} ${object} ${graph} .\n`;
    }
    return text;
  }

  emptyGraphs(world: number): string[] {
    return [...this.worlds[world]].flatMap(([graph, triples]) => (triples.length === 0 && graph !== '' ? [graph] : []));
  }
}
