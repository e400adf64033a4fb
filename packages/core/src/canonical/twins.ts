import type { CanonicalWork } from './canonical-work.ts';
import type { BlankNodeQuad } from './dataset-lines.ts';
import { hashQuads } from './hash-quads.ts';
import { permutations } from './permutations.ts';
import { sortBy } from './sort-texts.ts';

/** Nodes between two opportunities to pause. */
const STRIDE = 64;

/**
 * Returns, by node, the first of its twins, or the node itself. Twins are nodes with textually
 * identical quads: swapping them leaves the dataset unchanged, so their orders lead to the same
 * canonical form. RDFC-1.0 tries all orders; skipping those of twins makes cases such as twenty
 * empty nodes below one node feasible.
 *
 * @param groups nodes with equal hashes; others have no twins
 * @param nodes total number of nodes
 */
export function* findTwins(
  groups: readonly (readonly number[])[],
  nodes: number,
  quadsOf: readonly (readonly BlankNodeQuad[])[],
  work: CanonicalWork,
): Generator<void, Int32Array> {
  const twins = new Int32Array(nodes).map((_, node) => node);
  let hashed = 0;
  for (const group of groups) {
    const first = new Map<string, number>();
    for (const node of group) {
      const hash = yield* hashExactly(node, quadsOf[node], work);
      const twin = first.get(hash);
      if (twin === undefined) first.set(hash, node);
      else twins[node] = twin;
      if (++hashed % STRIDE === 0) yield;
    }
  }
  return twins;
}

/**
 * Hashes the quads of a node with a distinct name for every other node; nodes that mention each
 * other are therefore not twins.
 */
function* hashExactly(node: number, quads: readonly BlankNodeQuad[], work: CanonicalWork): Generator<void, string> {
  return yield* hashQuads(quads, (other) => (other === node ? '_:a' : `_:n${other}`), work);
}

/** Nodes of a list between two opportunities to pause. */
export const LIST_STRIDE = 1 << 8;

/**
 * Yields the orders of a list of nodes without identifiers, one of each set of orders that differ
 * only in the order of twins, and undefined to allow a pause: a node may have 100,000 neighbours.
 */
export function* ordersOf(
  list: readonly number[],
  twins: Int32Array,
): Generator<readonly number[] | undefined, void, void> {
  if (list.length === 1) {
    yield list;
    return;
  }
  const places = new Map<number, number[]>();
  const nodes = new Set<number>();
  const classes: number[] = [];
  for (const node of list) {
    const twin = twins[node];
    const place = places.get(twin);
    if (place) place.push(node);
    else places.set(twin, [node]);
    nodes.add(node);
    if (classes.push(twin) % LIST_STRIDE === 0) yield undefined;
  }
  // A node may be listed twice; its places then matter too.
  if (places.size === list.length || nodes.size < list.length) {
    yield* permutations(yield* ascending(list));
    return;
  }
  const order = new Array<number>(list.length);
  for (const permuted of permutations(yield* ascending(classes))) {
    const taken = new Map<number, number>();
    for (let i = 0; i < permuted.length; i++) {
      if (i % LIST_STRIDE === LIST_STRIDE - 1) yield undefined;
      const twin = permuted[i];
      const next = taken.get(twin) ?? 0;
      order[i] = places.get(twin)![next];
      taken.set(twin, next + 1);
    }
    yield order;
  }
}

/** A kernel, like {@link sortBy}. */
function ascending(numbers: readonly number[]): Generator<undefined, number[]> {
  return sortBy([...numbers], (a, b) => a - b) as Generator<undefined, number[]>;
}
