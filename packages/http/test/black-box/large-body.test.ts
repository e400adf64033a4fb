import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from './answer-shapes.ts';
import { bearer } from './callers.ts';
import { ask } from './exchange.ts';
import { forkServer, type MemoryServer } from './memory-server.ts';
import { type RawAnswer, rawAnswer } from './raw-exchange.ts';

const MIB = 2 ** 20;
const BODY_BYTES = 70 * MIB;
/**
 * What the buffers of the system take on the way between two processes, though nobody reads it, and
 * some more.
 */
const MOST_IN_FLIGHT = 16 * MIB;
/**
 * What the process may grow by: far less than the body, and three times what is seen, since the
 * collector keeps pages as it likes.
 */
const MOST_KEPT = 20 * MIB;

let server: MemoryServer;
beforeAll(async () => {
  server = await forkServer();
  // What is loaded with the first requests is no cost of the big one.
  for (let round = 0; round < 200; round++) {
    await ask(server, { method: 'POST', path: '/worlds/ada/import', as: 'alice', json: { data: '' } });
    await ask(server, {
      method: 'POST',
      path: '/worlds/ada/import',
      json: { data: '' },
      headers: { authorization: 'Bearer x' },
    });
  }
}, 60_000);
afterAll(() => server.close());

interface Sent {
  readonly answer: RawAnswer;
  /** How much of the body was on its way when the answer came. */
  readonly sentBytes: number;
}

/**
 * Sends 70 MB as a client does that looks at nothing before it has sent all: the answer comes while
 * it is still sending.
 */
async function send(authorization: string, framing: 'declared' | 'chunked', path: string): Promise<Sent> {
  const socket = connect(server.port, '127.0.0.1');
  const answered = rawAnswer(socket, { timeoutMs: 30_000 });
  const length = framing === 'declared' ? `Content-Length: ${BODY_BYTES}` : 'Transfer-Encoding: chunked';
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
  );
  const part = Buffer.alloc(64 * 1024, 'A');
  const framed = framing === 'declared' ? part : Buffer.concat([Buffer.from('10000\r\n'), part, Buffer.from('\r\n')]);
  let sentBytes = 0;
  let sentAtAnswer: number | undefined;
  let isOpen = true;
  answered.then(
    () => {
      sentAtAnswer = sentBytes;
    },
    // Told where it is awaited.
    () => {},
  );
  // A server may close a connection on which more comes than it wants to hear; what counts is that
  // the answer came first.
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isOpen = false;
      resolve();
    });
  });
  while (isOpen && sentBytes < BODY_BYTES) {
    sentBytes += part.length;
    // Also when there is room: else the answer would wait until all is sent.
    await (socket.write(framed) ? setImmediate() : Promise.race([drained(socket), closed]));
  }
  if (isOpen && framing === 'chunked') socket.write('0\r\n\r\n');
  const answer = await answered;
  socket.destroy();
  return { answer, sentBytes: sentAtAnswer! };
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('drain', resolve));
}

describe.each(['declared', 'chunked'] as const)('a body of 70 MB, %s', (framing) => {
  it('with an invalid token: 401 before it is read, and it is not kept in memory', async () => {
    const before = await server.memory();
    const { answer, sentBytes } = await send('Bearer wrong', framing, '/worlds/ada/import');
    expectError(answer, 401);
    expect(sentBytes).toBeLessThan(MOST_IN_FLIGHT);
    const after = await server.memory();
    expect(after.rss - before.rss).toBeLessThan(MOST_KEPT);
  });

  it('to a forbidden namespace: 403 before it is read, and it is not kept in memory', async () => {
    const before = await server.memory();
    const { answer, sentBytes } = await send(bearer('alice'), framing, '/namespaces/beta/worlds/ada/import');
    expectError(answer, 403);
    expect(sentBytes).toBeLessThan(MOST_IN_FLIGHT);
    const after = await server.memory();
    expect(after.rss - before.rss).toBeLessThan(MOST_KEPT);
  });

  it('to a route limited to 1 MiB: 413, and what was read of it is not kept in memory', async () => {
    const before = await server.memory();
    const { answer, sentBytes } = await send(bearer('alice'), framing, '/worlds/ada/sparql');
    expectError(answer, 413);
    expect(sentBytes).toBeLessThan(MOST_IN_FLIGHT);
    const after = await server.memory();
    expect(after.rss - before.rss).toBeLessThan(MOST_KEPT);
  });

  it.each([
    ['as JSON to /worlds/ada/import: 413', '/worlds/ada/import', 413],
    ['of a type that is not RDF: 400 before it is read', '/worlds/ada/graphs?default', 400],
  ])('%s', async (_, path, status) => {
    const { answer } = await send(bearer('alice'), framing, path);
    expectError(answer, status);
  });

  it('does not stop the server', async () => {
    const answer = await ask(server, { method: 'GET', path: '/worlds/ada', as: 'alice' });
    expect([answer.status, answer.json().slug]).toEqual([200, 'ada']);
    const asBefore = await ask(server, { method: 'POST', path: '/worlds/ada/export', as: 'alice' });
    expect(asBefore.text).toBe('');
  });
});
