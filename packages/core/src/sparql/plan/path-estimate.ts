import type { QuadSource } from '../../contracts/quad-source.ts';
import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import type { PathStep } from '../exec/path-walk.ts';

/** Assumed number of nodes that one step reaches from an unknown node. */
const FAN_OUT = 4;
/** Assumed factor by which a repeated path reaches more nodes than a single step. */
const CLOSURE = 8;

/** Estimates the number of node pairs that a path connects in a graph. */
export function pathPairs(path: PathStep, source: QuadSource, graph: TermId): number {
  switch (path.type) {
    case 'link':
      return path.id === NO_TERM ? 0 : source.estimate(NO_TERM, path.id, NO_TERM, graph);
    case 'negated':
      return source.estimate(NO_TERM, NO_TERM, NO_TERM, graph);
    case 'alternative':
      return path.paths.reduce((sum, one) => sum + pathPairs(one, source, graph), 0);
    case 'sequence':
      return path.paths.reduce((most, one) => Math.max(most, pathPairs(one, source, graph)), 0);
    case 'zeroOrOne':
    case 'zeroOrMore':
      return pathPairs(path.path, source, graph) * CLOSURE + source.estimate(NO_TERM, NO_TERM, NO_TERM, graph);
    case 'oneOrMore':
      return pathPairs(path.path, source, graph) * CLOSURE;
    case 'inverse':
      return pathPairs(path.path, source, graph);
  }
}

/**
 * Estimates the number of nodes that a path reaches from one node; NO_TERM stands for an unknown
 * node.
 */
export function pathEnds(path: PathStep, node: TermId, forward: boolean, source: QuadSource, graph: TermId): number {
  switch (path.type) {
    case 'link':
    case 'negated': {
      const predicate = path.type === 'link' ? path.id : NO_TERM;
      if (path.type === 'link' && predicate === NO_TERM) return 0;
      if (node === NO_TERM) return FAN_OUT;
      return forward
        ? source.estimate(node, predicate, NO_TERM, graph)
        : source.estimate(NO_TERM, predicate, node, graph);
    }
    case 'inverse':
      return pathEnds(path.path, node, !forward, source, graph);
    case 'alternative':
      return path.paths.reduce((sum, one) => sum + pathEnds(one, node, forward, source, graph), 0);
    case 'sequence': {
      const [first, ...rest] = forward ? path.paths : path.paths.toReversed();
      return rest.reduce(
        (ends, one) => ends * pathEnds(one, NO_TERM, forward, source, graph),
        pathEnds(first, node, forward, source, graph),
      );
    }
    case 'zeroOrOne':
      return 1 + pathEnds(path.path, node, forward, source, graph);
    case 'zeroOrMore':
      return 1 + CLOSURE * pathEnds(path.path, node, forward, source, graph);
    case 'oneOrMore':
      return CLOSURE * pathEnds(path.path, node, forward, source, graph);
  }
}
