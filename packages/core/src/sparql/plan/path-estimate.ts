import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import type { PathEnd } from '../exec/path-join.ts';
import type { PathStep } from '../exec/path-walk.ts';
import type { PlanBasis } from './plan-basis.ts';

/** Assumed number of nodes that one step reaches from an unknown node. */
const FAN_OUT = 4;
/** Assumed factor by which a repeated path reaches more nodes than a single step. */
const CLOSURE = 8;

/**
 * Estimates for one path in one graph. Each is computed once: ordering the joins of a group asks
 * for the same ones again with every unit that it places, and a path may have thousands of links.
 */
export class PathEstimates {
  private readonly basis: PlanBasis;
  private readonly path: PathStep;
  private readonly graph: TermId;
  /** Counts of triples, by predicate and known end. */
  private readonly counts = new Map<string, number>();
  private allPairs: number | undefined;
  private readonly ends: [fromObject: number | undefined, fromSubject: number | undefined] = [undefined, undefined];

  constructor(basis: PlanBasis, path: PathStep, graph: TermId) {
    this.basis = basis;
    this.path = path;
    this.graph = graph;
  }

  /** Number of node pairs that the path connects. */
  pairs(): number {
    return (this.allPairs ??= this.pairsOf(this.path));
  }

  /**
   * Number of nodes that the path reaches from its subject, or from its object. The end must be the
   * same in every call: a constant, or a variable with some value.
   */
  endsFrom({ id }: PathEnd, forward: boolean): number {
    return (this.ends[forward ? 1 : 0] ??= this.endsOf(this.path, id, forward));
  }

  private pairsOf(path: PathStep): number {
    switch (path.type) {
      case 'link':
        return path.id === NO_TERM ? 0 : this.count(NO_TERM, path.id, NO_TERM);
      case 'negated':
        return this.count(NO_TERM, NO_TERM, NO_TERM);
      case 'alternative':
        return path.paths.reduce((sum, one) => sum + this.pairsOf(one), 0);
      case 'sequence':
        return path.paths.reduce((most, one) => Math.max(most, this.pairsOf(one)), 0);
      case 'zeroOrOne':
      case 'zeroOrMore':
        return this.pairsOf(path.path) * CLOSURE + this.count(NO_TERM, NO_TERM, NO_TERM);
      case 'oneOrMore':
        return this.pairsOf(path.path) * CLOSURE;
      case 'inverse':
        return this.pairsOf(path.path);
    }
  }

  /** Number of nodes that a path reaches from a node; NO_TERM stands for an unknown node. */
  private endsOf(path: PathStep, node: TermId, forward: boolean): number {
    switch (path.type) {
      case 'link':
      case 'negated': {
        const predicate = path.type === 'link' ? path.id : NO_TERM;
        if (path.type === 'link' && predicate === NO_TERM) return 0;
        if (node === NO_TERM) return FAN_OUT;
        return forward ? this.count(node, predicate, NO_TERM) : this.count(NO_TERM, predicate, node);
      }
      case 'inverse':
        return this.endsOf(path.path, node, !forward);
      case 'alternative':
        return path.paths.reduce((sum, one) => sum + this.endsOf(one, node, forward), 0);
      case 'sequence': {
        const [first, ...rest] = forward ? path.paths : path.paths.toReversed();
        return rest.reduce((ends, one) => ends * this.endsOf(one, NO_TERM, forward), this.endsOf(first, node, forward));
      }
      case 'zeroOrOne':
        return 1 + this.endsOf(path.path, node, forward);
      case 'zeroOrMore':
        return 1 + CLOSURE * this.endsOf(path.path, node, forward);
      case 'oneOrMore':
        return CLOSURE * this.endsOf(path.path, node, forward);
    }
  }

  private count(subject: TermId, predicate: TermId, object: TermId): number {
    const key = `${subject} ${predicate} ${object}`;
    let count = this.counts.get(key);
    if (count === undefined) this.counts.set(key, (count = this.basis.count([subject, predicate, object, this.graph])));
    return count;
  }
}
