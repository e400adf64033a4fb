import { probeOf } from '../../contracts/cursor-probe.ts';
import { QuadBatch, WANT_OBJECT, WANT_PREDICATE, WANT_SUBJECT } from '../../contracts/quad-batch.ts';
import { ProbeBatch, type QuadProbe } from '../../contracts/quad-probe.ts';
import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import { PAUSE, type Pause } from './batch.ts';
import type { Execution } from './execution.ts';
import { MemoryClaims } from './memory-claims.ts';
import { NodeSet } from './node-set.ts';
import { RowNumbers } from './row-numbers.ts';

/**
 * A property path with its IRIs resolved to ids; NO_TERM stands for an IRI that is not in the
 * dataset.
 */
export type PathStep =
  | { readonly type: 'link'; readonly id: TermId }
  | { readonly type: 'inverse'; readonly path: PathStep }
  | { readonly type: 'sequence' | 'alternative'; readonly paths: readonly PathStep[] }
  | { readonly type: 'zeroOrMore' | 'oneOrMore' | 'zeroOrOne'; readonly path: PathStep }
  | { readonly type: 'negated'; readonly forward?: ReadonlySet<TermId>; readonly backward?: ReadonlySet<TermId> };

/** A step from node to node by one quad. */
interface PathLink {
  /** NO_TERM for any predicate that is not excluded. */
  readonly predicate: TermId;
  readonly excluded: ReadonlySet<TermId> | undefined;
  readonly forward: boolean;
}

/** Both ends of quads, as columns. */
export interface LinkEnds {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly length: number;
}

type Repeated = Extract<PathStep, { readonly type: 'zeroOrMore' | 'oneOrMore' | 'zeroOrOne' }>;

/** Number of matches that are read at once from few nodes. */
const FEW_MATCHES = 64;
/** Pairs between two checks of the clock. */
const STRIDE = 1 << 12;
const WANTED = WANT_SUBJECT | WANT_PREDICATE | WANT_OBJECT;
/** Steps of paths between two looks at the clock: long paths take many of them from no node. */
const STEPS_BETWEEN_LOOKS = 64;

type Walk<Result> = Generator<Pause, Result, void>;

/** Nodes reached along a path, each with the number of its origin. Grows as needed. */
export class PathPairs {
  origin = new Uint32Array(16);
  node = new Uint32Array(16);
  length = 0;
  private readonly memory: MemoryClaims;

  constructor(memory: MemoryClaims) {
    this.memory = memory;
  }

  push(origin: number, node: TermId): void {
    if (this.length === this.node.length) this.grow();
    this.origin[this.length] = origin;
    this.node[this.length++] = node;
  }

  private grow(): void {
    this.memory.claimMemory(this.node.byteLength * 2);
    const { origin, node } = this;
    this.origin = new Uint32Array(node.length * 2);
    this.node = new Uint32Array(node.length * 2);
    this.origin.set(origin);
    this.node.set(node);
  }
}

/**
 * Evaluates property paths in one graph (SPARQL 1.1 sections 9 and 18.4). Each step looks up a
 * whole set of nodes, and cycles are followed only once.
 */
export class PathWalk {
  private readonly execution: Execution;
  private readonly probe: QuadProbe;
  /** For few matches: many paths are short, and larger columns would take most of their time. */
  private readonly few: ProbeBatch;
  private many: ProbeBatch | undefined;
  private graph: TermId = NO_TERM;
  private readonly memory: MemoryClaims;
  private steps = 0;

  constructor(execution: Execution) {
    this.execution = execution;
    this.memory = new MemoryClaims(execution);
    this.probe = probeOf(execution.source);
    this.few = new ProbeBatch(Math.min(FEW_MATCHES, execution.batchRows), WANTED);
  }

  enter(graph: TermId): void {
    this.graph = graph;
  }

  /**
   * Returns the nodes at the other end of the path, which is followed backwards if `forward` is
   * false. The result is a bag (section 18.4): links, sequences, alternatives and negated sets
   * yield a node once per way to it; `?`, `*` and `+` yield it once per pair of `from`. With
   * `distinct`, a node may be yielded once per origin instead, which saves work where duplicates do
   * not matter.
   */
  *reach(path: PathStep, from: PathPairs, forward: boolean, distinct = false): Walk<PathPairs> {
    if (this.isLookDue) yield PAUSE;
    switch (path.type) {
      case 'link':
      case 'negated': {
        const ends = this.pairs();
        for (const link of linksOf(path, forward)!) yield* this.follow(link, from, ends);
        return ends;
      }
      case 'inverse':
        return yield* this.reach(path.path, from, !forward, distinct);
      case 'alternative': {
        const ends = this.pairs();
        for (const one of path.paths) yield* this.addAll(ends, yield* this.reach(one, from, forward, distinct));
        return ends;
      }
      case 'sequence': {
        let ends = from;
        for (const one of forward ? path.paths : path.paths.toReversed()) {
          const next: PathPairs = yield* this.reach(one, ends, forward, distinct);
          ends = distinct ? yield* this.once(next) : next;
        }
        return ends;
      }
      case 'zeroOrOne':
      case 'zeroOrMore':
      case 'oneOrMore':
        return distinct || hasOnePairEach(from)
          ? yield* this.reachSet(path, from, forward)
          : yield* this.reachFromEach(path, from, forward);
    }
  }

  /** Returns the nodes that `?`, `*` or `+` reaches, once per origin. */
  private *reachSet({ type, path }: Repeated, from: PathPairs, forward: boolean): Walk<PathPairs> {
    if (type === 'zeroOrMore') return yield* this.closure(path, from, forward);
    const next = yield* this.reach(path, from, forward, true);
    if (type === 'oneOrMore') return yield* this.closure(path, next, forward);
    const ends = this.pairs();
    yield* this.addAll(ends, from);
    yield* this.addAll(ends, next);
    return yield* this.once(ends);
  }

  /**
   * Like {@link reachSet}, for origins with several pairs. Each pair counts separately, because
   * section 18.4 joins the path with the solutions before it. A node shared by several pairs is
   * expanded once.
   */
  private *reachFromEach(path: Repeated, from: PathPairs, forward: boolean): Walk<PathPairs> {
    const numbers = yield* this.number([from.node], from.length, new RowNumbers(1, this.memory));
    const places = this.pairs();
    for (let i = 0; i < from.length; i++) if (numbers[i] === places.length) places.push(places.length, from.node[i]);
    const { firsts, nodes } = this.byOrigin(yield* this.reachSet(path, places, forward), places.length);
    const ends = this.pairs();
    for (let i = 0; i < from.length; i++) {
      for (let at = firsts[numbers[i]]; at < firsts[numbers[i] + 1]; at++) {
        ends.push(from.origin[i], nodes[at]);
        if (ends.length % STRIDE === 0 && this.execution.pauseDue) yield PAUSE;
      }
    }
    return ends;
  }

  /**
   * Groups nodes by origin 0 .. count - 1: those of origin o are
   * `nodes[firsts[o] .. firsts[o + 1] - 1]`.
   */
  private byOrigin({ origin, node, length }: PathPairs, count: number): { firsts: Uint32Array; nodes: Uint32Array } {
    this.memory.claimMemory((count + 2 + length) * Uint32Array.BYTES_PER_ELEMENT);
    const nodes = new Uint32Array(length);
    // Counts are offset by two, so that placing the nodes moves each entry to the start of its
    // origin's range.
    const firsts = new Uint32Array(count + 2);
    for (let i = 0; i < length; i++) firsts[origin[i] + 2]++;
    for (let o = 2; o < firsts.length; o++) firsts[o] += firsts[o - 1];
    for (let i = 0; i < length; i++) nodes[firsts[origin[i] + 1]++] = node[i];
    return { firsts, nodes };
  }

  /**
   * Returns the nodes where a path may begin: all nodes of the graph if a zero-length path matches.
   */
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

  /** Reads all quads of links. Yields the columns of both ends, valid until the next ones. */
  *scan(links: readonly PathLink[]): Generator<Pause | LinkEnds, void, void> {
    const { execution, graph } = this;
    const batch = new QuadBatch(execution.batchRows, WANTED);
    const { subject, predicate, object } = batch;
    const cursor = execution.source.cursor();
    for (const { predicate: wanted, excluded, forward } of links) {
      if (this.isLookDue) yield PAUSE;
      cursor.seek(NO_TERM, wanted, NO_TERM, graph);
      while (cursor.next(batch) > 0) {
        let length = 0;
        for (let row = 0; row < batch.length; row++) {
          if (excluded?.has(predicate[row])) continue;
          subject[length] = subject[row];
          object[length++] = object[row];
        }
        yield forward ? { from: subject, to: object, length } : { from: object, to: subject, length };
        if (execution.pauseDue) yield PAUSE;
      }
    }
  }

  /** Returns whether a term is a node of the graph. */
  isNode(term: TermId): boolean {
    const { source } = this.execution;
    return (
      source.estimate(term, NO_TERM, NO_TERM, this.graph) > 0 || source.estimate(NO_TERM, NO_TERM, term, this.graph) > 0
    );
  }

  /** Creates pairs for start nodes; the origin is the position in the list. */
  pairs(nodes: readonly TermId[] = []): PathPairs {
    const pairs = new PathPairs(this.memory);
    for (let place = 0; place < nodes.length; place++) pairs.push(place, nodes[place]);
    return pairs;
  }

  /** Releases the memory of all pairs. They must no longer be used. */
  forget(): void {
    this.memory.release();
  }

  private *addAll(target: PathPairs, pairs: PathPairs): Walk<void> {
    for (let i = 0; i < pairs.length; i++) {
      target.push(pairs.origin[i], pairs.node[i]);
      if (i % STRIDE === STRIDE - 1 && this.execution.pauseDue) yield PAUSE;
    }
  }

  /** Returns the nodes reachable in any number of steps, including `from`, once per origin. */
  private *closure(path: PathStep, from: PathPairs, forward: boolean): Walk<PathPairs> {
    const links = linksOf(path, forward);
    if (links && hasOneOrigin(from)) return yield* this.closureOfOne(links, from);
    const seen = new RowNumbers(2, this.memory);
    const reached = this.pairs();
    let frontier = this.pairs();
    yield* this.addNew(from, seen, reached, frontier);
    while (frontier.length > 0) {
      const next = yield* this.reach(path, frontier, forward, true);
      frontier = this.pairs();
      yield* this.addNew(next, seen, reached, frontier);
      if (this.execution.pauseDue) yield PAUSE;
    }
    return reached;
  }

  /** The closure of links from nodes of one origin: pairs need not be told apart. */
  private *closureOfOne(links: readonly PathLink[], from: PathPairs): Walk<PathPairs> {
    const [origin] = from.origin;
    const seen = new NodeSet(this.memory);
    const reached = this.pairs();
    for (let i = 0; i < from.length; i++) if (seen.add(from.node[i])) reached.push(origin, from.node[i]);
    for (let start = 0; start < reached.length; ) {
      const end = reached.length;
      for (const link of links) {
        if (this.isLookDue) yield PAUSE;
        for (const found of this.matches(link, reached.node, start, end)) {
          if (found === PAUSE) {
            yield PAUSE;
            continue;
          }
          const nodes = link.forward ? found.object : found.subject;
          for (let i = 0; i < found.length; i++) {
            if (link.excluded?.has(found.predicate[i])) continue;
            if (seen.add(nodes[i])) reached.push(origin, nodes[i]);
          }
        }
      }
      start = end;
    }
    return reached;
  }

  /** Removes duplicate pairs. */
  private *once(pairs: PathPairs): Walk<PathPairs> {
    const kept = this.pairs();
    yield* this.addNew(pairs, new RowNumbers(2, this.memory), kept);
    return kept;
  }

  private *addNew(pairs: PathPairs, seen: RowNumbers, ...targets: readonly PathPairs[]): Walk<void> {
    // Row numbers ascend, so a pair is new exactly if it has the next number.
    let next = seen.size;
    const numbers = yield* this.number([pairs.origin, pairs.node], pairs.length, seen);
    for (let i = 0; i < pairs.length; i++) {
      if (numbers[i] !== next) continue;
      next++;
      for (const target of targets) target.push(pairs.origin[i], pairs.node[i]);
      if (next % STRIDE === 0 && this.execution.pauseDue) yield PAUSE;
    }
  }

  /** Numbers the first `length` rows of the columns, with pauses. */
  private *number(columns: readonly Uint32Array[], length: number, seen: RowNumbers): Walk<Uint32Array> {
    const { execution } = this;
    const numbers = new Uint32Array(length);
    for (let start = 0; start < length; start += STRIDE) {
      const end = Math.min(start + STRIDE, length);
      yield* seen.reserve(end - start, execution);
      seen.assign(columns, start, end, numbers);
      // Also behind the last rows: a deep path numbers a few rows at each of many steps.
      if (execution.pauseDue) yield PAUSE;
    }
    return numbers;
  }

  /** Whether a pause is due. Read it once per step of a path, of which many find nothing. */
  private get isLookDue(): boolean {
    return ++this.steps % STEPS_BETWEEN_LOOKS === 0 && this.execution.pauseDue;
  }

  /** Appends the other ends of the quads of a link. */
  private *follow(link: PathLink, from: PathPairs, ends: PathPairs): Walk<void> {
    const { excluded, forward } = link;
    for (const found of this.matches(link, from.node, 0, from.length)) {
      if (found === PAUSE) {
        yield PAUSE;
        continue;
      }
      const other = forward ? found.object : found.subject;
      for (let i = 0; i < found.length; i++) {
        if (!excluded?.has(found.predicate[i])) ends.push(from.origin[found.row[i]], other[i]);
      }
    }
  }

  /**
   * Looks up a link from `nodes[from .. to - 1]`. Yields its quads in batches, also of predicates
   * that it excludes; `row` is the index of the node.
   */
  private *matches(
    { predicate, forward }: PathLink,
    nodes: Uint32Array,
    from: number,
    to: number,
  ): Generator<ProbeBatch | Pause, void, void> {
    const { probe, graph, execution } = this;
    const { batchRows } = execution;
    let found = to - from <= this.few.capacity ? this.few : this.large;
    for (let start = from; start < to; start += batchRows) {
      const length = Math.min(batchRows, to - start);
      const keys = start === 0 ? nodes : nodes.subarray(start, start + length);
      const subject = forward ? keys : NO_TERM;
      const object = forward ? NO_TERM : keys;
      probe.begin({ subject, predicate, object, graph }, length);
      while (probe.next(found) > 0) {
        if (start > 0) for (let i = 0; i < found.length; i++) found.row[i] += start;
        yield found;
        if (execution.pauseDue) yield PAUSE;
        if (found.length === found.capacity) found = this.large;
      }
    }
  }

  private get large(): ProbeBatch {
    this.many ??= new ProbeBatch(this.execution.batchRows, WANTED);
    return this.many;
  }

  private *ends(predicate: TermId, subjects: boolean, objects: boolean): Walk<ReadonlySet<TermId>> {
    const { execution } = this;
    const nodes = new Set<TermId>();
    const batch = new QuadBatch(execution.batchRows, WANT_SUBJECT | WANT_OBJECT);
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

/**
 * Whether every origin has one pair, as at the start of a path. Then per-origin and per-pair
 * results are the same.
 */
function hasOnePairEach({ origin, length }: PathPairs): boolean {
  for (let i = 1; i < length; i++) if (origin[i] <= origin[i - 1]) return false;
  return true;
}

/**
 * Returns the links of which a path matches one, in a direction; undefined if it may match several
 * in sequence, or none.
 */
export function linksOf(path: PathStep, forward: boolean): readonly PathLink[] | undefined {
  switch (path.type) {
    case 'link':
      return path.id === NO_TERM ? [] : [{ predicate: path.id, excluded: undefined, forward }];
    case 'negated': {
      // Section 9.3: `!(a|^b)` matches forward links other than `a` and backward links other than
      // `b`; a direction without members is not followed.
      const links: PathLink[] = [];
      if (path.forward) links.push({ predicate: NO_TERM, excluded: path.forward, forward });
      if (path.backward) links.push({ predicate: NO_TERM, excluded: path.backward, forward: !forward });
      return links;
    }
    case 'inverse':
      return linksOf(path.path, !forward);
    case 'alternative': {
      const links: PathLink[] = [];
      for (const one of path.paths) {
        const own = linksOf(one, forward);
        if (!own) return undefined;
        links.push(...own);
      }
      return links;
    }
    default:
      return undefined;
  }
}

function hasOneOrigin({ origin, length }: PathPairs): boolean {
  for (let i = 1; i < length; i++) if (origin[i] !== origin[0]) return false;
  return true;
}

/** Returns whether a path has zero-length matches. */
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
 * Returns how often a path connects a term that is not a node of the graph to itself (section 18.4,
 * ZeroLengthPath). A zero-length path always matches a term written in the pattern, but binds a
 * variable only to nodes of the graph. The ends between the steps of a sequence are variables.
 */
export function matchesOutside(path: PathStep, subjectIsTerm: boolean, objectIsTerm: boolean): number {
  switch (path.type) {
    case 'zeroOrMore':
    case 'zeroOrOne':
      return subjectIsTerm || objectIsTerm ? 1 : 0;
    case 'oneOrMore':
      // Followed from an end that is a term to a variable.
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
