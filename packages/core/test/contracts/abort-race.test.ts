import { describe, expect, it } from 'vitest';
import { raceAbort } from '../../src/contracts/abort-race.ts';

const never = new Promise<never>(() => undefined);

describe('raceAbort', () => {
  it('returns the result of the work', async () => {
    const { signal } = new AbortController();
    await expect(raceAbort(Promise.resolve(1), undefined)).resolves.toBe(1);
    await expect(raceAbort(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(raceAbort(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  });

  it('ends when the signal fires, before or during the work', async () => {
    await expect(raceAbort(never, AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(raceAbort(never, AbortSignal.timeout(5))).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('a late rejection of the work is nobody\u2019s any more', async () => {
    const unhandled: unknown[] = [];
    const listener = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listener);
    const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('late')), 10));
    await expect(raceAbort(late, AbortSignal.timeout(1))).rejects.toMatchObject({ code: 'TIMEOUT' });
    await new Promise((resolve) => setTimeout(resolve, 30));
    process.off('unhandledRejection', listener);
    expect(unhandled).toEqual([]);
  });
});
