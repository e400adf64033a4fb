import { SeededRandom } from '@rdf-worlds/testkit';
import { expect, it } from 'vitest';
import { WorldGraphs } from '../../src/quads/world-graphs.ts';

/** Graphs with contexts, of which a later state has some, some in other contexts, and others. */
function randomGraphs(random: SeededRandom, contextOf: (graph: number) => number): Map<number, number> {
  const graphs = Array.from({ length: 30 }, (_, at) => 100 + at).filter(() => random.chance(0.4));
  return new Map(graphs.map((graph) => [graph, contextOf(graph)]));
}

const stateOf = (graphs: ReadonlyMap<number, number>) =>
  new WorldGraphs(1, 1, new Uint32Array(0), new Uint32Array(0)).with(graphs);

it('finds the graphs that another state does not have, or has in other contexts', () => {
  for (let seed = 0; seed < 200; seed++) {
    const random = new SeededRandom(seed);
    const earlier = randomGraphs(random, (graph) => graph);
    const later = randomGraphs(random, (graph) => (random.chance(0.8) ? graph : graph + 1000));
    const expected = [...earlier].filter(([graph, context]) => later.get(graph) !== context);
    const { graphs, contexts } = stateOf(earlier).notIn(stateOf(later));
    expect(graphs.map((graph, at) => [graph, contexts[at]])).toEqual(expected);
  }
});

it('renames the graphs from an id on, and sorts them again', () => {
  const graphs = new Map([3, 7, 20, 21].map((graph) => [graph, graph * 10]));
  const renamed = stateOf(graphs).renamed(20, (graph) => (graph === 20 ? 9 : 5));
  expect([...renamed.graphs]).toEqual([3, 5, 7, 9]);
  expect([...renamed.contexts]).toEqual([30, 210, 70, 200]);
  expect(renamed.defaultContext).toBe(1);
  expect([...stateOf(graphs).from(8)]).toEqual([20, 21]);
  const same = stateOf(graphs);
  expect(same.renamed(22, () => 0)).toBe(same);
});
