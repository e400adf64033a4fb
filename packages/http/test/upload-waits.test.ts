import { beforeEach, describe, expect, it } from 'vitest';
import { type Upload, UploadWaits, type WaitsHost } from '../src/upload-waits.ts';

/** A process whose time passes by ticks. */
class Host implements WaitsHost {
  tick: (() => void) | undefined;
  /** What the process receives between a tick and what follows it. */
  receive: () => void = () => {};

  every = (_: number, tick: () => void) => {
    this.tick = tick;
    return () => {
      this.tick = undefined;
    };
  };

  afterInput = (task: () => void) => {
    this.receive();
    task();
  };

  ticks(count: number): void {
    for (let i = 0; i < count; i++) this.tick?.();
  }
}

class Client implements Upload {
  waits = undefined;
  readonly reasons: Error[] = [];
  refuse(reason: Error): void {
    this.reasons.push(reason);
  }
}

describe('waits of uploads', () => {
  let host: Host;
  let waits: UploadWaits;
  let importsWaiting: number;
  const begin = (upload: Upload) => waits.begin(upload, () => importsWaiting);
  const sendsNow = (upload: Upload) => {
    waits.end(upload);
    begin(upload);
  };

  beforeEach(() => {
    host = new Host();
    // Four ticks.
    waits = new UploadWaits(1000, host);
    importsWaiting = 1;
  });

  it('are harmless while no import waits for memory', () => {
    const client = new Client();
    begin(client);
    importsWaiting = 0;
    host.ticks(100);
    expect(client.reasons).toEqual([]);
    importsWaiting = 1;
    host.ticks(3);
    expect(client.reasons).toEqual([]);
    host.ticks(1);
    expect(client.reasons).toMatchObject([{ status: 503, message: expect.stringContaining('uploadPatienceMs') }]);
  });

  it('are not those of a client whose data has arrived and is not received yet', () => {
    const fast = new Client();
    const stalled = new Client();
    begin(fast);
    begin(stalled);
    // The next wait has begun when the count is made.
    host.receive = () => sendsNow(fast);
    host.ticks(100);
    expect([fast.reasons.length, stalled.reasons.length]).toEqual([0, 1]);
  });

  it('add up for a client that sends a byte now and then', () => {
    const drip = new Client();
    begin(drip);
    for (let i = 0; i < 4; i++) {
      host.ticks(1);
      sendsNow(drip);
    }
    expect(drip.reasons).toHaveLength(1);
  });

  it('end one upload at a time, the longest first, until no import waits', () => {
    const [first, second, third] = [new Client(), new Client(), new Client()];
    begin(first);
    host.ticks(1);
    begin(second);
    begin(third);
    const refused = () => [first, second, third].map(({ reasons }) => reasons.length);
    host.ticks(3);
    expect(refused()).toEqual([1, 0, 0]);
    // It has stopped waiting, and still holds its memory.
    waits.end(first);
    host.ticks(10);
    expect(refused()).toEqual([1, 0, 0]);
    waits.finish(first);
    host.ticks(1);
    expect(refused()).toEqual([1, 1, 0]);
    waits.finish(second);
    importsWaiting = 0;
    host.ticks(10);
    expect(refused()).toEqual([1, 1, 0]);
  });

  it('need a timer only while there are any', () => {
    const client = new Client();
    begin(client);
    expect(host.tick).toBeDefined();
    waits.finish(client);
    host.ticks(1);
    expect(host.tick).toBeUndefined();
    begin(client);
    expect(host.tick).toBeDefined();
  });
});
