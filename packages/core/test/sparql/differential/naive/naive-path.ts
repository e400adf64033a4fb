import type * as RDF from '@rdfjs/types';
import type { Path } from '../../../../src/sparql/algebra/algebra.ts';
import type { TermPool, Triple } from './naive-dataset.ts';

export type Pair = readonly [from: RDF.Term, to: RDF.Term];

/**
 * The pairs of a property path in a graph, a bag (SPARQL 1.1 section 18.4). `x` and `y` are the
 * ends that the pattern has as terms; an end that is a variable there is undefined.
 */
export function pathPairs(
  path: Path,
  graph: readonly Triple[],
  pool: TermPool,
  x: RDF.Term | undefined,
  y: RDF.Term | undefined,
): Pair[] {
  const fits = ([from, to]: Pair): boolean => (!x || from === x) && (!y || to === y);
  const again = (one: Path, from: RDF.Term | undefined, to: RDF.Term | undefined) =>
    pathPairs(one, graph, pool, from, to);
  switch (path.type) {
    case 'link': {
      const iri = pool.of(path.iri);
      return graph
        .filter(({ predicate }) => predicate === iri)
        .map(({ subject, object }): Pair => [subject, object])
        .filter(fits);
    }
    case 'inverse':
      return again(path.path, y, x).map(([from, to]): Pair => [to, from]);
    case 'sequence': {
      const last = path.paths.length - 1;
      // Join(Path(X, P, V), Path(V, Q, Y)) with a fresh variable V, which is not distinct.
      return path.paths.reduce<Pair[]>((left, step, at) => {
        const right = again(step, at === 0 ? x : undefined, at === last ? y : undefined);
        if (at === 0) return right;
        return left.flatMap(([from, middle]) =>
          right.filter(([one]) => one === middle).map(([, to]): Pair => [from, to]),
        );
      }, []);
    }
    case 'alternative':
      return path.paths.flatMap((one) => again(one, x, y));
    case 'zeroOrOne':
      return distinct([...zeroLength(graph, x, y), ...again(path.path, x, y)]);
    case 'zeroOrMore':
    case 'oneOrMore': {
      if (!x && y)
        return pathPairs({ type: path.type, path: { type: 'inverse', path: path.path } }, graph, pool, y, x).map(
          ([a, b]): Pair => [b, a],
        );
      const pairs: Pair[] = [];
      for (const start of x ? [x] : nodesOf(graph)) {
        const seen = new Set<RDF.Term>(
          path.type === 'zeroOrMore' ? [start] : again(path.path, start, undefined).map(([, to]) => to),
        );
        for (const node of seen) for (const [, to] of again(path.path, node, undefined)) seen.add(to);
        for (const end of seen) pairs.push([start, end]);
      }
      return pairs.filter(fits);
    }
    case 'negated': {
      const outside = (iris: readonly RDF.NamedNode[]) => {
        const excluded = new Set(iris.map((iri) => pool.of(iri)));
        return graph.filter(({ predicate }) => !excluded.has(predicate));
      };
      const forward = path.forward ? outside(path.forward).map(({ subject, object }): Pair => [subject, object]) : [];
      const backward = path.backward
        ? outside(path.backward).map(({ subject, object }): Pair => [object, subject])
        : [];
      return [...forward, ...backward].filter(fits);
    }
  }
}

/**
 * Section 18.4, ZeroLengthPath: a term connects to itself, a variable stands for the nodes of the
 * graph.
 */
function zeroLength(graph: readonly Triple[], x: RDF.Term | undefined, y: RDF.Term | undefined): Pair[] {
  if (x && y) return x === y ? [[x, y]] : [];
  const end = x ?? y;
  return end ? [[end, end]] : [...nodesOf(graph)].map((node): Pair => [node, node]);
}

function nodesOf(graph: readonly Triple[]): Set<RDF.Term> {
  return new Set(graph.flatMap(({ subject, object }) => [subject, object]));
}

function distinct(pairs: readonly Pair[]): Pair[] {
  const seen = new Map<RDF.Term, Set<RDF.Term>>();
  return pairs.filter(([from, to]) => {
    const ends = seen.get(from) ?? new Set();
    seen.set(from, ends);
    if (ends.has(to)) return false;
    ends.add(to);
    return true;
  });
}
