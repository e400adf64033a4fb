import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectError } from './answer-shapes.ts';
import { bearer } from './callers.ts';
import { ask } from './exchange.ts';
import { rawAnswer, rawExchange } from './raw-exchange.ts';
import { type RunningServer, startServer } from './running-server.ts';

// A body whose end nobody waits for: what cannot be decoded is refused by its head, and what comes
// too slowly by its deadline.

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ handler: { limits: { bodyIdleMs: 60_000, bodyMs: 400 } } });
  await server.engine.createWorld({ slug: 'ada', namespace: 'alpha' });
});
afterAll(() => server.close());

const head = (lines: readonly string[]) =>
  [
    'POST /worlds/ada/sparql HTTP/1.1',
    'Host: x',
    `Authorization: ${bearer('alice')}`,
    'Content-Type: application/json',
    ...lines,
    '',
    '',
  ].join('\r\n');

const BODY = JSON.stringify({ query: 'ASK {}' });
const CHUNKS = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

it.each([
  ['gzip, chunked', 501],
  ['x-unknown, chunked', 501],
  ['identity, chunked', 501],
  [`${'gzip, '.repeat(500)}chunked`, 501],
])('rejects an unsupported transfer coding before the body: %.40s', async (coding, status) => {
  // Not a byte of the body comes.
  const answer = await rawExchange(server.port, head([`Transfer-Encoding: ${coding}`]));
  expectError(answer, status);
  expect(answer.headers.get('connection')).toBe('close');
  expect(answer.text.length).toBeLessThan(1000);
});

it.each([
  [['Transfer-Encoding: chunked, chunked']],
  [['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
  [['Transfer-Encoding: gzip']],
  [['Transfer-Encoding: chunked, gzip']],
  [['Transfer-Encoding: identity']],
  [['Transfer-Encoding: x-unknown']],
  [['Transfer-Encoding:']],
  [['Transfer-Encoding: chunked', 'Content-Length: 5']],
  [['Content-Length: 5', 'Transfer-Encoding: gzip']],
])('400 for a request whose end is ambiguous: %s', async (lines) => {
  const answer = await rawExchange(server.port, head(lines));
  expect(answer.status).toBe(400);
  expect(answer.headers.get('connection')).toBe('close');
});

it.each(['chunked', 'Chunked', ', chunked'])('reads a chunked body: %s', async (coding) => {
  const answer = await rawExchange(server.port, head([`Transfer-Encoding: ${coding}`]) + CHUNKS);
  expect(answer.status).toBe(200);
});

it('a body that arrives byte by byte is 408 at its deadline, and other requests are served meanwhile', async () => {
  const sockets = Array.from({ length: 40 }, () => connect(server.port, '127.0.0.1'));
  const answers = sockets.map((socket) => rawAnswer(socket));
  for (const socket of sockets) socket.write(head(['Content-Length: 1000']));
  const drip = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write(' ');
  }, 10);
  let ended = false;
  const all = Promise.all(answers).finally(() => {
    ended = true;
    clearInterval(drip);
  });
  let others = 0;
  while (!ended) {
    expect((await ask(server, { method: 'GET', path: '/worlds/ada', as: 'alice' })).status).toBe(200);
    others++;
  }
  for (const answer of await all) expectError(answer, 408);
  expect(others).toBeGreaterThan(0);
  for (const socket of sockets) socket.destroy();
});
