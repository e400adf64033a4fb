import type { CanonicalWork } from './canonical-work.ts';
import type { BlankNodeQuad } from './dataset-lines.ts';
import { hashQuads } from './hash-quads.ts';
import { permutations } from './permutations.ts';

/**
 * By node: the first of its twins, itself if it has none. Twins are nodes of which the same is
 * said, to the letter: exchanging them leaves the dataset as it is. Their orders therefore lead to
 * the same canonical form, so that RDFC-1.0, which tries all, need not: twenty empty nodes below
 * one node have more orders than can be tried.
 *
 * @param groups nodes with equal hashes; others have no twins
 * @param nodes how many nodes there are
 */
export function* findTwins(
  groups: readonly (readonly number[])[],
  nodes: number,
  quadsOf: readonly (readonly BlankNodeQuad[])[],
  work: CanonicalWork,
): Generator<void, Int32Array> {
  const twins = new Int32Array(nodes).map((_, node) => node);
  for (const group of groups) {
    const first = new Map<string, number>();
    for (const node of group) {
      const hash = yield* hashExactly(node, quadsOf[node], work);
      const twin = first.get(hash);
      if (twin === undefined) first.set(hash, node);
      else twins[node] = twin;
    }
    yield;
  }
  return twins;
}

/**
 * The hash of the quads of a node, in which all other nodes have names of their own: nodes that
 * mention each other are no twins.
 */
function* hashExactly(node: number, quads: readonly BlankNodeQuad[], work: CanonicalWork): Generator<void, string> {
  return yield* hashQuads(quads, (other) => (other === node ? '_:a' : `_:n${other}`), work);
}

/**
 * The orders of a list of nodes that have no identifiers yet, of those that differ in the order of
 * twins one.
 */
export function* ordersOf(list: number[], twins: Int32Array): Generator<readonly number[], void, void> {
  const places = new Map<number, number[]>();
  for (const node of list) {
    const place = places.get(twins[node]);
    if (place) place.push(node);
    else places.set(twins[node], [node]);
  }
  // A node may be listed twice, then its places count too.
  if (places.size === list.length || new Set(list).size < list.length) {
    yield* permutations(list);
    return;
  }
  const order = new Array<number>(list.length);
  for (const classes of permutations(list.map((node) => twins[node]))) {
    const taken = new Map<number, number>();
    for (const [i, twin] of classes.entries()) {
      const next = taken.get(twin) ?? 0;
      order[i] = places.get(twin)![next];
      taken.set(twin, next + 1);
    }
    yield order;
  }
}
