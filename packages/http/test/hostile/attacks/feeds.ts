import { type Attack, type HostileRequest, importOf, list } from '../attack.ts';

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

export const FEEDS: readonly Attack[] = [
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
];
