import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectError } from './answer-shapes.ts';
import { bearer } from './callers.ts';
import { ask } from './exchange.ts';
import { OPERATIONS } from './operations.ts';
import { type RawAnswer, rawAnswer } from './raw-exchange.ts';
import { type RunningServer, startServer } from './running-server.ts';

// `bodyIdleMs` of the limits: a body that stalls before its end gets 408, whichever operation reads
// it.

const DATA = '<urn:s> <urn:p> "unchanged" .\n';
let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ handler: { limits: { bodyIdleMs: 80 } } });
});
afterAll(() => server.close());
beforeEach(async () => {
  for (const namespace of await server.engine.listNamespaces()) await server.engine.deleteNamespace({ namespace });
  await server.engine.createWorld({ slug: 'ada', namespace: 'alpha' });
  await server.engine.import({ source: 'alpha/ada', data: DATA });
});

/** Sends a head and the beginning of a body, then stalls. Returns the answer. */
async function stall(method: string, path: string, headers: readonly string[], part: string): Promise<RawAnswer> {
  const socket: Socket = connect(server.port, '127.0.0.1');
  try {
    const answered = rawAnswer(socket);
    const lines = [`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: ${bearer('alice')}`, ...headers];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${part}`);
    return await answered;
  } finally {
    socket.destroy();
  }
}

async function expectUnchanged(): Promise<void> {
  const answer = await ask(server, { method: 'POST', path: '/worlds/ada/export', as: 'alice' });
  expect([answer.status, answer.text]).toEqual([200, DATA]);
}

const JSON_TYPE = 'Content-Type: application/json';
const WITH_BODY = OPERATIONS.filter(({ body }) => body !== 'none');

describe.each(WITH_BODY)('$title', (operation) => {
  const path = operation.path('alpha', 'ada');
  const text = JSON.stringify(operation.good!('ada'));

  it.each([
    ['of a declared length', [JSON_TYPE, 'Content-Length: 1000'], text],
    ['in chunks', [JSON_TYPE, 'Transfer-Encoding: chunked'], `${text.length.toString(16)}\r\n${text}\r\n`],
    ['of which not a byte comes', [JSON_TYPE, 'Content-Length: 10'], ''],
  ])('a body %s is 408 and changes nothing', async (_, headers, part) => {
    expectError(await stall(operation.method, path, headers, part), 408);
    await expectUnchanged();
  });
});

it.each([
  ['PUT', '/worlds/ada/graphs?default', 'text/turtle', '<urn:s> <urn:p> "half" .'],
  ['POST', '/worlds/ada/graphs', 'text/turtle', '<urn:s> <urn:p> "half" .'],
  ['POST', '/worlds/ada/sparql', 'application/sparql-update', 'INSERT DATA { <urn:s> <urn:p> "half" }'],
  ['POST', '/worlds/ada/sparql', 'application/x-www-form-urlencoded', 'update=CLEAR+ALL'],
])('%s %s of %s is 408 and changes nothing', async (method, path, type, part) => {
  expectError(await stall(method, path, [`Content-Type: ${type}`, 'Content-Length: 1000'], part), 408);
  await expectUnchanged();
});

it('unauthorized callers get 401 or 403 without waiting for their body', async () => {
  const headers = [JSON_TYPE, 'Content-Length: 1000'];
  expectError(await stall('POST', '/namespaces/beta/worlds/ada/import', headers, ''), 403);
  const socket = connect(server.port, '127.0.0.1');
  const answered = rawAnswer(socket);
  socket.write(`POST /worlds/ada/import HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n`);
  expectError(await answered, 401);
  socket.destroy();
});
