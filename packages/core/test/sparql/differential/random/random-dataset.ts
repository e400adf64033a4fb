import type { Random } from './random.ts';
import {
  BLANK_NODES,
  EXACT_NUMBERS,
  GRAPHS,
  NEW_STRINGS,
  NODES,
  PREDICATES,
  TRIPLE_TERMS,
  type Vocabulary,
} from './terms.ts';

/** A triple in the syntax that N-Quads and SPARQL share. */
export interface TextTriple {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
}

/** What a query may find: by graph name, '' for the default graph; a graph may be empty. */
export type TextDataset = ReadonlyMap<string, readonly TextTriple[]>;

const FLOATING = /#(?:double|float)>$/;

/** The few objects that are not nodes in a world: few, so that they repeat and join. */
function randomLiterals(random: Random, { families, kinds, isNew, isStandard }: Vocabulary): string[] {
  const some = Array.from({ length: 4 }, () => random.pick(families[random.weighted(kinds)]));
  const literals = Array.from({ length: 7 }, () => random.pick(random.pick(some)));
  if (isNew) {
    const inner = `${random.pick(BLANK_NODES)} ${random.pick(PREDICATES)} ${random.pick(literals)}`;
    literals.push(random.pick(NEW_STRINGS), random.pick(TRIPLE_TERMS), random.pick(TRIPLE_TERMS), `<<( ${inner} )>>`);
  }
  if (isStandard || !random.chance(0.2)) return literals;
  return [...literals.filter((literal) => !FLOATING.test(literal)), ...random.some(EXACT_NUMBERS)];
}

function randomTriple(random: Random, literals: readonly string[]): TextTriple {
  const node = () => (random.chance(0.2) ? random.pick(BLANK_NODES) : random.pick(NODES.slice(0, 4)));
  const object = random.weighted<() => string>([
    [5, node],
    [5, () => (literals.length > 0 ? random.pick(literals) : node())],
    [0.3, () => random.pick(GRAPHS)],
    [0.2, () => random.pick(PREDICATES)],
  ])();
  // The name of a graph may be a subject too.
  const subject = random.chance(0.05) ? random.pick(GRAPHS) : node();
  return { subject, predicate: random.pick(PREDICATES.slice(0, 3)), object };
}

/** One world: its triples by graph. A graph that is here with no triples exists all the same. */
function randomWorld(random: Random, vocabulary: Vocabulary): Map<string, TextTriple[]> {
  const literals = randomLiterals(random, vocabulary);
  const world = new Map<string, TextTriple[]>();
  const fill = (graph: string, count: number): void => {
    world.set(
      graph,
      Array.from({ length: count }, () => randomTriple(random, literals)),
    );
  };
  fill('', random.between(5, 14));
  for (const graph of GRAPHS) if (random.chance(0.7)) fill(graph, random.chance(0.2) ? 0 : random.between(1, 7));
  return world;
}

/**
 * Some worlds with their names, and the dataset that they are together. Blank nodes are named
 * apart: each world has its own.
 */
export class RandomDataset {
  readonly worlds: readonly Map<string, TextTriple[]>[];
  readonly merged: TextDataset;
  readonly vocabulary: Vocabulary;

  constructor(random: Random, worldCount: number, vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
    this.worlds = Array.from({ length: worldCount }, () => randomWorld(random, vocabulary));
    const merged = new Map<string, TextTriple[]>();
    this.worlds.forEach((world, number) => {
      const own = (term: string) => term.replace(/_:\w+/g, `$&${number}`);
      for (const [graph, triples] of world) {
        const all = merged.get(graph) ?? [];
        for (const { subject, predicate, object } of triples) {
          all.push({ subject: own(subject), predicate, object: object.startsWith('"') ? object : own(object) });
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
