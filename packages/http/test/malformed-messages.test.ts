import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLimitedServer } from '../src/limited-server.ts';
import { listen } from './black-box/running-server.ts';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n';
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;

/** Returns all that a server answers to a text after which the client sends no more. */
async function answers(listener: RequestListener, sent: string): Promise<string> {
  const server = createLimitedServer({ maxHeaderBytes: 4096, headersTimeoutMs: 200 });
  server.on('request', listener);
  const socket = connect(await listen(server), '127.0.0.1');
  // The server may close the connection while the text is being sent.
  socket.on('error', () => undefined);
  socket.write(sent);
  const answer = await text(socket);
  server.close();
  return answer;
}

const MANY = 300;

const unanswered: RequestListener = (message) => void message.resume();

describe('what is no message of HTTP', () => {
  it.each([
    ['a method that is none', 'X\r\n\r\n', 400],
    ['a chunk without a length', `${CHUNKED}x\r\n`, 400],
    ['headers that are too long', `${HEAD}X: ${'x'.repeat(5000)}\r\n\r\n`, 431],
    ['an extension of a chunk that is too long', `${CHUNKED}1;${'x'.repeat(20_000)}\r\n`, 413],
    ['half a head', HEAD, 408],
  ])('is answered and closes the connection: %s', async (_, sent, status) => {
    expect(await answers(unanswered, sent)).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\nConnection: close\r\n\r\n$`));
  });

  it('is answered behind a finished answer', async () => {
    const answer = await answers(
      (message, response) => message.resume().on('end', () => response.end('done')),
      `${HEAD}Content-Length: 0\r\n\r\nX\r\n\r\n`,
    );
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(expect.arrayContaining(['HTTP/1.1 400']));
  });

  it('is not answered in the middle of another answer', async () => {
    const begins: RequestListener = (message, response) => {
      message.resume();
      response.write('begun');
    };
    const answer = await answers(begins, `${CHUNKED}1\r\nx\r\nno length\r\n`);
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    expect(answer).toContain('begun');
  });

  it('closes many connections that break off together in several rounds', async () => {
    const server = createLimitedServer();
    const accepted: Socket[] = [];
    server.on('connection', (socket) => accepted.push(socket));
    let requests = 0;
    const received = new Promise<void>((resolve) => {
      server.on('request', (message) => {
        message.resume();
        if (++requests === MANY) resolve();
      });
    });
    const port = await listen(server);
    const sockets = Array.from({ length: MANY }, () => connect(port, '127.0.0.1'));
    for (const socket of sockets) socket.write(`${HEAD}Content-Length: 1000\r\n\r\n{`);
    await received;
    for (const socket of sockets) socket.resume().end();
    // How many connections were closed at the end of each round of the event loop.
    const closed = [0];
    while (closed.at(-1)! < MANY) {
      await nextRound();
      closed.push(accepted.filter(({ destroyed }) => destroyed).length);
    }
    const most = Math.max(...closed.slice(1).map((count, round) => count - closed[round]));
    // At most 32 in a round; two rounds may meet between two looks.
    expect(most).toBeLessThanOrEqual(64);
    server.close();
  });
});
