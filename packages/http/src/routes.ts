import type { Call } from './call.ts';
import { serverActivity } from './operations/activity.ts';
import { backup } from './operations/backup.ts';
import { changes } from './operations/changes.ts';
import { exportWorld, importData } from './operations/data.ts';
import { deleteGraph, getGraph, postGraph, putGraph } from './operations/graph-store.ts';
import { listNamespaces } from './operations/namespaces.ts';
import { worldSchema } from './operations/schema.ts';
import { searchWorlds } from './operations/search.ts';
import { getSparql, postSparql } from './operations/sparql.ts';
import { namespaceStats, worldStats } from './operations/stats.ts';
import { diffWorlds, forkWorld } from './operations/time.ts';
import { createWorld, deleteWorld, getWorld, listWorlds, updateWorld } from './operations/worlds.ts';
import type { Reply } from './reply.ts';
import type { RouteInfo } from './route-info.ts';

export interface Route extends RouteInfo {
  readonly run: (call: Call) => Promise<Reply>;
}

const asksSparql = (query: URLSearchParams) => query.has('query') || query.has('update');

/** All routes of the service. The first match wins; HEAD is dispatched as GET. */
export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/worlds',
    operation: 'listWorlds',
    permission: 'any',
    unknownWorld: 404,
    statuses: [200, 401],
    run: listWorlds,
  },
  {
    method: 'POST',
    path: '/worlds',
    operation: 'createWorld',
    permission: 'write',
    unknownWorld: 400,
    statuses: [201, 400, 403, 409],
    run: createWorld,
  },

  {
    method: 'POST',
    path: '/worlds/sparql',
    operation: 'sparqlCollection',
    permission: 'any',
    unknownWorld: 400,
    statuses: [200, 204, 400, 401, 410],
    run: postSparql,
  },
  {
    method: 'GET',
    path: '/worlds/sparql',
    operation: 'querySparqlCollection',
    permission: 'any',
    unknownWorld: 400,
    statuses: [200, 400, 401, 410],
    when: asksSparql,
    run: getSparql,
  },
  {
    method: 'POST',
    path: '/worlds/search',
    operation: 'searchCollection',
    permission: 'any',
    unknownWorld: 400,
    statuses: [200, 400, 401],
    run: searchWorlds,
  },

  {
    method: 'GET',
    path: '/worlds/{slug}',
    operation: 'getWorld',
    permission: 'read',
    unknownWorld: 404,
    statuses: [200, 400, 401, 404, 410],
    run: getWorld,
  },
  {
    method: 'PUT',
    path: '/worlds/{slug}',
    operation: 'updateWorld',
    permission: 'write',
    unknownWorld: 404,
    statuses: [204, 400, 401, 404],
    run: updateWorld,
  },
  {
    method: 'DELETE',
    path: '/worlds/{slug}',
    operation: 'deleteWorld',
    permission: 'write',
    unknownWorld: 404,
    statuses: [204, 401, 404],
    run: deleteWorld,
  },

  {
    method: 'POST',
    path: '/worlds/{slug}/export',
    operation: 'exportWorld',
    permission: 'read',
    unknownWorld: 400,
    statuses: [200, 400, 401, 410],
    run: exportWorld,
  },
  {
    method: 'POST',
    path: '/worlds/{slug}/import',
    operation: 'importWorld',
    permission: 'write',
    unknownWorld: 400,
    statuses: [204, 400, 401],
    run: importData,
  },
  {
    method: 'POST',
    path: '/worlds/{slug}/fork',
    operation: 'forkWorld',
    permission: 'read',
    unknownWorld: 400,
    statuses: [201, 400, 401, 403, 409, 410],
    run: forkWorld,
  },
  {
    method: 'POST',
    path: '/worlds/{slug}/diff',
    operation: 'diffWorlds',
    permission: 'read',
    unknownWorld: 400,
    statuses: [200, 400, 401, 410],
    run: diffWorlds,
  },
  {
    method: 'POST',
    path: '/worlds/{slug}/sparql',
    operation: 'sparqlWorld',
    permission: 'any',
    unknownWorld: 400,
    statuses: [200, 204, 400, 401, 410],
    run: postSparql,
  },
  {
    method: 'GET',
    path: '/worlds/{slug}/sparql',
    operation: 'querySparqlWorld',
    permission: 'read',
    unknownWorld: 400,
    statuses: [200, 400, 401, 410],
    run: getSparql,
  },
  {
    method: 'POST',
    path: '/worlds/{slug}/search',
    operation: 'searchWorld',
    permission: 'read',
    unknownWorld: 400,
    statuses: [200, 400, 401],
    run: searchWorlds,
  },

  {
    method: 'GET',
    path: '/backup',
    operation: 'backup',
    isGlobal: true,
    permission: 'admin',
    deadline: 'backupMs',
    unknownWorld: 404,
    statuses: [200, 400, 401, 403],
    run: backup,
  },

  {
    method: 'GET',
    path: '/changes',
    operation: 'namespaceChanges',
    permission: 'read',
    unknownWorld: 404,
    statuses: [200, 400, 401, 403, 404],
    run: changes,
  },
  {
    method: 'GET',
    path: '/worlds/{slug}/changes',
    operation: 'worldChanges',
    permission: 'read',
    unknownWorld: 404,
    statuses: [200, 400, 401, 403, 404],
    run: changes,
  },

  {
    method: 'GET',
    path: '/namespaces',
    operation: 'listNamespaces',
    isGlobal: true,
    permission: 'caller',
    unknownWorld: 404,
    statuses: [200, 401],
    run: listNamespaces,
  },
  {
    method: 'GET',
    path: '/activity',
    operation: 'serverActivity',
    isGlobal: true,
    permission: 'admin',
    unknownWorld: 404,
    statuses: [200, 401, 403, 404],
    run: serverActivity,
  },
  {
    method: 'GET',
    path: '/worlds/{slug}/schema',
    operation: 'worldSchema',
    permission: 'read',
    unknownWorld: 404,
    statuses: [200, 400, 401, 404],
    run: worldSchema,
  },

  {
    method: 'GET',
    path: '/stats',
    operation: 'namespaceStats',
    permission: 'read',
    unknownWorld: 404,
    statuses: [200, 401, 403],
    run: namespaceStats,
  },
  {
    method: 'GET',
    path: '/worlds/{slug}/stats',
    operation: 'worldStats',
    permission: 'read',
    unknownWorld: 404,
    statuses: [200, 401, 404],
    run: worldStats,
  },

  ...['/worlds/{slug}/graphs', '/worlds/{slug}/graphs/{graph*}'].flatMap((path): Route[] => [
    {
      method: 'GET',
      path,
      operation: 'getGraph',
      permission: 'read',
      unknownWorld: 404,
      statuses: [200, 400, 401, 404, 410],
      run: getGraph,
    },
    {
      method: 'PUT',
      path,
      operation: 'putGraph',
      permission: 'write',
      unknownWorld: 404,
      statuses: [201, 204, 400, 401, 404],
      run: putGraph,
    },
    {
      method: 'POST',
      path,
      operation: 'postGraph',
      permission: 'write',
      unknownWorld: 404,
      statuses: [201, 204, 400, 401, 404],
      run: postGraph,
    },
    {
      method: 'DELETE',
      path,
      operation: 'deleteGraph',
      permission: 'write',
      unknownWorld: 404,
      statuses: [204, 400, 401, 404],
      run: deleteGraph,
    },
  ]),
];
