import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKERS, type Attack, type Conversation, type HostileRequest, importOf, json, list } from '../attack.ts';
import { opened, statusOf } from '../raw-status.ts';
import { send } from '../watched.ts';
import { burst, many } from './burst.ts';

const quads = (text: string) => importOf(text, 'application/n-quads');
/** Objects that are long: n of them, of the same character. */
const longTexts = (n: number, length: number, character = 'x') =>
  quads(list(n, (i) => `<urn:long${i}> <urn:p> "${i}${character.repeat(length)}" .\n`, ''));
const described = (length: number) => json('PUT', '/worlds/w', { description: 'd'.repeat(length) });

type Token = keyof typeof ATTACKERS;
const feed = (query = '', { as = 'mallory', more = '' }: { readonly as?: Token; readonly more?: string } = {}) =>
  `GET /worlds/w/changes${query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ATTACKERS[as]}\r\n${more}\r\n`;
const GET = `GET /worlds HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ATTACKERS.mallory}\r\n\r\n`;

/** Opens feeds that read nothing, which tells no status, while something happens. */
const unread =
  (requests: readonly string[], meanwhile: (port: number) => Promise<void>): Conversation =>
  async (port) => {
    const sockets = requests.map((request): Socket => {
      const socket = opened(port).pause();
      socket.write(request);
      return socket;
    });
    await sleep(200);
    await meanwhile(port);
    await sleep(500);
    for (const socket of sockets) socket.destroy();
    return statusOf(port, GET);
  };

const sendAll =
  (requests: readonly HostileRequest[]) =>
  async (port: number): Promise<void> => {
    for (const request of requests) await send(port, request);
  };

const get = (path: string, headers: Readonly<Record<string, string>> = {}, as?: HostileRequest['as']) => ({
  method: 'GET',
  path,
  headers,
  as,
});
const PAST = '?after=0&follow=false';

type Row = readonly [string, (size: number) => Conversation | HostileRequest, Partial<Attack>?];

const ROWS: readonly Row[] = [
  [
    'long texts that nobody reads',
    (size) =>
      unread(
        many(30, () => feed()),
        sendAll([longTexts(2, 120_000 * size)]),
      ),
  ],
  [
    'texts that are longer as JSON, and nobody reads',
    (size) =>
      unread(
        many(30, () => feed()),
        sendAll([longTexts(2, 120_000 * size, '\u0001')]),
      ),
  ],
  [
    'long texts that several callers do not read',
    (size) =>
      unread(
        many(90, (i) => feed('', { as: (['mallory', 'reader', 'guest'] as const)[i % 3] })),
        sendAll([longTexts(2, 120_000 * size)]),
      ),
  ],
  [
    'long texts',
    () => get(`/worlds/w/changes${PAST}`),
    { server: 'history', before: (size) => [longTexts(4, 120_000 * size, '\u0001')] },
  ],
  [
    'long texts, to a guest',
    (size) =>
      unread(
        many(30, () => feed('', { as: 'guest' })),
        sendAll([longTexts(20, 12_000 * size)]),
      ),
  ],
  [
    'long descriptions, without quads',
    (size) =>
      unread(
        many(30, () => feed('?quads=0')),
        sendAll(many(5 * size, () => described(500_000))),
      ),
  ],
  [
    'the whole past, many times',
    (size) => burst(many(8 * size, () => get(`/worlds/w/changes${PAST}`))),
    { before: () => [quads(list(5_000, (i) => `<urn:c${i}> <urn:p> "${i}" .\n`, ''))], statuses: [200, 429] },
  ],
  [
    'a world that is deleted and made again',
    (size) =>
      unread(
        many(30, () => feed()),
        async (port) => {
          for (let i = 0; i < 5 * size; i++) {
            await send(port, { method: 'DELETE', path: '/worlds/w' });
            await send(port, json('POST', '/worlds', { slug: 'w' }));
            await send(port, quads('<urn:s> <urn:p> "x" .\n'));
          }
        },
      ),
  ],
  [
    'ids that are none',
    (size) => async (port) => {
      const ids = many(
        20 * size,
        (i) => ['\u00ff'.repeat(i), '%', '-1', '1e9', 'A'.repeat(47), '_'.repeat(48), '9'.repeat(16)][i % 7],
      );
      const found = await Promise.all(
        ids.map((id) => statusOf(port, feed('?follow=false', { more: `Last-Event-ID: ${id}\r\n` }))),
      );
      return found.flat();
    },
    { statuses: [200, 400, 429] },
  ],
  [
    'ids of a future, of callers who may not know it',
    (size) =>
      burst(
        many(5 * size, (i) =>
          get(`/worlds/w/changes${i % 2 ? '' : '?follow=false'}`, { 'last-event-id': '999999999999' }, 'guest'),
        ),
      ),
    { statuses: [403, 429] },
  ],
  [
    'very old revisions of a long past',
    (size) => burst(many(10 * size, (i) => get(`/worlds/w/changes?after=${i}&follow=false&quads=0`))),
    {
      server: 'history',
      before: () => many(200, (i) => quads(`<urn:s> <urn:p> "${i}" .\n`)),
      statuses: [200, 429],
    },
  ],
  [
    'feeds of a follower, of worlds that are deleted and made again',
    (size) => async (port, writer) => {
      const sockets = many(30, () => {
        const socket = opened(port).pause();
        socket.write(feed());
        return socket;
      });
      for (let i = 0; i < 3 * size; i++) {
        await send(writer, { method: 'DELETE', path: '/worlds/w' });
        await send(writer, json('POST', '/worlds', { slug: 'w' }));
        await send(writer, longTexts(2, 100_000));
      }
      for (const socket of sockets) socket.destroy();
      return statusOf(port, GET);
    },
    { server: 'follower' },
  ],
];

export const SLOW_FEEDS: readonly Attack[] = ROWS.map(([name, at, more]) => ({
  name: `feed: ${name}`,
  route: 'worldChanges',
  at,
  statuses: [200],
  ...more,
}));
