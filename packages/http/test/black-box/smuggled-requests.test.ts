import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { bearer } from './callers.ts';
import { type RunningServer, startServer } from './running-server.ts';

// A request within what a proxy may take for the body of another one, which was sent by somebody
// else: where two readers of HTTP could disagree on the end of a body, the connection ends, and
// what follows is no request.

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ handler: { limits: { bodyIdleMs: 300 } } });
});
afterAll(() => server.close());
beforeEach(async () => {
  for (const namespace of await server.engine.listNamespaces()) await server.engine.deleteNamespace({ namespace });
  await server.engine.createWorld({ slug: 'ada', namespace: 'alpha' });
});

const SMUGGLED = `DELETE /worlds/ada HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer('alice')}\r\n\r\n`;

const head = (lines: readonly string[], method = 'POST') =>
  [
    `${method} /worlds/ada/sparql HTTP/1.1`,
    'Host: x',
    `Authorization: ${bearer('rita')}`,
    'Content-Type: application/json',
    ...lines,
    '',
    '',
  ].join('\r\n');

/** Statuses of all answers until the server closes the connection. */
function statusesOf(bytes: string): Promise<number[]> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(server.port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () =>
      resolve([...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))),
    );
  });
}

const QUERY = JSON.stringify({ query: 'ASK {}' });
const CHUNK = `${QUERY.length.toString(16)}\r\n${QUERY}\r\n`;

it.each([
  ['a length and chunks', `${head([`Content-Length: ${CHUNK.length + 5}`, 'Transfer-Encoding: chunked'])}0\r\n\r\n`],
  ['chunks and a length', `${head(['Transfer-Encoding: chunked', 'Content-Length: 4'])}0\r\n\r\n`],
  ['two lengths', head([`Content-Length: ${QUERY.length}`, 'Content-Length: 0']) + QUERY],
  ['a list of lengths', head([`Content-Length: ${QUERY.length}, 0`]) + QUERY],
  ['a length with a sign', head([`Content-Length: +${QUERY.length}`]) + QUERY],
  ['a negative length', head(['Content-Length: -1']) + QUERY],
  ['a hexadecimal length', head([`Content-Length: 0x${QUERY.length.toString(16)}`]) + QUERY],
  ['a length beyond 64 bits', head([`Content-Length: ${2n ** 64n + BigInt(QUERY.length)}`]) + QUERY],
  ['a length with a space in its name', head([`Content-Length : ${QUERY.length}`]) + QUERY],
  ['chunks with a space in their name', `${head(['Transfer-Encoding : chunked'])}${CHUNK}0\r\n\r\n`],
  ['chunks by another name', `${head(['Transfer-Encoding: xchunked'])}${CHUNK}0\r\n\r\n`],
  ['chunks that are not last', `${head(['Transfer-Encoding: chunked, identity'])}${CHUNK}0\r\n\r\n`],
  ['chunks twice', `${head(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'])}${CHUNK}0\r\n\r\n`],
  ['compressed chunks', `${head(['Transfer-Encoding: gzip, chunked'])}${CHUNK}0\r\n\r\n`],
  ['a header that is folded', `${head(['Transfer-Encoding:\r\n chunked', 'Content-Length: 4'])}0\r\n\r\n`],
  ['a line that ends in LF', `${head(['X: y\nTransfer-Encoding: chunked', 'Content-Length: 4'])}0\r\n\r\n`],
  ['a NUL in a header', head(['X: \0', `Content-Length: ${QUERY.length}`]) + QUERY],
  ['a chunk size that is none', `${head(['Transfer-Encoding: chunked'])}0x${CHUNK}0\r\n\r\n`],
  ['a chunk size with a sign', `${head(['Transfer-Encoding: chunked'])}+${CHUNK}0\r\n\r\n`],
  ['a chunk size beyond 64 bits', `${head(['Transfer-Encoding: chunked'])}1${'0'.repeat(16)}\r\n${QUERY}\r\n0\r\n\r\n`],
  ['a chunk that does not end', `${head(['Transfer-Encoding: chunked'])}4\r\n${QUERY}\r\n0\r\n\r\n`],
])('%s: at most one error response, and no smuggled request is processed', async (_, bytes) => {
  const statuses = await statusesOf(bytes + SMUGGLED);
  expect(statuses.length).toBeLessThanOrEqual(1);
  for (const status of statuses) expect([400, 408, 413, 501]).toContain(status);
  expect(await server.engine.getWorld({ source: 'alpha/ada' })).not.toBeNull();
});

it.each([
  ['a declared body', head([`Content-Length: ${SMUGGLED.length}`]) + SMUGGLED],
  ['a chunk', `${head(['Transfer-Encoding: chunked'])}${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`],
  [
    'an extension of a chunk',
    `${head(['Transfer-Encoding: chunked'])}2;x="${SMUGGLED.split('\r\n')[0]}"\r\n{}\r\n0\r\n\r\n`,
  ],
  [
    'trailers',
    `${head(['Transfer-Encoding: chunked'])}2\r\n{}\r\n0\r\nX: y\r\nAuthorization: ${bearer('admin')}\r\n\r\n`,
  ],
  ['the body of a GET', head([`Content-Length: ${SMUGGLED.length}`], 'GET') + SMUGGLED],
])('the contents of %s are not processed as a request', async (_, bytes) => {
  const last = `GET /worlds/ada HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${bearer('rita')}\r\n\r\n`;
  const statuses = await statusesOf(bytes + last);
  expect(statuses.length).toBeLessThanOrEqual(2);
  expect(await server.engine.getWorld({ source: 'alpha/ada' })).not.toBeNull();
});
