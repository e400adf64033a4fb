import { expect, it } from 'vitest';
import { canonicalNumbers } from '../../src/canonical/canonical-labels.ts';
import { CanonicalWork } from '../../src/canonical/canonical-work.ts';
import type { BlankNodeQuad } from '../../src/canonical/dataset-lines.ts';
import { ordersOf } from '../../src/canonical/twins.ts';
import { MemoryPool } from '../../src/index.ts';
import { RequestBudget } from '../../src/model/request-budget.ts';
import { DEFAULT_REQUEST_LIMITS } from '../../src/model/request-limits.ts';

/** Rings of blank nodes, which only walks around them can tell apart. */
function rings(count: number, length: number) {
  const quadsOf: BlankNodeQuad[][] = Array.from({ length: count * length }, () => []);
  for (let node = 0; node < quadsOf.length; node++) {
    const ring = node - (node % length);
    const next = ring + ((node + 1) % length);
    const quad = { texts: ['', ' <urn:p> ', ' .\n'], nodes: [node, next], positions: ['s', 'o<urn:p>'] };
    quadsOf[node]!.push(quad);
    quadsOf[next]!.push(quad);
  }
  return { ground: [], quads: [], nodes: [], quadsOf, isPlain: true };
}

it('may pause between the short walks of a large group, and while it looks for twins', () => {
  for (const count of [50, 400]) {
    const memory = new RequestBudget(new MemoryPool(Number.POSITIVE_INFINITY));
    const steps = canonicalNumbers(rings(count, 4), new CanonicalWork('SHA-256', DEFAULT_REQUEST_LIMITS, memory));
    let pauses = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) pauses++;
    // One for each ring at least, and one for 64 nodes whose twins are looked for.
    expect(pauses).toBeGreaterThanOrEqual(count + (count * 4) / 64);
    expect(new Set(step.value).size).toBe(count * 4);
  }
});

it('may pause within a node of many neighbours', () => {
  const leaves = 50_000;
  // The leaves of node 0, which are all twins.
  const twins = new Int32Array(1 + leaves).fill(1);
  const list = Array.from({ length: leaves }, (_, i) => 1 + i).reverse();
  let pauses = 0;
  const orders: number[][] = [];
  for (const order of ordersOf(list, twins)) {
    if (order) orders.push([...order]);
    else pauses++;
  }
  // One order of twins is enough.
  expect(orders).toHaveLength(1);
  expect(new Set(orders[0]).size).toBe(leaves);
  expect(pauses).toBeGreaterThanOrEqual((2 * leaves) / 256);
});
