import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { setConnectionCaller } from '../src/connection-caller.ts';
import { createLimitedServer } from '../src/limited-server.ts';
import { ReadTurns } from '../src/read-turns.ts';
import { listen } from './black-box/running-server.ts';
import { EventLoop } from './event-loop.ts';

const MAX_WORK_A_ROUND = 1_000;

/** Rounds of an event loop, each of which takes as long as a turn. */
class Loop extends EventLoop {
  /** The times, in milliseconds, that were waited for. */
  readonly waits: number[] = [];
  readonly turns = new ReadTurns({
    setImmediate: this.host.setImmediate,
    setTimeout: (task, ms) => {
      this.waits.push(ms);
      this.host.setImmediate(task);
    },
  });

  connection(caller?: string): FakeSocket {
    const socket = new FakeSocket();
    setConnectionCaller(socket as unknown as Socket, caller);
    this.turns.add(socket as unknown as Socket);
    return socket;
  }

  /**
   * Pieces of a body, in one read buffer of a connection. Returns whether the connection is read
   * further.
   */
  receive(socket: FakeSocket, pieces: number, length = 1): boolean {
    let isReadFurther = true;
    for (let i = 0; i < pieces; i++) isReadFurther = this.turns.receive(socket as unknown as Socket, length);
    if (!isReadFurther) socket.pause();
    return isReadFurther;
  }
}

/** A connection that flows as those of Node do. */
class FakeSocket extends EventEmitter {
  readonly remoteAddress = '192.0.2.1';
  private isFlowing = true;

  isPaused(): boolean {
    return !this.isFlowing;
  }

  pause(): this {
    this.isFlowing = false;
    return this;
  }

  resume(): this {
    this.isFlowing = true;
    this.emit('resume');
    return this;
  }
}

describe('ReadTurns', () => {
  it('lets connections be read that send few pieces', () => {
    const loop = new Loop();
    const sockets = Array.from({ length: 10 }, () => loop.connection());
    for (const socket of sockets) expect(loop.receive(socket, 90)).toBe(true);
    expect(sockets.some((socket) => socket.isPaused())).toBe(false);
    loop.endRound();
    for (const socket of sockets) expect(loop.receive(socket, 90)).toBe(true);
  });

  it('reads nothing more in a round with many pieces', () => {
    const loop = new Loop();
    const sockets = Array.from({ length: 10 }, () => loop.connection());
    expect(loop.receive(sockets[0], MAX_WORK_A_ROUND - 1)).toBe(true);
    expect(loop.receive(sockets[1], 1)).toBe(false);
    expect(sockets.every((socket) => socket.isPaused())).toBe(true);
  });

  it('counts the bytes of long pieces too', () => {
    const loop = new Loop();
    const [first, second] = [loop.connection(), loop.connection()];
    // 17 units each: one for the piece, and 16 for its bytes.
    expect(loop.receive(first, 58, 65_536)).toBe(true);
    expect(loop.receive(second, 1, 65_536)).toBe(false);
    expect(first.isPaused()).toBe(true);
  });

  it('reads one connection a turn of a sender of many pieces, and all of the others immediately', () => {
    const loop = new Loop();
    const many = Array.from({ length: 5 }, () => loop.connection('many'));
    const few = Array.from({ length: 5 }, () => loop.connection('few'));
    loop.receive(few[0], 1);
    loop.receive(many[0], 10_000);
    many[0].resume();
    loop.endRound();
    expect(many.every((socket) => socket.isPaused())).toBe(true);
    expect(few.filter((socket) => socket.isPaused())).toEqual([]);
    for (let read = 1; read <= many.length; read++) {
      loop.endRound();
      expect(many.filter((socket) => !socket.isPaused())).toHaveLength(read);
    }
    expect(loop.pending).toBe(0);
  });

  it('waits for longer between turns of more work', () => {
    const waitsAfter = (pieces: number): number[] => {
      const loop = new Loop();
      const [first] = Array.from({ length: 3 }, () => loop.connection());
      loop.receive(first, pieces);
      first.resume();
      while (loop.pending > 0) loop.endRound();
      return loop.waits;
    };
    const short = waitsAfter(2 * MAX_WORK_A_ROUND);
    const long = waitsAfter(20 * MAX_WORK_A_ROUND);
    expect(short).toHaveLength(3);
    expect(long).toEqual(short.map((ms) => 10 * ms));
  });

  it('reads more connections a turn whose bodies are short', () => {
    const loop = new Loop();
    const sockets = Array.from({ length: 40 }, () => loop.connection());
    for (const socket of sockets.slice(0, 20)) loop.receive(socket, 50);
    for (const socket of sockets.slice(0, 20)) socket.resume();
    loop.endRound();
    for (const read of [4, 8, 12]) {
      loop.endRound();
      expect(sockets.filter((socket) => !socket.isPaused())).toHaveLength(read);
    }
  });

  it('reads senders of many pieces in turns', () => {
    const loop = new Loop();
    const ofA = Array.from({ length: 20 }, () => loop.connection('a'));
    const ofB = Array.from({ length: 2 }, () => loop.connection('b'));
    loop.receive(ofA[0], 500);
    loop.receive(ofB[0], 500);
    ofB[0].resume();
    for (let i = 0; i < 5; i++) loop.endRound();
    expect(ofB.some((socket) => socket.isPaused())).toBe(false);
    expect(ofA.filter((socket) => !socket.isPaused()).length).toBeLessThanOrEqual(2);
  });

  it('leaves a connection paused whose message asks for no more, or that was paused before', () => {
    const loop = new Loop();
    const [full, asking, paused] = Array.from({ length: 3 }, () => loop.connection());
    paused.pause();
    loop.receive(full, MAX_WORK_A_ROUND);
    for (let i = 0; i < 5; i++) loop.endRound();
    expect(full.isPaused()).toBe(true);
    expect(paused.isPaused()).toBe(true);
    loop.receive(asking, MAX_WORK_A_ROUND);
    asking.resume();
    expect(asking.isPaused()).toBe(true);
    for (let i = 0; i < 5; i++) loop.endRound();
    expect(asking.isPaused()).toBe(false);
  });

  it('forgets connections that were closed', () => {
    const loop = new Loop();
    const sockets = Array.from({ length: 3 }, () => loop.connection());
    loop.receive(sockets[0], MAX_WORK_A_ROUND);
    for (const socket of sockets) socket.emit('close');
    for (let i = 0; i < 5; i++) loop.endRound();
    expect(loop.pending).toBe(0);
    expect(sockets.every((socket) => socket.isPaused())).toBe(true);
  });
});

describe('a server', () => {
  /** Bodies sent together, and the pieces and bytes of them that the busiest round received. */
  async function received(request: string, connections: number, answersEach: number) {
    const server = createLimitedServer();
    let isOver = false;
    const round = { pieces: 0, bytes: 0 };
    const most = { pieces: 0, bytes: 0 };
    const rounds = (async () => {
      while (!isOver) {
        await nextRound();
        most.pieces = Math.max(most.pieces, round.pieces);
        most.bytes = Math.max(most.bytes, round.bytes);
        round.pieces = round.bytes = 0;
      }
    })();
    server.on('request', (message, outgoing) => {
      let length = 0;
      message.on('data', (piece: Buffer) => {
        round.pieces++;
        round.bytes += piece.length;
        length += piece.length;
      });
      message.on('end', () => outgoing.end(`${length} bytes`));
    });
    const port = await listen(server);
    try {
      const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1'));
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      const answers = sockets.map((socket) => text(socket));
      for (const socket of sockets) socket.write(request);
      const lengths = (await Promise.all(answers)).map((answer) => answer.match(/\d+ bytes/g) ?? []);
      expect(lengths.every(({ length }) => length === answersEach)).toBe(true);
      return { most, lengths: new Set(lengths.flat()) };
    } finally {
      isOver = true;
      await rounds;
      server.close();
    }
  }

  it('receives bodies of short chunks whole, a bounded number of chunks in each round', async () => {
    // Chunks of 17 bytes are 23 on the wire, and above the average that a body must have.
    const chunk = `11\r\n${'x'.repeat(17)}\r\n`;
    const body = `${chunk.repeat(2_500)}0\r\n\r\n`;
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n';
    // Two requests on each connection, the second of which is read behind the end of the first.
    const requests = `${head}\r\n${body}${head}Connection: close\r\n\r\n${body}`;
    const { most, lengths } = await received(requests, 12, 2);
    expect(lengths).toEqual(new Set([`${17 * 2_500} bytes`]));
    // What is left of the read buffer, of 64 KiB, in which the bound is reached.
    expect(most.pieces).toBeLessThanOrEqual(MAX_WORK_A_ROUND + 65_536 / chunk.length);
    expect(most.pieces).toBeGreaterThan(MAX_WORK_A_ROUND);
  });

  it('receives large bodies whole, a bounded number of bytes in each round', async () => {
    const length = 4 << 20;
    const head = `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
    const { most, lengths } = await received(`${head}${'x'.repeat(length)}`, 12, 1);
    expect(lengths).toEqual(new Set([`${length} bytes`]));
    // A unit of work is a piece or 4 KiB, and a piece may be in the read buffer already.
    expect(most.bytes).toBeLessThanOrEqual(MAX_WORK_A_ROUND * 4096 + 65_536);
  });
});
