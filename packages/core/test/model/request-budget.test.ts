import { describe, expect, it } from 'vitest';
import { MemoryPool } from '../../src/model/memory-pool.ts';
import { RequestBudget } from '../../src/model/request-budget.ts';

const KIB = 1 << 10;
const MIB = 1 << 20;

describe('RequestBudget', () => {
  it('draws nothing for a small request, and whole steps for others', () => {
    const pool = new MemoryPool(100 * MIB);
    const budget = new RequestBudget(pool);
    budget.claimMemory(64 * KIB);
    expect(pool.usedBytes).toBe(0);
    budget.claimMemory(1);
    expect(pool.usedBytes).toBe(MIB);
    budget.claimMemory(10 * MIB);
    expect(pool.usedBytes).toBe(11 * MIB);
    budget.release();
    expect(pool.usedBytes).toBe(0);
  });

  it('returns memory that is no longer claimed', () => {
    const pool = new MemoryPool(100 * MIB);
    const budget = new RequestBudget(pool);
    budget.claimMemory(40 * MIB);
    budget.claimMemory(-40 * MIB);
    expect(pool.usedBytes).toBeLessThan(2 * MIB);
    budget.claimMemory(40 * MIB);
    expect(pool.usedBytes).toBeGreaterThan(39 * MIB);
    budget.release();
    expect(pool.usedBytes).toBe(0);
  });

  it.each([10, 50_000, 3 * MIB])('is LIMIT_EXCEEDED above %i bytes', (maxBytes) => {
    const pool = new MemoryPool(100 * MIB);
    const budget = new RequestBudget(pool, maxBytes);
    budget.claimMemory(maxBytes);
    expect(() => budget.claimMemory(1)).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED', message: expect.stringContaining(String(maxBytes)) }),
    );
    budget.release();
    expect(pool.usedBytes).toBe(0);
  });

  it('has half of the pool by default, and never more than all of it', () => {
    const pool = new MemoryPool(10 * MIB);
    expect(() => new RequestBudget(pool).claimMemory(5 * MIB + 1)).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED' }),
    );
    const all = new RequestBudget(pool, Number.POSITIVE_INFINITY);
    all.claimMemory(10 * MIB);
    expect(() => all.claimMemory(1)).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
  });

  it('is OVERLOADED when other requests have the pool, and succeeds after them', () => {
    const pool = new MemoryPool(10 * MIB);
    const first = new RequestBudget(pool, 8 * MIB);
    first.claimMemory(8 * MIB);
    const second = new RequestBudget(pool, 8 * MIB);
    expect(() => second.claimMemory(3 * MIB)).toThrow(expect.objectContaining({ code: 'OVERLOADED' }));
    second.release();
    const light = new RequestBudget(pool);
    light.claimMemory(60 * KIB);
    first.release();
    const third = new RequestBudget(pool, 8 * MIB);
    third.claimMemory(8 * MIB);
    third.release();
    expect(pool.usedBytes).toBe(0);
  });

  it('takes a lower limit, and not a higher one', () => {
    const budget = new RequestBudget(new MemoryPool(10 * MIB), MIB);
    budget.lowerLimit(2 * MIB);
    budget.lowerLimit(1000);
    expect(() => budget.claimMemory(1001)).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
  });

  it('counts nothing after its end', () => {
    const pool = new MemoryPool(10 * MIB);
    const budget = new RequestBudget(pool);
    budget.claimMemory(2 * MIB);
    budget.release();
    budget.claimMemory(50 * MIB);
    budget.claimMemory(-50 * MIB);
    budget.release();
    expect(pool.usedBytes).toBe(0);
  });

  it.each([0, -1, Number.NaN, '5' as unknown as number])('has no pool of %s', (bytes) => {
    expect(() => new MemoryPool(bytes)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});
