import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKERS, type Attack, type Conversation, type HostileRequest, importOf, json, list } from '../attack.ts';
import { opened, statuses, statusOf } from '../raw-status.ts';
import { send } from '../watched.ts';

const get = (
  path: string,
  headers: Readonly<Record<string, string>> = {},
  as?: HostileRequest['as'],
): HostileRequest => ({
  method: 'GET',
  path,
  headers,
  as,
});

/** A commit of n quads. */
const commitOf = (n: number) =>
  importOf(
    list(n, (i) => `<urn:c${i}> <urn:p> "${i}" .\n`, ''),
    'application/n-quads',
  );

const feed = (query = '', token: keyof typeof ATTACKERS = 'mallory') =>
  `GET /worlds/w/changes${query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ATTACKERS[token]}\r\n\r\n`;
const GET = `GET /worlds/w HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ATTACKERS.mallory}\r\n\r\n`;

/**
 * Feeds that stay open while something happens; gives their statuses and that of a request after
 * it.
 */
const following =
  (
    count: number,
    request: string,
    meanwhile: (port: number, sockets: readonly Socket[]) => Promise<void>,
  ): Conversation =>
  async (port) => {
    const sockets = Array.from({ length: count }, () => opened(port));
    const first = sockets.map((socket) => {
      const answer = statuses(socket, 1);
      socket.write(request);
      return answer;
    });
    const found = (await Promise.all(first)).map(([status = 0]) => status);
    await meanwhile(port, sockets);
    for (const socket of sockets) socket.destroy();
    return [...found, ...(await statusOf(port, GET))];
  };

/** Commits one after the other. */
const commits = (count: number, quads: number) => async (port: number) => {
  for (let i = 0; i < count; i++) {
    const text = list(quads, (j) => `<urn:f${i}x${j}> <urn:p> "${i}" .\n`, '');
    await send(port, importOf(text, 'application/n-quads'));
  }
};

const CONVERSATIONS: readonly (readonly [string, (size: number) => Conversation, readonly number[]])[] = [
  ['many feeds of one caller', (size) => following(30 * size, feed(), () => sleep(300)), [200, 429]],
  ['many feeds during commits', (size) => following(30, feed(), commits(3 * size, 200)), [200]],
  [
    'feeds that nobody reads',
    (size) =>
      following(30, feed(), async (port, sockets) => {
        for (const socket of sockets) socket.pause();
        await commits(2 * size, 1_000)(port);
      }),
    [200],
  ],
  ['feeds of a guest', (size) => following(30, feed('?quads=10', 'guest'), commits(3 * size, 200)), [200]],
  [
    'feeds from the beginning',
    (size) => async (port) => {
      await commits(5 * size, 200)(port);
      return following(30, feed('?after=0'), () => sleep(500))(port, port);
    },
    [200],
  ],
  [
    'feeds that are given up',
    (size) => async (port) => {
      for (let i = 0; i < 50 * size; i++) {
        const socket = opened(port);
        socket.write(feed());
        await sleep(2);
        socket.destroy();
      }
      return statusOf(port, GET);
    },
    [200],
  ],
];

export const FEEDS: readonly Attack[] = [
  {
    name: 'activity: by an admin, after many queries',
    route: 'serverActivity',
    before: (size) =>
      Array.from({ length: 20 * size }, (_, i) =>
        json('POST', '/worlds/w/sparql', { query: `ASK { ?s ?p "${'x'.repeat(20_000)}${i}" }` }),
      ),
    at: () => get('/activity', {}, 'admin'),
    statuses: [200],
  },
  {
    name: 'activity: by somebody who is no admin',
    route: 'serverActivity',
    at: (size) => get(`/activity?${'x'.repeat(100 * size)}`),
    statuses: [403],
  },
  {
    name: 'changes: all that there are',
    route: 'namespaceChanges',
    before: (size) => [commitOf(500 * size)],
    at: () => get('/changes?after=0&follow=false'),
    statuses: [200],
  },
  {
    name: 'changes: of one world, by a reader',
    route: 'worldChanges',
    before: (size) => [commitOf(500 * size)],
    at: () => get('/worlds/w/changes?after=0&follow=false', {}, 'reader'),
    statuses: [200],
  },
  {
    name: 'changes: without quads',
    route: 'worldChanges',
    before: (size) => [commitOf(500 * size)],
    at: () => get('/worlds/w/changes?after=0&follow=false&quads=0'),
    statuses: [200],
  },
  {
    name: 'changes: a position of another namespace',
    route: 'namespaceChanges',
    at: () => get(`/changes?after=${'A'.repeat(48)}`),
    statuses: [200],
  },
  {
    name: 'changes: a revision of the future',
    route: 'namespaceChanges',
    at: () => get('/changes?after=999999999999999'),
    statuses: [200],
  },
  {
    name: 'changes: a long position',
    route: 'namespaceChanges',
    at: (size) => get('/changes', { 'last-event-id': '9'.repeat(500 * size) }),
    statuses: [400],
  },
  {
    name: 'changes: many positions',
    route: 'worldChanges',
    at: (size) => get(`/worlds/w/changes?${list(50 * size, (i) => `after=${i}`, '&')}`),
    statuses: [400, 431],
  },
  {
    name: 'changes: numbers that are none',
    route: 'worldChanges',
    at: (size) => get(`/worlds/w/changes?quads=${'1e'.repeat(100 * size)}`),
    statuses: [400],
  },
  {
    name: 'changes: all that there are, by a guest',
    route: 'worldChanges',
    before: (size) => [commitOf(500 * size)],
    at: () => get(`/worlds/w/changes?after=${'A'.repeat(48)}&follow=false`, {}, 'guest'),
    statuses: [200],
  },
  {
    name: 'changes: one large commit, in one event',
    route: 'worldChanges',
    before: (size) => [commitOf(5_000 * size)],
    at: () => get('/worlds/w/changes?after=0&follow=false&quads=1000000'),
    statuses: [200],
  },
  ...CONVERSATIONS.map(
    ([name, at, allowed]): Attack => ({ name: `changes: ${name}`, route: 'worldChanges', at, statuses: allowed }),
  ),
];
