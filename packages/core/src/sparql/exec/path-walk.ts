import { QuadBatch, type QuadCursor } from '../../storage/quad-source.ts';
import { NO_TERM, type TermId } from '../../storage/term-source.ts';
import { PAUSE, type Pause } from './batch.ts';
import type { Execution } from './execution.ts';

/** A property path with its IRIs as ids; NO_TERM for an IRI that the dataset does not know. */
export type PathStep =
  | { readonly type: 'link'; readonly id: TermId }
  | { readonly type: 'inverse'; readonly path: PathStep }
  | { readonly type: 'sequence' | 'alternative'; readonly paths: readonly PathStep[] }
  | { readonly type: 'zeroOrMore' | 'oneOrMore' | 'zeroOrOne'; readonly path: PathStep }
  | { readonly type: 'negated'; readonly forward?: ReadonlySet<TermId>; readonly backward?: ReadonlySet<TermId> };

type Walk<Result> = Generator<Pause, Result, void>;

/** Nodes between two looks at the clock. */
const STRIDE = 64;

/** Follows property paths from node to node in one graph (SPARQL 1.1 sections 9 and 18.4). Cycles are walked once. */
export class PathWalk {
  private readonly execution: Execution;
  private readonly cursor: QuadCursor;
  private readonly batch = new QuadBatch(256);
  private graph: TermId = NO_TERM;
  private visits = 0;

  constructor(execution: Execution) {
    this.execution = execution;
    this.cursor = execution.source.cursor();
  }

  enter(graph: TermId): void {
    this.graph = graph;
  }

  /**
   * The nodes at the other end of the path, seen from `node`; against its direction when `forward` is false. It is a bag: links, sequences,
   * alternatives and negated sets give a node as often as there are ways to it (section 18.4), unless `distinct`, which saves the work where it makes
   * no difference.
   */
  *reach(path: PathStep, node: TermId, forward: boolean, distinct = false): Walk<readonly TermId[]> {
    switch (path.type) {
      case 'link':
        return path.id === NO_TERM ? [] : this.neighbours(node, path.id, forward);
      case 'inverse':
        return yield* this.reach(path.path, node, !forward, distinct);
      case 'negated':
        return this.negated(path.forward, path.backward, node, forward);
      case 'alternative': {
        const found: TermId[] = [];
        for (const one of path.paths)
          for (const end of yield* this.reach(one, node, forward, distinct)) found.push(end);
        return found;
      }
      case 'sequence': {
        let ends: readonly TermId[] = [node];
        for (const one of forward ? path.paths : path.paths.toReversed()) {
          const next: TermId[] = [];
          for (const middle of distinct ? new Set(ends) : ends) {
            for (const end of yield* this.reach(one, middle, forward, distinct)) next.push(end);
            if (++this.visits % STRIDE === 0 && this.execution.pauseDue) yield PAUSE;
          }
          ends = next;
        }
        return ends;
      }
      case 'zeroOrOne':
        return [...new Set(yield* this.reach(path.path, node, forward, true)).add(node)];
      case 'zeroOrMore':
        return [...(yield* this.closure(path.path, [node], forward))];
      case 'oneOrMore':
        return [...(yield* this.closure(path.path, yield* this.reach(path.path, node, forward, true), forward))];
    }
  }

  /** Nodes from which a path may begin, each once: all nodes of the graph where a path of length zero is possible. */
  *starts(path: PathStep): Walk<ReadonlySet<TermId>> {
    switch (path.type) {
      case 'link':
        return path.id === NO_TERM ? new Set() : yield* this.ends(path.id, true, false);
      case 'inverse':
        return path.path.type === 'link' && path.path.id !== NO_TERM
          ? yield* this.ends(path.path.id, false, true)
          : yield* this.ends(NO_TERM, true, true);
      case 'sequence':
        return isOptional(path.paths[0]) ? yield* this.ends(NO_TERM, true, true) : yield* this.starts(path.paths[0]);
      case 'alternative': {
        const all = new Set<TermId>();
        for (const one of path.paths) for (const node of yield* this.starts(one)) all.add(node);
        return all;
      }
      case 'oneOrMore':
        return yield* this.starts(path.path);
      default:
        return yield* this.ends(NO_TERM, true, true);
    }
  }

  /** Whether a term is a node of the graph. */
  isNode(term: TermId): boolean {
    const { source } = this.execution;
    return (
      source.estimate(term, NO_TERM, NO_TERM, this.graph) > 0 || source.estimate(NO_TERM, NO_TERM, term, this.graph) > 0
    );
  }

  private *closure(path: PathStep, from: Iterable<TermId>, forward: boolean): Walk<ReadonlySet<TermId>> {
    // A set gives what is added while it is walked through, so it is the queue too.
    const seen = new Set(from);
    for (const node of seen) {
      if (++this.visits % STRIDE === 0 && this.execution.pauseDue) yield PAUSE;
      const next =
        path.type === 'link' ? this.neighbours(node, path.id, forward) : yield* this.reach(path, node, forward, true);
      for (const end of next) seen.add(end);
    }
    return seen;
  }

  private neighbours(node: TermId, predicate: TermId, forward: boolean): TermId[] {
    const { cursor, batch } = this;
    if (predicate === NO_TERM) return [];
    if (forward) cursor.seek(node, predicate, NO_TERM, this.graph);
    else cursor.seek(NO_TERM, predicate, node, this.graph);
    const found: TermId[] = [];
    while (cursor.next(batch) > 0) {
      const column = forward ? batch.object : batch.subject;
      for (let row = 0; row < batch.length; row++) found.push(column[row]);
    }
    return found;
  }

  /** SPARQL 1.1 section 9.3: `!(a|^b)` is what neither `a` leads to nor `b` leads from; a direction that is not named is not walked. */
  private negated(
    forwardSet: ReadonlySet<TermId> | undefined,
    backwardSet: ReadonlySet<TermId> | undefined,
    node: TermId,
    forward: boolean,
  ): TermId[] {
    const found: TermId[] = [];
    const collect = (excluded: ReadonlySet<TermId>, along: boolean): void => {
      const { cursor, batch } = this;
      if (along) cursor.seek(node, NO_TERM, NO_TERM, this.graph);
      else cursor.seek(NO_TERM, NO_TERM, node, this.graph);
      while (cursor.next(batch) > 0) {
        const column = along ? batch.object : batch.subject;
        for (let row = 0; row < batch.length; row++) if (!excluded.has(batch.predicate[row])) found.push(column[row]);
      }
    };
    if (forwardSet) collect(forwardSet, forward);
    if (backwardSet) collect(backwardSet, !forward);
    return found;
  }

  private *ends(predicate: TermId, subjects: boolean, objects: boolean): Walk<ReadonlySet<TermId>> {
    const { execution } = this;
    const nodes = new Set<TermId>();
    const batch = new QuadBatch(execution.batchRows);
    const cursor = execution.source.cursor();
    cursor.seek(NO_TERM, predicate, NO_TERM, this.graph);
    while (cursor.next(batch) > 0) {
      for (let row = 0; row < batch.length; row++) {
        if (subjects) nodes.add(batch.subject[row]);
        if (objects) nodes.add(batch.object[row]);
      }
      if (execution.pauseDue) yield PAUSE;
    }
    return nodes;
  }
}

/** Whether a path has matches of length zero. */
export function isOptional(path: PathStep): boolean {
  switch (path.type) {
    case 'zeroOrMore':
    case 'zeroOrOne':
      return true;
    case 'sequence':
      return path.paths.every(isOptional);
    case 'alternative':
      return path.paths.some(isOptional);
    case 'inverse':
    case 'oneOrMore':
      return isOptional(path.path);
    default:
      return false;
  }
}

/**
 * How often a path connects a term that is no node of the graph to itself (section 18.4, ZeroLengthPath): a term that stands in the path pattern
 * matches a path of length zero wherever it is, a variable only stands for nodes. Between the steps of a sequence there are variables.
 */
export function matchesOutside(path: PathStep, subjectIsTerm: boolean, objectIsTerm: boolean): number {
  switch (path.type) {
    case 'zeroOrMore':
    case 'zeroOrOne':
      return subjectIsTerm || objectIsTerm ? 1 : 0;
    case 'oneOrMore':
      // Walked from the end that is a term, to a variable.
      return Math.min(
        1,
        subjectIsTerm ? matchesOutside(path.path, true, false) : matchesOutside(path.path, false, objectIsTerm),
      );
    case 'inverse':
      return matchesOutside(path.path, objectIsTerm, subjectIsTerm);
    case 'alternative':
      return path.paths.reduce((sum, one) => sum + matchesOutside(one, subjectIsTerm, objectIsTerm), 0);
    case 'sequence': {
      const last = path.paths.length - 1;
      return path.paths.reduce(
        (product, one, at) => product * matchesOutside(one, at === 0 && subjectIsTerm, at === last && objectIsTerm),
        1,
      );
    }
    default:
      return 0;
  }
}
