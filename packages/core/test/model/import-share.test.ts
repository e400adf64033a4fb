import { expect, it } from 'vitest';
import { MemoryPool } from '../../src/model/memory-pool.ts';
import { RequestBudget } from '../../src/model/request-budget.ts';
import { WorldsError } from '../../src/model/worlds-error.ts';

const KIB = 1 << 10;
const MIB = 1 << 20;

/** Whether a promise has settled, behind everything that is due now. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  const turn = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
  return !(await Promise.race([settled, turn]));
}

it('draws nothing for a small import, and whole steps for others', () => {
  const pool = new MemoryPool(64 * MIB);
  const claim = pool.imports.begin();
  expect(claim.resize(64 * KIB, undefined)).toBeUndefined();
  expect(pool.usedBytes).toBe(0);
  claim.resize(64 * KIB + 1, undefined);
  expect(pool.usedBytes).toBe(MIB);
  claim.resize(10 * MIB, undefined);
  expect(pool.usedBytes).toBe(10 * MIB);
  claim.resize(2 * MIB, undefined);
  expect(pool.usedBytes).toBe(2 * MIB);
  claim.release();
  claim.release();
  expect([pool.usedBytes, pool.imports.usedBytes]).toEqual([0, 0]);
});

it('leaves half of the pool to others, whatever imports hold', () => {
  const pool = new MemoryPool(64 * MIB);
  const claims = Array.from({ length: 5 }, () => pool.imports.begin());
  const waits = claims.map((claim) => claim.resize(20 * MIB, undefined));
  // One fits, one is exempt, and the others wait.
  expect(waits.map((wait) => wait === undefined)).toEqual([true, true, false, false, false]);
  expect(pool.usedBytes).toBe(20 * MIB);
  expect(pool.imports.waitingImports).toBe(3);
  const query = new RequestBudget(pool);
  query.claimMemory(32 * MIB);
  query.release();
  for (const claim of claims) claim.release();
});

it('lets imports go on in the order of arrival when others end', async () => {
  const pool = new MemoryPool(64 * MIB);
  const [first, exempt, third, fourth] = Array.from({ length: 4 }, () => pool.imports.begin());
  first.resize(30 * MIB, undefined);
  exempt.resize(100 * MIB, undefined);
  expect(exempt.resize(1000 * MIB, undefined)).toBeUndefined();
  const thirds = third.resize(30 * MIB, undefined)!;
  const fourths = fourth.resize(MIB + 64 * KIB, undefined)!;
  expect(await isPending(thirds)).toBe(true);
  first.release();
  await thirds;
  await fourths;
  expect(pool.imports.usedBytes).toBe(31 * MIB);
  for (const claim of [exempt, third, fourth]) claim.release();
  expect([pool.usedBytes, pool.imports.usedBytes, pool.imports.waitingImports]).toEqual([0, 0, 0]);
});

it('always has one import that need not wait', async () => {
  const pool = new MemoryPool(8 * MIB);
  const claims = Array.from({ length: 20 }, () => pool.imports.begin());
  // Each grows step by step, as documents do, beyond what all may hold.
  const imported = claims.map(async (claim) => {
    for (let size = MIB; size <= 6 * MIB; size += MIB) {
      const wait = claim.resize(size, undefined);
      if (wait) await wait;
      await new Promise((resolve) => setImmediate(resolve));
      expect(pool.imports.usedBytes).toBeLessThanOrEqual(4 * MIB);
    }
    claim.release();
  });
  await Promise.all(imported);
  expect([pool.usedBytes, pool.imports.usedBytes, pool.imports.waitingImports]).toEqual([0, 0, 0]);
});

it('leaves the whole share to others when one is larger than it', () => {
  const pool = new MemoryPool(64 * MIB);
  const [large, other] = [pool.imports.begin(), pool.imports.begin()];
  large.resize(30 * MIB, undefined);
  expect(other.resize(2 * MIB, undefined)).toBeUndefined();
  large.resize(40 * MIB, undefined);
  expect(pool.imports.usedBytes).toBe(2 * MIB);
  expect(other.resize(30 * MIB, undefined)).toBeUndefined();
  large.resize(10 * MIB, undefined);
  for (const claim of [large, other]) claim.release();
  expect([pool.usedBytes, pool.imports.usedBytes]).toEqual([0, 0]);
});

it('waits for queries too when the pool is theirs', async () => {
  const pool = new MemoryPool(64 * MIB);
  const query = new RequestBudget(pool, 64 * MIB);
  query.claimMemory(64 * MIB);
  const exempt = pool.imports.begin();
  exempt.resize(2 * MIB, undefined);
  const claim = pool.imports.begin();
  const wait = claim.resize(2 * MIB, undefined)!;
  expect(await isPending(wait)).toBe(true);
  query.claimMemory(-40 * MIB);
  await wait;
  for (const one of [query, exempt, claim]) one.release();
  expect(pool.usedBytes).toBe(0);
});

it.each([
  ['ABORTED', new DOMException('gone', 'AbortError')],
  ['OVERLOADED', new WorldsError('TIMEOUT', 'The time limit passed.')],
  ['OVERLOADED', new DOMException('late', 'TimeoutError')],
])('ends a wait as %s', async (code, reason) => {
  const pool = new MemoryPool(8 * MIB);
  const [full, exempt, claim] = Array.from({ length: 3 }, () => pool.imports.begin());
  full.resize(4 * MIB, undefined);
  exempt.resize(4 * MIB, undefined);
  const controller = new AbortController();
  const wait = claim.resize(4 * MIB, controller.signal)!;
  controller.abort(reason);
  await expect(wait).rejects.toMatchObject({ code });
  expect(pool.imports.waitingImports).toBe(0);
  await expect(claim.resize(4 * MIB, controller.signal)).rejects.toBeDefined();
  for (const one of [full, exempt, claim]) one.release();
  expect(pool.usedBytes).toBe(0);
});
