import { WorldsError } from '@rdf-worlds/core';
import { describe, expect, it } from 'vitest';
import { RequestSlots } from '../src/request-slots.ts';

const LIMITS = {
  maxConcurrentRequests: 4,
  maxConcurrentRequestsPerCaller: 3,
  maxQueuedRequests: 4,
  maxQueuedRequestsPerCaller: 3,
};
const NEVER = () => new AbortController().signal;
const refusal = (status: number) => expect.objectContaining({ status, headers: { 'retry-after': '2' } });

/** Takes slots, and tells which requests run. */
class Callers {
  readonly slots = new RequestSlots(LIMITS);
  readonly running: string[] = [];
  private readonly releases = new Map<string, () => void>();

  async take(request: string, signal = NEVER()): Promise<void> {
    const release = await this.slots.take(request[0], () => signal);
    this.running.push(request);
    this.releases.set(request, release);
  }

  async end(request: string): Promise<void> {
    this.running.splice(this.running.indexOf(request), 1);
    this.releases.get(request)!();
    await new Promise(setImmediate);
  }
}

describe('RequestSlots', () => {
  it('runs up to the limit of a caller, and the others in order', async () => {
    const callers = new Callers();
    for (const request of ['a1', 'a2', 'a3', 'a4', 'a5']) void callers.take(request);
    await new Promise(setImmediate);
    expect(callers.running).toEqual(['a1', 'a2', 'a3']);
    await callers.end('a2');
    expect(callers.running).toEqual(['a1', 'a3', 'a4']);
    expect([callers.slots.running, callers.slots.waiting]).toEqual([3, 1]);
  });

  it('gives free slots to callers with fewer requests, and never lets the first one of a caller wait', async () => {
    const callers = new Callers();
    for (const request of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void callers.take(request);
    await new Promise(setImmediate);
    expect(callers.running).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
    await callers.end('c1');
    expect(callers.running).toEqual(['a1', 'a2', 'a3', 'b1']);
    await callers.end('a1');
    expect(callers.running).toEqual(['a2', 'a3', 'b1', 'b2']);
  });

  it('refuses a caller with 429 beyond its queue, and anybody with 503 beyond that of all', async () => {
    const callers = new Callers();
    for (let i = 1; i <= 6; i++) void callers.take(`a${i}`);
    await expect(callers.take('a7')).rejects.toEqual(refusal(429));
    for (const request of ['b1', 'b2']) void callers.take(request);
    await expect(callers.take('b3')).rejects.toEqual(refusal(503));
    // One that has none running needs no queue.
    await callers.take('c1');
    expect(callers.running).toContain('c1');
  });

  it('lets a request that waits end by its signal, and forgets it', async () => {
    const callers = new Callers();
    for (let i = 1; i <= 3; i++) void callers.take(`a${i}`);
    const late = new AbortController();
    const gone = new AbortController();
    const waiting = [callers.take('a4', late.signal), callers.take('a5', gone.signal), callers.take('a6')];
    late.abort(new WorldsError('TIMEOUT', 'The time is over.'));
    gone.abort();
    await expect(waiting[0]).rejects.toMatchObject({ code: 'TIMEOUT' });
    await expect(waiting[1]).rejects.toMatchObject({ code: 'ABORTED' });
    expect(callers.slots.waiting).toBe(1);
    await callers.end('a1');
    expect(callers.running).toEqual(['a2', 'a3', 'a6']);
    await expect(callers.take('a8', AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' });
    expect(callers.slots.waiting).toBe(0);
  });

  it('counts a slot back once', async () => {
    const slots = new RequestSlots(LIMITS);
    const release = await slots.take('a', NEVER);
    release();
    release();
    expect(slots.running).toBe(0);
    for (let i = 0; i < 3; i++) await slots.take('a', NEVER);
    expect(slots.running).toBe(3);
  });
});
