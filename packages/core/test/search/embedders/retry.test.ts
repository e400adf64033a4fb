import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mayPass, retried, retryAfterMs } from '../../../src/search/embedders/retry.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const busy = (headers: unknown = {}) => Object.assign(new Error('busy'), { status: 429, headers });
const { signal } = new AbortController();

describe('retried', () => {
  /** After how many milliseconds each try was made. */
  async function triesOf(error: unknown, retries: number, delayMs: number) {
    const tries: number[] = [];
    const start = Date.now();
    const work = retried(
      async () => {
        tries.push(Date.now() - start);
        throw error;
      },
      { retries, delayMs, signal },
    );
    const outcome = expect(work).rejects.toBe(error);
    // Not all timers: engines of other tests of the process may set new ones forever.
    await vi.advanceTimersByTimeAsync(3_600_000);
    await outcome;
    return tries;
  }

  it('waits twice as long each time, and up to twice that by chance', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(await triesOf(busy(), 3, 100)).toEqual([0, 100, 300, 700]);
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    expect(await triesOf(busy(), 3, 100)).toEqual([0, 150, 450, 1050]);
  });

  it('waits a minute at most', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(await triesOf(busy(), 3, 40_000)).toEqual([0, 40_000, 100_000, 160_000]);
  });

  it('waits as long as requested, in seconds or until a date, but at most a minute', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    vi.setSystemTime(new Date('2030-01-01T00:00:00Z'));
    expect(await triesOf(busy(new Headers({ 'retry-after': '30' })), 2, 100)).toEqual([0, 30_000, 60_000]);
    expect(await triesOf(busy({ 'Retry-After': '0' }), 1, 100)).toEqual([0, 100]);
    expect(await triesOf(busy({ 'retry-after': '61' }), 2, 100)).toEqual([0]);
    vi.setSystemTime(new Date('2030-01-01T00:00:00Z'));
    expect(await triesOf(busy({ 'retry-after': 'Tue, 01 Jan 2030 00:00:20 GMT' }), 1, 100)).toEqual([0, 20_000]);
  });

  it('stops waiting when aborted', async () => {
    const controller = new AbortController();
    const work = retried(() => Promise.reject(busy()), { retries: 5, delayMs: 50_000, signal: controller.signal });
    const outcome = expect(work).rejects.toMatchObject({ code: 'ABORTED' });
    await vi.advanceTimersByTimeAsync(10);
    controller.abort();
    await outcome;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('retryAfterMs', () => {
  it.each([
    [{ responseHeaders: { 'retry-after': '1.5' } }, 1500],
    [{ headers: { get: (name: string) => (name === 'retry-after' ? '2' : null) } }, 2000],
    [{ retryAfter: '3' }, 3000],
    [{ headers: { 'retry-after': 'soon' } }, undefined],
    [{ headers: null }, undefined],
    [{}, undefined],
    ['busy', undefined],
    [null, undefined],
  ])('of %o is %s', (error, expected) => {
    expect(retryAfterMs(error)).toBe(expected);
  });
});

describe('mayPass', () => {
  it('looks for a broken connection in the causes', () => {
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    expect(mayPass(new TypeError('fetch failed', { cause: reset }))).toBe(true);
    expect(mayPass(new Error('outer', { cause: new Error('inner', { cause: new AggregateError([reset]) }) }))).toBe(
      true,
    );
    expect(mayPass(new TypeError('fetch failed', { cause: new Error('bad certificate') }))).toBe(false);
    const loop = new Error('loop');
    loop.cause = loop;
    expect(mayPass(loop)).toBe(false);
  });
});
