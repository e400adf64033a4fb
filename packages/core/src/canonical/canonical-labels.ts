import { compareUnits } from '../model/code-point-order.ts';
import type { CanonicalWork } from './canonical-work.ts';
import type { BlankNodeQuad, DatasetLines } from './dataset-lines.ts';
import { hashQuads } from './hash-quads.ts';
import { IdentifierTrail } from './identifier-trail.ts';
import { type HashedNodes, hashNDegree, type WalkHash } from './n-degree-hash.ts';
import { sortBy } from './sort-texts.ts';
import { findTwins } from './twins.ts';

const STRIDE = 256;
/** Memory of one identifier of a walk. */
const IDENTIFIER_BYTES = 8;

/** Result of a walk from one node. */
interface Walk extends WalkHash {
  /** Nodes that received identifiers, in order of issue. */
  readonly nodes: readonly number[];
}

/**
 * Returns, by node, the number N of its canonical label `c14nN` (RDFC-1.0 section 4.4.3, whose step
 * numbers are used here). A kernel.
 */
export function* canonicalNumbers(
  { quadsOf, isPlain }: DatasetLines,
  work: CanonicalWork,
): Generator<void, Int32Array> {
  const canonical = new Int32Array(quadsOf.length).fill(-1);
  let next = 0;
  const issue = (node: number) => {
    if (canonical[node] < 0) canonical[node] = next++;
  };
  // 3
  const firstHashes: string[] = [];
  for (let node = 0; node < quadsOf.length; node++) {
    firstHashes.push(yield* hashFirstDegree(node, quadsOf[node], work));
    if (node % STRIDE === 0) yield;
  }
  // 4
  const shared: number[][] = [];
  for (const group of groupsOf(yield* sortBy([...firstHashes.keys()], byText(firstHashes)), firstHashes)) {
    if (group.length > 1) shared.push(group);
    else issue(group[0]);
  }
  // 5
  if (shared.length === 0) return canonical;
  const twins = yield* findTwins(shared, quadsOf.length, quadsOf, work);
  const nodes: HashedNodes = { quadsOf, isPlain, canonical, firstHashes, twins };
  const trail = new IdentifierTrail(quadsOf.length);
  for (const group of shared) {
    // 5.1 and 5.2
    const walks: Walk[] = [];
    // The walk from a twin already reached would visit the same nodes, with twins swapped.
    const reachedTwins = new Set<number>();
    let claimed = 0;
    for (const node of group) {
      if (canonical[node] >= 0 || reachedTwins.has(node)) continue;
      trail.issue(node);
      const hash = yield* hashNDegree(node, nodes, trail, work);
      const walk = { ...hash, nodes: trail.since(0) };
      trail.backTo(0);
      walks.push(walk);
      for (const reached of walk.nodes) if (twins[reached] === twins[node]) reachedTwins.add(reached);
      work.memory.claimMemory(walk.nodes.length * IDENTIFIER_BYTES);
      claimed += walk.nodes.length * IDENTIFIER_BYTES;
      // A short walk ends before it yields, and a group may have thousands.
      yield;
    }
    // 5.3
    for (const walk of yield* sortBy(walks, byHash)) for (const node of walk.nodes) issue(node);
    work.memory.claimMemory(-claimed);
    yield;
  }
  return canonical;
}

/**
 * Hash First Degree Quads (section 4.6): the hash of a node's quads, with the node as `_:a` and all
 * others as `_:z`.
 */
function* hashFirstDegree(node: number, quads: readonly BlankNodeQuad[], work: CanonicalWork): Generator<void, string> {
  return yield* hashQuads(quads, (other) => (other === node ? '_:a' : '_:z'), work);
}

/** Groups consecutive nodes of equal hash; `sorted` must be ordered by hash. */
function* groupsOf(sorted: readonly number[], hashes: readonly string[]): Generator<number[]> {
  let group: number[] = [];
  for (const node of sorted) {
    if (group.length > 0 && hashes[group[0]] !== hashes[node]) {
      yield group;
      group = [];
    }
    group.push(node);
  }
  if (group.length > 0) yield group;
}

function byText(texts: readonly string[]): (one: number, other: number) => number {
  return (one, other) => compareUnits(texts[one], texts[other]);
}

function byHash(one: Walk, other: Walk): number {
  return compareUnits(one.hash, other.hash) || compareUnits(one.tieBreaker, other.tieBreaker);
}
