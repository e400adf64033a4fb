import type { CanonicalWork } from './canonical-work.ts';
import { type DatasetLines, lineOf } from './dataset-lines.ts';
import type { IdentifierTrail } from './identifier-trail.ts';
import { PathText } from './path-text.ts';
import { sortTexts } from './sort-texts.ts';
import type { TextHash } from './text-hash.ts';
import { LIST_STRIDE, ordersOf } from './twins.ts';

/** Steps between two opportunities to pause. */
const STRIDE = 64;
/** Memory of one level of the walk. */
const LEVEL_BYTES = 2048;
/** Memory of one related blank node with its hash. */
const RELATED_BYTES = 200;
/** Yielded by a level that requests a pause, not a node. */
const PAUSE = -1;
const NO_TEXT = new PathText();

/** Labels and hashes that the walk reads. */
export interface HashedNodes extends Pick<DatasetLines, 'quadsOf' | 'isPlain'> {
  /** By node: its canonical number, or -1. */
  readonly canonical: Int32Array;
  /** By node: its hash by Hash First Degree Quads. */
  readonly firstHashes: readonly string[];
  /** By node: the first of its twins (see `findTwins`). */
  readonly twins: Int32Array;
}

/** Result of a walk for its start node. */
export interface WalkHash {
  /** The hash defined by RDFC-1.0. */
  readonly hash: string;
  /**
   * A hash of every quad of the walk with the walk's identifiers; empty for plain datasets.
   * RDFC-1.0 hashes the position of a related node in a quad but not the rest of the quad: for
   * `_:a <p> _:b _:c` it cannot tell whether the node itself is `_:a` or `_:c`. Different walks may
   * therefore have equal hashes, and the specification takes the first one, in an unspecified
   * order. Here the smallest tie-breaker decides, which makes the form independent of the input
   * order: each quad is hashed at the last of its nodes, with the identifiers of all others, so
   * equal tie-breakers imply an automorphism.
   */
  readonly tieBreaker: string;
}

/**
 * Hash N-Degree Quads (RDFC-1.0 section 4.8): hashes the neighbourhood of a node by walking to
 * adjacent blank nodes, in the order that gives the smallest path. On return, the trail holds the
 * identifiers of the walk.
 *
 * Each level of the walk is a generator that yields the next node to visit and receives its hash.
 * The stack of levels is explicit, because a walk may be as long as the graph is large.
 */
export function* hashNDegree(
  start: number,
  nodes: HashedNodes,
  trail: IdentifierTrail,
  work: CanonicalWork,
): Generator<void, WalkHash> {
  const levels = [walkLevel(start, nodes, trail, work)];
  work.memory.claimMemory(LEVEL_BYTES);
  let hash: WalkHash = { hash: '', tieBreaker: '' };
  let steps = 0;
  for (;;) {
    const step = levels.at(-1)!.next(hash);
    if (step.done) {
      hash = step.value;
      levels.pop();
      work.memory.claimMemory(-LEVEL_BYTES);
      if (levels.length === 0) return hash;
    } else if (step.value !== PAUSE) {
      levels.push(walkLevel(step.value, nodes, trail, work));
      work.memory.claimMemory(LEVEL_BYTES);
    }
    if (++steps % STRIDE === 0) yield;
  }
}

/** One level of the walk. Steps are numbered as in section 4.8.3. */
function* walkLevel(
  node: number,
  nodes: HashedNodes,
  trail: IdentifierTrail,
  work: CanonicalWork,
): Generator<number, WalkHash, WalkHash> {
  const { canonical, isPlain } = nodes;
  const ties = isPlain ? undefined : yield* hashOfQuads(node, nodes, trail, work);
  // 1 to 3
  const related = yield* relatedNodes(node, nodes, trail, work);
  let relatedBytes = 0;
  for (const list of related.values()) relatedBytes += list.length * RELATED_BYTES;
  work.memory.claimMemory(relatedBytes);
  // 4
  const data = work.newHash();
  // 5: "sorted in code point order by related hash"
  for (const relatedHash of [...related.keys()].sort()) {
    // 5.1
    data.update(relatedHash);
    // 5.2 and 5.3
    let chosenPath: PathText | undefined;
    let chosenTies = NO_TEXT;
    /** Identifiers of the chosen path; undefined while the trail holds them. */
    let chosen: readonly number[] | undefined;
    const before = trail.length;
    // 5.4
    next: for (const permutation of ordersOf(related.get(relatedHash)!, nodes.twins)) {
      yield PAUSE;
      if (!permutation) continue;
      work.countSteps(permutation.length);
      // 5.4.1: revoke the identifiers of the previous permutation. Copying those of the only one at
      // each level would take the square of the walk's length.
      if (chosenPath) chosen ??= trail.since(before);
      trail.backTo(before);
      // 5.4.2 and 5.4.3
      const path = new PathText();
      const pathTies = new PathText();
      const recursion: number[] = [];
      // 5.4.4
      for (let i = 0; i < permutation.length; i++) {
        if (i % LIST_STRIDE === LIST_STRIDE - 1) yield PAUSE;
        const each = permutation[i];
        if (canonical[each] >= 0) path.add(`_:c14n${canonical[each]}`);
        else {
          if (!trail.has(each)) recursion.push(each);
          path.add(`_:b${trail.issue(each)}`);
        }
      }
      if (isWorse(path, chosenPath)) continue;
      // 5.4.5
      for (const each of recursion) {
        const { hash, tieBreaker } = yield each;
        path.add(`_:b${trail.issue(each)}<${hash}>`);
        pathTies.add(tieBreaker);
        if (isWorse(path, chosenPath)) continue next;
      }
      // 5.4.6
      const order = chosenPath ? path.compare(chosenPath) || pathTies.compare(chosenTies) : -1;
      if (order < 0) {
        chosenPath = path;
        chosenTies = pathTies;
        chosen = undefined;
      }
    }
    // 5.5
    if (chosenPath) yield* updateWith(data, chosenPath);
    if (ties) yield* updateWith(ties, chosenTies);
    // 5.6
    if (!chosen) continue;
    trail.backTo(before);
    for (const each of chosen) trail.issue(each);
  }
  work.memory.claimMemory(-relatedBytes);
  // 6
  return { hash: data.digest(), tieBreaker: ties?.digest() ?? '' };
}

/** Starts a tie-breaker: hashes the quads of a node with the current names of all blank nodes. */
function* hashOfQuads(
  node: number,
  nodes: HashedNodes,
  trail: IdentifierTrail,
  work: CanonicalWork,
): Generator<number, TextHash> {
  const label = (other: number) => (other === node ? '_:a' : nameOf(other, nodes, trail));
  const lines: string[] = [];
  for (const quad of nodes.quadsOf[node]) if (lines.push(lineOf(quad, label)) % STRIDE === 0) yield PAUSE;
  const hash = work.newHash();
  const sorting = sortTexts(lines);
  let sorted = sorting.next();
  for (; !sorted.done; sorted = sorting.next()) yield PAUSE;
  for (const line of sorted.value) hash.update(line);
  return hash;
}

/**
 * Returns the current name of a blank node: its canonical label, else its identifier in the walk,
 * else the hash of its own quads.
 */
function nameOf(node: number, { canonical, firstHashes }: HashedNodes, trail: IdentifierTrail): string {
  if (canonical[node] >= 0) return `_:c14n${canonical[node]}`;
  return trail.has(node) ? `_:b${trail.issue(node)}` : firstHashes[node];
}

/**
 * "If chosen path is not empty and the length of path is greater than or equal to the length of
 * chosen path and path is greater than chosen path when considering code point order."
 */
function isWorse(path: PathText, chosenPath: PathText | undefined): boolean {
  return chosenPath !== undefined && path.length >= chosenPath.length && path.compare(chosenPath) > 0;
}

function* updateWith(hash: TextHash, text: PathText): Generator<number, void> {
  for (let i = 0; i < text.parts; i++) {
    if (i > 0) yield PAUSE;
    hash.update(text.part(i));
  }
}

/**
 * Returns the other blank nodes in a node's quads by hash (Hash Related Blank Node, section 4.7).
 */
function* relatedNodes(
  node: number,
  all: HashedNodes,
  trail: IdentifierTrail,
  work: CanonicalWork,
): Generator<number, Map<string, number[]>> {
  const related = new Map<string, number[]>();
  let seen = 0;
  for (const { nodes, positions } of all.quadsOf[node]) {
    for (let i = 0; i < nodes.length; i++) {
      const other = nodes[i];
      if (other === node) continue;
      // The position already includes the predicate.
      const hash = work.hash(positions[i] + nameOf(other, all, trail));
      const list = related.get(hash);
      if (list) list.push(other);
      else related.set(hash, [other]);
    }
    work.countSteps(1);
    if (++seen % STRIDE === 0) yield PAUSE;
  }
  return related;
}
