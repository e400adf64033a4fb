import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { RequestTurns } from '../src/request-turns.ts';

function message(socket: Socket, destroy: (error?: Error) => void = () => {}): IncomingMessage {
  return { socket, headers: {}, destroy } as unknown as IncomingMessage;
}

/** A connection, and requests that end when they are told to. */
function connection(maxWaiting: number) {
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    destroy: vi.fn(() => void (socket.destroyed = true)),
  });
  const turns = new RequestTurns(maxWaiting);
  const begun: ((takesMore?: boolean) => void)[] = [];
  /** With what error each request was destroyed. */
  const destroyed: unknown[] = [];
  const request = () =>
    turns.take(
      message(socket as unknown as Socket, (error) => destroyed.push(error)),
      () => new Promise((resolve) => begun.push((takesMore = true) => resolve({ takesMore, caller: undefined }))),
    );
  const end = async (n: number, takesMore = true) => {
    begun[n](takesMore);
    // The next one begins in a round of the event loop after the end of this one.
    await setImmediate();
    await setImmediate();
  };
  return { socket, begun, destroyed, request, end };
}

describe('RequestTurns', () => {
  it('begins each request when the one before has ended', async () => {
    const { begun, request, end } = connection(2);
    for (let i = 0; i < 3; i++) request();
    expect(begun).toHaveLength(1);
    await end(0);
    expect(begun).toHaveLength(2);
    await end(1);
    await end(2);
    request();
    expect(begun).toHaveLength(4);
  });

  it('lets other work run between two requests that take no time', async () => {
    const socket = { destroyed: false } as Socket;
    const turns = new RequestTurns(10);
    const order: string[] = [];
    for (let i = 0; i < 3; i++) {
      turns.take(message(socket), async () => {
        order.push(`request ${i}`);
        // What another connection waits for.
        void setImmediate().then(() => order.push('other work'));
        return { takesMore: true, caller: undefined };
      });
    }
    for (let i = 0; i < 10; i++) await setImmediate();
    expect(order).toEqual(['request 0', 'other work', 'request 1', 'other work', 'request 2', 'other work']);
  });

  it('begins nothing behind an answer that was the last one', async () => {
    const { begun, request, end } = connection(2);
    request();
    request();
    await end(0, false);
    request();
    await end(0);
    expect(begun).toHaveLength(1);
  });

  it('closes a connection with too many that wait, and begins none of them', async () => {
    const { socket, begun, request, end } = connection(2);
    for (let i = 0; i < 20_000; i++) request();
    expect(socket.destroy).toHaveBeenCalled();
    await end(0);
    expect(begun).toHaveLength(1);
  });

  it('destroys requests behind too many itself, before Node does it with an error for each', () => {
    const { request, destroyed } = connection(2);
    for (let i = 0; i < 10; i++) request();
    expect(destroyed).toEqual(Array.from({ length: 7 }, () => undefined));
  });

  it('lets a client read an answer that was the last one, whatever it has sent behind', async () => {
    const { request, destroyed, end } = connection(2);
    request();
    await end(0, false);
    request();
    expect(destroyed).toEqual([]);
  });

  it('begins nothing for a client that is gone', async () => {
    const { socket, begun, request, end } = connection(2);
    request();
    request();
    socket.destroyed = true;
    await end(0);
    expect(begun).toHaveLength(1);
  });
});
