import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { setConnectionCaller } from '../src/connection-caller.ts';
import { createLimitedServer } from '../src/limited-server.ts';
import { ReadTurns } from '../src/read-turns.ts';
import { listen } from './black-box/running-server.ts';

const MAX_PIECES_A_ROUND = 2_000;

/** Rounds of an event loop, each of which takes as long as a turn. */
class Loop {
  private tasks: (() => void)[] = [];
  readonly turns = new ReadTurns({
    setImmediate: (task) => void this.tasks.push(task),
    setTimeout: (task) => void this.tasks.push(task),
  });

  get pending(): number {
    return this.tasks.length;
  }

  endRound(): void {
    const { tasks } = this;
    this.tasks = [];
    for (const task of tasks) task();
  }

  connection(caller?: string): FakeSocket {
    const socket = new FakeSocket();
    setConnectionCaller(socket as unknown as Socket, caller);
    this.turns.add(socket as unknown as Socket);
    return socket;
  }

  /** A read buffer of a connection. Returns whether the connection is read further. */
  receive(socket: FakeSocket, pieces: number): boolean {
    let isReadFurther = true;
    for (let i = 0; i < pieces; i++) isReadFurther = this.turns.receive(socket as unknown as Socket);
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
    for (const socket of sockets) expect(loop.receive(socket, 100)).toBe(true);
    expect(sockets.some((socket) => socket.isPaused())).toBe(false);
    loop.endRound();
    for (const socket of sockets) expect(loop.receive(socket, 100)).toBe(true);
  });

  it('reads nothing more in a round with many pieces', () => {
    const loop = new Loop();
    const sockets = Array.from({ length: 10 }, () => loop.connection());
    expect(loop.receive(sockets[0], MAX_PIECES_A_ROUND - 1)).toBe(true);
    expect(loop.receive(sockets[1], 1)).toBe(false);
    expect(sockets.every((socket) => socket.isPaused())).toBe(true);
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

  it('reads senders of many pieces in turns', () => {
    const loop = new Loop();
    const ofA = Array.from({ length: 20 }, () => loop.connection('a'));
    const ofB = Array.from({ length: 2 }, () => loop.connection('b'));
    loop.receive(ofA[0], 1_000);
    loop.receive(ofB[0], 1_000);
    ofB[0].resume();
    for (let i = 0; i < 5; i++) loop.endRound();
    expect(ofB.some((socket) => socket.isPaused())).toBe(false);
    expect(ofA.filter((socket) => !socket.isPaused()).length).toBeLessThanOrEqual(2);
  });

  it('leaves a connection paused whose message asks for no more, or that was paused before', () => {
    const loop = new Loop();
    const [full, asking, paused] = Array.from({ length: 3 }, () => loop.connection());
    paused.pause();
    loop.receive(full, MAX_PIECES_A_ROUND);
    for (let i = 0; i < 5; i++) loop.endRound();
    expect(full.isPaused()).toBe(true);
    expect(paused.isPaused()).toBe(true);
    loop.receive(asking, MAX_PIECES_A_ROUND);
    asking.resume();
    expect(asking.isPaused()).toBe(true);
    for (let i = 0; i < 5; i++) loop.endRound();
    expect(asking.isPaused()).toBe(false);
  });

  it('forgets connections that were closed', () => {
    const loop = new Loop();
    const sockets = Array.from({ length: 3 }, () => loop.connection());
    loop.receive(sockets[0], MAX_PIECES_A_ROUND);
    for (const socket of sockets) socket.emit('close');
    for (let i = 0; i < 5; i++) loop.endRound();
    expect(loop.pending).toBe(0);
    expect(sockets.every((socket) => socket.isPaused())).toBe(true);
  });
});

describe('a server', () => {
  // Chunks of 17 bytes are 23 on the wire, and above the average that a body must have.
  const chunk = `11\r\n${'x'.repeat(17)}\r\n`;
  const CHUNKS = 2_500;
  const CONNECTIONS = 12;

  it('receives bodies of short chunks whole, a bounded number of chunks in each round', async () => {
    const server = createLimitedServer();
    let isOver = false;
    let pieces = 0;
    let most = 0;
    const rounds = (async () => {
      while (!isOver) {
        await nextRound();
        most = Math.max(most, pieces);
        pieces = 0;
      }
    })();
    server.on('request', (message, outgoing) => {
      let length = 0;
      message.on('data', (piece: Buffer) => {
        pieces++;
        length += piece.length;
      });
      message.on('end', () => outgoing.end(`${length} bytes`));
    });
    const port = await listen(server);
    try {
      const body = `${chunk.repeat(CHUNKS)}0\r\n\r\n`;
      const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n';
      const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'));
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      // Two requests on each connection, the second of which is read behind the end of the first.
      const answers = sockets.map((socket) => text(socket));
      for (const socket of sockets) socket.write(`${head}\r\n${body}${head}Connection: close\r\n\r\n${body}`);
      for (const answer of await Promise.all(answers)) {
        expect(answer.match(/\d+ bytes/g)).toEqual(Array(2).fill(`${17 * CHUNKS} bytes`));
      }
    } finally {
      isOver = true;
      await rounds;
      server.close();
    }
    // What is left of the read buffer, of 64 KiB, in which the bound is reached.
    expect(most).toBeLessThanOrEqual(MAX_PIECES_A_ROUND + 65_536 / chunk.length);
    expect(most).toBeGreaterThan(MAX_PIECES_A_ROUND);
  });
});
