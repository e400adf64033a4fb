import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKERS, type Attack, type Conversation, list } from '../attack.ts';
import { opened, statuses, statusOf } from '../raw-status.ts';

const authorization = `Authorization: Bearer ${ATTACKERS.mallory}\r\n`;
const GET = `GET /worlds/w HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`;
const post = (path: string, headers: string, body = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${authorization}${headers}\r\n\r\n${body}`;
const JSON_TYPE = 'Content-Type: application/json';
/** How long connections are held while the others are watched. */
const HOLD_MS = 500;

/** Connections that have sent something and are left open for a while. */
const held =
  (count: number, first: string | Uint8Array, more?: (socket: Socket, i: number) => void): Conversation =>
  async (port) => {
    const sockets = Array.from({ length: count }, () => opened(port));
    for (const socket of sockets) {
      socket.on('data', () => {});
      socket.write(first);
    }
    for (let round = 0; round < 5; round++) {
      await sleep(HOLD_MS / 5);
      sockets.forEach((socket, i) => {
        if (!socket.destroyed) more?.(socket, i);
      });
    }
    for (const socket of sockets) socket.destroy();
    return statusOf(port, GET);
  };

/** Requests that are sent without waiting for answers. */
const pipelined =
  (request: string, count: number): Conversation =>
  async (port) => {
    const socket = opened(port);
    const answers = statuses(socket, count);
    socket.write(request.repeat(count));
    const found = await answers;
    socket.destroy();
    return found.length === 0 ? [0] : found;
  };

/** Requests on a connection each, all at the same time. */
export const together =
  (request: string, count: number): Conversation =>
  async (port) =>
    (await Promise.all(Array.from({ length: count }, () => statusOf(port, request)))).flat();

/** Connections that ask for much and go away. */
const abandoned =
  (request: string, count: number): Conversation =>
  async (port) => {
    for (let i = 0; i < count; i++) {
      const socket = opened(port);
      socket.write(request);
      await sleep(5);
      socket.destroy();
    }
    return statusOf(port, GET);
  };

const query = (text: string, headers = '') => {
  const body = JSON.stringify({ query: text });
  return post('/worlds/w/sparql', `${JSON_TYPE}\r\n${headers}Content-Length: ${body.length}`, body);
};
/** Never ends by itself. */
export const HEAVY_QUERY = query('SELECT (COUNT(*) AS ?c) { ?a ?b ?c0 . ?d ?e ?f FILTER(STR(?f) < STR(?c0)) }');
const LARGE = `SELECT * { ${['?a', '?b', '?c'].map((name) => `VALUES ${name} { ${list(60, String)} }`).join(' ')} }`;

type Row = readonly [string, (size: number) => Conversation, readonly number[], Attack['cost']?];

const ROWS: readonly Row[] = [
  ['pipelined requests', (size) => pipelined(GET, 1_250 * size), [0, 200]],
  ['pipelined requests within the bound', (size) => pipelined(GET, 2 * size), [200]],
  ['pipelined queries', (size) => pipelined(query('ASK {}'), 1_250 * size), [0, 200]],
  [
    'pipelined requests without a token',
    (size) => pipelined('GET /worlds HTTP/1.1\r\nHost: x\r\n\r\n', 1_250 * size),
    [0, 401],
  ],
  ['pipelined requests that are none', (size) => pipelined('X\r\n\r\n', 1_000 * size), [0, 400]],
  [
    'pipelined bodies',
    (size) => pipelined(post('/worlds/w/sparql', `${JSON_TYPE}\r\nContent-Length: 2`, '{}'), 500 * size),
    [0, 200],
  ],
  ['idle connections', (size) => held(60 * size, ''), [200]],
  [
    'connections with half a head',
    (size) => held(60 * size, 'GET /worlds HTTP/1.1\r\nX: ', (socket) => socket.write('x')),
    [200],
  ],
  [
    'connections with half a body',
    (size) =>
      held(60 * size, post('/worlds/w/sparql', `${JSON_TYPE}\r\nContent-Length: 1000`, '{'), (socket) =>
        socket.write(' '),
      ),
    [200],
  ],
  [
    'connections with chunks of one byte',
    (size) =>
      held(30 * size, post('/worlds/w/sparql', `${JSON_TYPE}\r\nTransfer-Encoding: chunked`), (socket) =>
        socket.write('1\r\n \r\n'.repeat(2_000)),
      ),
    [200],
  ],
  [
    'held uploads',
    (size) =>
      held(
        3 * size,
        Buffer.from(post('/worlds/w/import', `${JSON_TYPE}\r\nContent-Length: 60000000`, 'A'.repeat(8 << 20))),
      ),
    [200],
  ],
  [
    'held uploads of chunks',
    (size) =>
      held(
        3 * size,
        Buffer.from(
          `${post('/worlds/w/import', `${JSON_TYPE}\r\nTransfer-Encoding: chunked`)}800000\r\n${'A'.repeat(8 << 20)}\r\n`,
        ),
      ),
    [200],
  ],
  [
    'streamed uploads that stall',
    (size) =>
      held(
        3 * size,
        `${post('/worlds/w/import', 'Content-Type: application/n-triples\r\nContent-Length: 900000000')}${'<urn:s> <urn:p> "x" .\n'.repeat(100_000)}`,
      ),
    [200],
  ],
  [
    'uploads that wait for 100 (Continue)',
    (size) =>
      held(
        30 * size,
        post('/worlds/w/import', 'Content-Type: text/turtle\r\nContent-Length: 900000000\r\nExpect: 100-continue'),
      ),
    [200],
  ],
  [
    'uploads without a token',
    (size) =>
      held(
        3 * size,
        Buffer.from(
          `POST /worlds/w/import HTTP/1.1\r\nHost: x\r\nContent-Length: 60000000\r\n\r\n${'A'.repeat(8 << 20)}`,
        ),
      ),
    [200],
  ],
  [
    'extensions of chunks',
    (size) => (port) =>
      statusOf(
        port,
        `${post('/worlds/w/sparql', `${JSON_TYPE}\r\nTransfer-Encoding: chunked`)}2;${'x'.repeat(4_000 * size)}\r\n{}\r\n0\r\n\r\n`,
      ),
    [0, 200, 400, 413],
  ],
  [
    'trailers',
    (size) => (port) =>
      statusOf(
        port,
        `${post('/worlds/w/sparql', `${JSON_TYPE}\r\nTransfer-Encoding: chunked`)}2\r\n{}\r\n0\r\n${'X: y\r\n'.repeat(500 * size)}\r\n`,
      ),
    [0, 200, 400, 431],
  ],
  [
    'a size of a chunk without end',
    (size) => (port) =>
      statusOf(
        port,
        `${post('/worlds/w/sparql', `${JSON_TYPE}\r\nTransfer-Encoding: chunked`)}${'0'.repeat(4_000 * size)}`,
      ),
    [0, 400, 408, 413],
  ],
  [
    'a body of chunks of one byte',
    (size) => (port) =>
      statusOf(
        port,
        `${post('/worlds/w/sparql', `${JSON_TYPE}\r\nTransfer-Encoding: chunked`)}${'1\r\n \r\n'.repeat(20_000 * size)}2\r\n{}\r\n0\r\n\r\n`,
      ),
    [0, 413],
  ],
  [
    'upgrades',
    (size) =>
      together(
        `GET /worlds/w HTTP/1.1\r\nHost: x\r\n${authorization}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
        10 * size,
      ),
    [200, 400, 426],
  ],
  ['CONNECT', (size) => together('CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n', 10 * size), [0, 400, 405]],
  ['HTTP/2', (size) => together('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 10 * size), [0, 400, 505]],
  [
    'TLS',
    (size) => together('\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003', 10 * size),
    [0, 400, 408],
  ],
  ['heavy queries together', (size) => together(HEAVY_QUERY, 4 * size), [200, 400, 503], 'answer'],
  [
    'heavy updates together',
    (size) => together(query('INSERT { ?a <urn:q> ?f } WHERE { ?a ?b ?c0 . ?d <urn:p0> ?f }'), 2 * size),
    [204, 400, 503],
    'answer',
  ],
  ['queries without end that are given up', (size) => abandoned(HEAVY_QUERY, 10 * size), [200], 'answer'],
  [
    'large answers that nobody reads',
    (size) => async (port) => {
      const sockets = Array.from({ length: 5 * size }, () => opened(port).pause());
      for (const socket of sockets) socket.write(query(LARGE));
      await sleep(2 * HOLD_MS);
      for (const socket of sockets) socket.destroy();
      return statusOf(port, GET);
    },
    [200],
    'answer',
  ],
  [
    'updates that are given up',
    (size) => abandoned(query(`INSERT DATA { ${list(1_000, (i) => `<urn:s> <urn:p> ${i} .`)} }`), 10 * size),
    [200],
  ],
  [
    'imports together',
    (size) => {
      const body = JSON.stringify({
        data: Buffer.from(list(5_000, (i) => `<urn:s${i}> <urn:p> "${i}" .\n`, '')).toString('base64'),
      });
      return together(post('/worlds/w/import', `${JSON_TYPE}\r\nContent-Length: ${body.length}`, body), size);
    },
    [204, 503],
  ],
  [
    'searches together',
    (size) => {
      const body = JSON.stringify({ query: 'text number', limit: 1000 });
      return together(post('/worlds/w/search', `${JSON_TYPE}\r\nContent-Length: ${body.length}`, body), 4 * size);
    },
    [200, 503],
  ],
  [
    'exports together',
    (size) => together(post('/worlds/w/export', 'Content-Length: 0\r\nAccept: text/turtle'), 10 * size),
    [200, 503],
  ],
  [
    'wrong tokens together',
    (size) => together('GET /worlds HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer aaaaaaaaaaaaaaaa\r\n\r\n', 50 * size),
    [401, 429],
  ],
  [
    'guessed tokens together',
    (size) => async (port) => {
      const guess = (i: number) => `GET /worlds HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${1e16 + 2 * i}\r\n\r\n`;
      return (await Promise.all(Array.from({ length: 50 * size }, (_, i) => statusOf(port, guess(i))))).flat();
    },
    [401, 429],
  ],
];

export const CONNECTIONS: readonly Attack[] = ROWS.map(([name, at, allowed, cost]) => ({
  name: `connection: ${name}`,
  route: 'connection',
  at,
  statuses: allowed,
  cost,
}));
