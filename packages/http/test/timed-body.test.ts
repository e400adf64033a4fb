import { WorldsError } from '@rdf-worlds/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { Deadline } from '../src/deadline.ts';
import { FetchIncoming } from '../src/fetch-incoming.ts';
import { TimedBody } from '../src/timed-body.ts';

const failures: unknown[] = [];
const report = (cause: unknown) => failures.push(cause);
let client: AbortController;
beforeEach(() => {
  failures.length = 0;
  client = new AbortController();
});

const deadlineOf = (timeoutMs = 1_000_000) =>
  new Deadline(new FetchIncoming(new Request('http://localhost', { signal: client.signal })), timeoutMs);
const fired = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));

/** Three chunks, and whether their source was released. */
function source(broken?: Error) {
  const state = { made: 0, released: false };
  const chunks = (async function* () {
    try {
      for (; state.made < 3; ) {
        if (state.made === 2 && broken) throw broken;
        yield Uint8Array.of(state.made++);
      }
    } finally {
      state.released = true;
    }
  })();
  return { state, chunks };
}

async function bytes(body: AsyncIterable<Uint8Array>): Promise<number[]> {
  const all: number[] = [];
  for await (const chunk of body) all.push(...chunk);
  return all;
}

describe('a body with a deadline', () => {
  it('is the body', async () => {
    const deadline = deadlineOf();
    expect(await bytes(new TimedBody(source().chunks, deadline, report))).toEqual([0, 1, 2]);
    // The timer has stopped and the client is no longer watched: a disconnect has no effect.
    client.abort();
    expect([deadline.signal.aborted, failures]).toEqual([false, []]);
  });

  it('fails with the deadline, also when nobody asked in the meantime', async () => {
    const deadline = deadlineOf(20);
    const { chunks, state } = source();
    const body = new TimedBody(chunks, deadline, report);
    expect((await body.next()).done).toBe(false);
    await fired(deadline.signal);
    for (let times = 0; times < 2; times++) await expect(body.next()).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(state).toEqual({ made: 1, released: true });
    expect(failures).toEqual([expect.objectContaining({ code: 'TIMEOUT' })]);
  });

  it('fails when the client goes away', async () => {
    const body = new TimedBody(source().chunks, deadlineOf(), report);
    await body.next();
    client.abort();
    await expect(body.next()).rejects.toMatchObject({ code: 'ABORTED' });
    expect(failures).toHaveLength(1);
  });

  it('fails with its chunks, and tells once', async () => {
    const broken = new WorldsError('LIMIT_EXCEEDED', 'too many');
    const deadline = deadlineOf();
    await expect(bytes(new TimedBody(source(broken).chunks, deadline, report))).rejects.toBe(broken);
    client.abort();
    expect([deadline.signal.aborted, failures]).toEqual([false, [broken]]);
  });

  it('may be given up, before it has begun too', async () => {
    for (const steps of [0, 1]) {
      const deadline = deadlineOf();
      const { chunks, state } = source();
      const body = new TimedBody(chunks, deadline, report);
      for (let step = 0; step < steps; step++) await body.next();
      expect((await body.return()).done).toBe(true);
      client.abort();
      expect([deadline.signal.aborted, failures]).toEqual([false, []]);
      expect(state.released).toBe(steps > 0);
      client = new AbortController();
    }
  });
});

describe('a deadline', () => {
  it('of a client that is gone has passed', () => {
    client.abort(new Error('gone'));
    using deadline = deadlineOf();
    expect([deadline.signal.aborted, deadline.signal.reason]).toEqual([true, client.signal.reason]);
  });
});
