import { setTimeout as sleep } from 'node:timers/promises';
import {
  ATTACKERS,
  type Attack,
  type Conversation,
  direct,
  type HostileRequest,
  importOf,
  json,
  list,
} from '../attack.ts';
import { opened, statusOf } from '../raw-status.ts';
import { send } from '../watched.ts';
import { burst, many } from './burst.ts';

const quads = (text: string) => importOf(text, 'application/n-quads');
const rows = (n: number, value: string) => quads(list(n, (i) => `<urn:r${i}> <urn:p${i % 5}> "${value} ${i}" .\n`, ''));
const update = (text: string) => direct('/worlds/w/sparql', 'update', text);
const clear = update('DELETE WHERE { ?s ?p ?o }');
const query = (fields: object) =>
  json('POST', '/worlds/w/sparql', { query: 'SELECT * { ?s ?p ?o } LIMIT 5', ...fields });
const COUNT = 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }';

/** A past of large commits, each of other quads. */
const largePast = (commits: number, n: number): HostileRequest[] =>
  many(commits, (i) => [rows(n, `v${i}`), clear]).flat();
/** A past of small commits. */
const longPast = (commits: number): HostileRequest[] => many(commits, (i) => quads(`<urn:s> <urn:p> "${i}" .\n`));

/** Requests that are sent together and depend on the oldest revision that the history has. */
const fromOldest =
  (requests: (oldest: number) => readonly HostileRequest[]): Conversation =>
  async (port, writer) =>
    burst(requests(await oldestRevision(port)))(port, writer);

async function oldestRevision(port: number): Promise<number> {
  const { text } = await send(port, query({ at: 0 }));
  const [, oldest] = /oldest revision that is kept is (\d+)/.exec(text) ?? [];
  if (oldest === undefined) throw new Error(`expected the oldest revision, found ${text}`);
  return Number(oldest);
}

/** Requests to one server while the other one writes. */
const during =
  (writes: readonly HostileRequest[], reads: (round: number) => readonly HostileRequest[]): Conversation =>
  async (port, writer) => {
    let isWriting = true;
    const writing = (async () => {
      for (const request of writes) await send(writer, request);
      isWriting = false;
    })();
    const found: number[] = [];
    for (let round = 0; isWriting; round++) {
      const answers = await Promise.all(reads(round).map((request) => send(port, request)));
      found.push(...answers.map(({ status }) => status));
    }
    await writing;
    return found;
  };

type Row = readonly [string, Attack['route'], (size: number) => HostileRequest | Conversation, Partial<Attack>?];

/** A caller may have too many requests, and a moment may not be kept. */
const READ = [200, 400, 410, 429, 503] as const;

const FOLLOWED: readonly Row[] = [
  [
    'the latest state, many times',
    'sparqlWorld',
    (size) => burst(many(30 * size, () => query({ consistency: 'latest' }))),
  ],
  [
    'the latest state, while there are writes',
    'sparqlWorld',
    (size) =>
      during(
        many(5 * size, (i) => rows(500, String(i))),
        () => many(10, () => query({ consistency: 'latest' })),
      ),
  ],
  [
    'all quads, while they are replaced',
    'sparqlWorld',
    (size) =>
      during(many(3 * size, (i) => [rows(2_000, String(i)), clear]).flat(), () =>
        many(5, () => query({ query: COUNT, consistency: 'latest' })),
      ),
  ],
  [
    'moments of the past',
    'sparqlWorld',
    (size) => fromOldest((oldest) => many(20 * size, (i) => query({ query: COUNT, at: oldest + 2 + (i % 15) }))),
    { before: () => largePast(8, 4_000) },
  ],
  [
    'revisions that no server has',
    'sparqlWorld',
    (size) =>
      burst(
        many(10 * size, (i) => ({
          ...query({}),
          headers: {
            'content-type': 'application/json',
            'rdf-worlds-revision-token': list(64, (j) => (j === 0 ? `mallet=${10 ** 9 + i}` : `n${j}=latest`), ','),
          },
        })),
      ),
  ],
  [
    'differences over time, while there are writes',
    'diffWorlds',
    (size) => async (port, writer) => {
      const oldest = await oldestRevision(port);
      return during(
        many(3 * size, (i) => rows(1_000, String(i))),
        (round) => many(8, (i) => json('POST', '/worlds/w/diff', { from: oldest + 2 + ((round + i) % 4) })),
      )(port, writer);
    },
    { before: () => largePast(3, 2_000) },
  ],
  [
    'the first searches, while there are writes',
    'searchWorld',
    (size) =>
      during(
        many(3 * size, (i) => rows(500, String(i))),
        () => many(5, () => json('POST', '/worlds/w/search', { query: 'text 7', facets: true, consistency: 'latest' })),
      ),
    { before: (size) => [rows(1_000 * size, 'text')] },
  ],
  [
    'exports of a namespace that is deleted and made again',
    'exportWorld',
    (size) =>
      during(
        many(3 * size, (i) => [
          { method: 'DELETE', path: '/worlds/w' },
          json('POST', '/worlds', { slug: 'w' }),
          rows(1_000, String(i)),
        ]).flat(),
        () => many(5, () => json('POST', '/worlds/w/export', { consistency: 'latest' })),
      ),
    { statuses: [...READ, 404] },
  ],
  [
    'writes to a server that cannot write',
    'importWorld',
    (size) =>
      burst(many(5 * size, (i) => [rows(500, String(i)), clear, json('POST', '/worlds', { slug: `x${i}` })][i % 3])),
    { statuses: [400, 403, 405, 501, 503] },
  ],
];

const PAST: readonly Row[] = [
  [
    'large commits, undone for many requests together',
    'sparqlWorld',
    (size) => fromOldest((oldest) => many(60, (i) => query({ query: COUNT, at: oldest + 2 + (i % (2 * size)) }))),
    { before: (size) => largePast(size, 20_000) },
  ],
  [
    'differences of large commits, together',
    'diffWorlds',
    (size) =>
      fromOldest((oldest) =>
        many(60, (i) => json('POST', '/worlds/w/diff', { from: oldest + 2, to: oldest + 3 + (i % (2 * size)) })),
      ),
    { before: (size) => largePast(1 + size, 10_000), statuses: READ },
  ],
  [
    'a long past, from its start',
    'sparqlWorld',
    () => fromOldest((oldest) => many(60, (i) => query({ query: COUNT, at: oldest + 2 + i }))),
    { before: (size) => longPast(100 * size) },
  ],
  [
    'moments that are none',
    'sparqlWorld',
    (size) =>
      burst(
        many(10 * size, (i) =>
          query({ at: ['-1', '1e400', '2026', '9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z', 0, 10 ** 15][i % 7] }),
        ),
      ),
  ],
  [
    'forks of each moment',
    'forkWorld',
    (size) => async (port) => {
      const found: number[] = [];
      const oldest = await oldestRevision(port);
      for (let i = 0; i < 10 * size; i++) {
        const { status } = await send(
          port,
          json('POST', '/worlds/w/fork', { slug: `f${i}`, at: oldest + 2 + (i % 8) }),
        );
        found.push(status);
      }
      return found;
    },
    // Each fork is a commit that the next ones undo.
    { before: () => largePast(5, 2_000), statuses: [201], cost: 'answer' },
  ],
  [
    'forks of forks',
    'forkWorld',
    (size) => async (port) => {
      const found: number[] = [];
      for (let i = 0; i < 20 * size; i++) {
        const from = i === 0 ? 'w' : `f${i - 1}`;
        const { status } = await send(port, json('POST', `/worlds/${from}/fork`, { slug: `f${i}` }));
        found.push(status);
      }
      await send(port, json('POST', `/worlds/sparql`, { query: COUNT }));
      return found;
    },
    { before: () => [quads(list(2_000, (i) => `_:b${i} <urn:p> _:b${i + 1} .\n`, ''))], statuses: [201] },
  ],
  [
    'forks of a large world together',
    'forkWorld',
    (size) => burst(many(30, (i) => json('POST', '/worlds/w/fork', { slug: `f${i}` })).concat(many(size, () => clear))),
    {
      before: (size) => [quads(list(2_000 * size, (i) => `_:b${i} <urn:p> _:b${i + 1} .\n`, ''))],
      statuses: [201, 204, 503],
    },
  ],
  [
    'exports of the past, framed',
    'exportWorld',
    (size) =>
      fromOldest((oldest) =>
        many(20, (i) =>
          json('POST', '/worlds/w/export', {
            at: oldest + 2 + (i % (2 * size)),
            contentType: 'application/ld+json',
            frame: {},
          }),
        ),
      ),
    { before: (size) => largePast(size, 1_000) },
  ],
  [
    'bindings of many values, in many requests',
    'sparqlWorld',
    (size) =>
      burst(
        many(10, (i) =>
          query({
            bindings: Object.fromEntries(
              many(100 * size, (j) => [`v${j}`, { type: 'literal', value: 'x'.repeat(50 + i) }]),
            ),
          }),
        ),
      ),
  ],
  [
    'backups that nobody reads',
    'backup',
    (size) => async (port) => {
      const request = (path: string) =>
        `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ATTACKERS.admin}\r\n\r\n`;
      const sockets = many(5 * size, () => {
        const socket = opened(port).pause();
        socket.write(request('/backup'));
        return socket;
      });
      await sleep(500);
      const answer = await statusOf(port, request('/worlds'));
      for (const socket of sockets) socket.destroy();
      return answer;
    },
    { before: () => [rows(50_000, 'x'.repeat(100))], statuses: [200, 429, 503] },
  ],
  [
    'schemas and statistics of many worlds, together',
    'worldSchema',
    (size) =>
      burst(
        many(20 * size, (i) => ({
          method: 'GET',
          path: [
            `/worlds/w/schema?limit=1000`,
            '/stats',
            '/worlds/w/stats',
            `/worlds/w?at=${new Date().toISOString()}`,
          ][i % 4],
        })),
      ),
    { before: () => [quads(list(5_000, (i) => `<urn:e${i % 50}> <urn:q${i}> "x" .\n`, ''))] },
  ],
];

const attacks = (kind: string, server: Attack['server'], table: readonly Row[]): Attack[] =>
  table.map(([name, route, at, more]) => ({ name: `${kind}: ${name}`, route, at, statuses: READ, server, ...more }));

export const FOLLOWERS: readonly Attack[] = [
  ...attacks('follower', 'follower', FOLLOWED),
  ...attacks('past', 'history', PAST),
];
