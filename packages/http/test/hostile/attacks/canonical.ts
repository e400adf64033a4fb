import { type Attack, type HostileRequest, importOf, json, list } from '../attack.ts';
import { burst, many } from './burst.ts';

const quads = (text: string) => importOf(text, 'application/n-quads');
const edge = (one: number | string, other: number | string, predicate = 'p') =>
  `_:b${one} <urn:${predicate}> _:b${other} .\n`;
/** An edge of an undirected graph. */
const both = (one: number | string, other: number | string) => edge(one, other) + edge(other, one);

const bipartite = (n: number) => list(n, (i) => list(n, (j) => both(`l${i}`, `r${j}`), ''), '');
const cliques = (count: number, n: number) =>
  list(count, (k) => list(n, (i) => list(n, (j) => (i === j ? '' : edge(`${k}x${i}`, `${k}x${j}`)), ''), ''), '');
const ring = (n: number) => list(n, (i) => both(i, (i + 1) % n), '');
const ladder = (n: number) =>
  list(n, (i) => both(i, (i + 1) % n) + both(`o${i}`, `o${(i + 1) % n}`) + both(i, `o${i}`), '');
/** Nodes with the same neighbours as many others: hubs that share their leaves. */
const sharedLeaves = (hubs: number, leaves: number) =>
  list(hubs, (i) => list(leaves, (j) => edge(`h${i}`, `l${j}`), ''), '');
const stars = (count: number, leaves: number) =>
  list(count, (i) => list(leaves, (j) => edge(`h${i}`, `l${i}x${j}`), ''), '');
const hypercube = (dimensions: number) =>
  list(2 ** dimensions, (i) => list(dimensions, (j) => edge(i, i ^ (1 << j)), ''), '');
const namedByNodes = (n: number) => list(n, (i) => `_:b${i} <urn:p> _:b${(i + 1) % n} _:g${i % 50} .\n`, '');

/**
 * A graph of Cai, Fürer and Immerman over a Möbius ladder, as Miyazaki's are: colours do not tell
 * its nodes apart. A twisted one is not isomorphic to one that is not, and looks the same
 * everywhere.
 */
function twisted(rungs: number, isTwisted: boolean): string {
  const n = 2 * rungs;
  const lines: string[] = [];
  const neighbours = (v: number) => [(v + 1) % n, (v + n - 1) % n, (v + rungs) % n];
  for (let v = 0; v < n; v++) {
    for (let even = 0; even < 8; even++) {
      // The inner nodes of a gadget are the subsets of even size of its three edges.
      if ([0, 3, 5, 6].every((set) => set !== even)) continue;
      for (const [j, w] of neighbours(v).entries()) lines.push(both(`i${v}x${even}`, `o${v}x${w}x${(even >> j) & 1}`));
    }
    for (const w of neighbours(v)) {
      if (w < v) continue;
      const swap = isTwisted && v === 0 && w === 1 ? 1 : 0;
      for (const bit of [0, 1]) lines.push(both(`o${v}x${w}x${bit}`, `o${w}x${v}x${bit ^ swap}`));
    }
  }
  return lines.join('');
}

/** Blank nodes in triple terms inside one another. */
const quoted = (n: number) =>
  list(n, (i) => `_:b${i} <urn:p> <<( _:b${i} <urn:q> <<( _:b${(i + 1) % n} <urn:q> _:b${(i + 2) % n} )>> )>> .\n`, '');

/** By name: a graph at a size, and one of the same look that is different. */
const GRAPHS: Readonly<Record<string, readonly [(size: number) => string, (size: number) => string]>> = {
  'a complete bipartite graph': [(size) => bipartite(3 + size), (size) => bipartite(2 + size)],
  'thousands of small cliques': [(size) => cliques(60 * size, 4), (size) => cliques(48 * size, 5)],
  'rings in both directions': [(size) => ring(500 * size), (size) => ring(499 * size)],
  'a prism': [(size) => ladder(60 * size), (size) => ladder(59 * size)],
  'hubs that share their leaves': [(size) => sharedLeaves(2, 5_000 * size), (size) => sharedLeaves(2, 4_999 * size)],
  'hubs with leaves of their own': [(size) => stars(2, 5_000 * size), (size) => stars(2, 4_999 * size)],
  'a hypercube': [(size) => hypercube(3 + Math.log2(size)), (size) => hypercube(3 + Math.log2(size))],
  'graphs named by blank nodes': [(size) => namedByNodes(500 * size), (size) => namedByNodes(499 * size)],
  'a twisted graph over a ladder': [(size) => twisted(2 + size, false), (size) => twisted(2 + size, true)],
  'triple terms of blank nodes': [(size) => quoted(400 * size), (size) => quoted(399 * size)],
};

const exported = (as?: HostileRequest['as']) => ({ ...json('POST', '/worlds/w/export', { canonicalOrder: true }), as });
const OTHER = json('POST', '/worlds', { slug: 'other' });
const intoOther = (data: string) =>
  json('POST', '/worlds/other/import', {
    data: Buffer.from(data).toString('base64'),
    contentType: 'application/n-quads',
  });

/** Nothing that these ask for must be answered: a limit may be exceeded first. */
const LIMITED = [200, 400, 503] as const;

const SINGLE: readonly Attack[] = Object.entries(GRAPHS).flatMap(([name, [graph, other]]): Attack[] => [
  {
    name: `canonical: ${name}`,
    route: 'exportWorld',
    before: (size) => [quads(graph(size))],
    at: () => exported(),
    statuses: LIMITED,
    cost: 'answer',
  },
  {
    name: `canonical: a difference to ${name}`,
    route: 'diffWorlds',
    before: (size) => [quads(graph(size)), OTHER, intoOther(other(size))],
    at: () => json('POST', '/worlds/w/diff', { to: { source: 'mallet/other' } }),
    statuses: LIMITED,
    cost: 'answer',
  },
]);

export const CANONICAL: readonly Attack[] = [
  ...SINGLE,
  {
    name: 'canonical: many exports of a poisoned graph together',
    route: 'exportWorld',
    before: () => [quads(twisted(12, false))],
    at: (size) => burst(many(4 * size, (i) => exported(i % 2 ? 'guest' : 'mallory'))),
    statuses: [...LIMITED, 429],
    cost: 'answer',
  },
  {
    name: 'canonical: many differences of long chains together',
    route: 'diffWorlds',
    before: () => [quads(ring(5_000)), OTHER, intoOther(ring(4_999))],
    at: (size) => burst(many(4 * size, () => json('POST', '/worlds/w/diff', { to: { source: 'mallet/other' } }))),
    statuses: [...LIMITED, 429],
    cost: 'answer',
  },
  {
    name: 'canonical: triples of new blank nodes',
    route: 'sparqlWorld',
    at: (size) =>
      json('POST', '/worlds/w/sparql', {
        query: `CONSTRUCT { ${list(5 * size, (i) => `_:x${i} <urn:p> _:x${(i + 1) % (5 * size)} .`)} } WHERE { ?s ?p ?o }`,
        canonicalOrder: true,
      }),
    statuses: LIMITED,
    cost: 'answer',
  },
];
