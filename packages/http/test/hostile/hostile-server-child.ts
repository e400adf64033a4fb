import { closeSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WorldsEngine } from '@rdf-worlds/core';
import { createWorldsHandler, jwt, staticTokens } from '@rdf-worlds/http';
import { ServiceMetrics } from '@rdf-worlds/http/metrics';
import { createLimitedServer, nodeListener } from '@rdf-worlds/http/node';
import { fileStorage } from '@rdf-worlds/storage-file';
import { listen } from '../black-box/running-server.ts';
import { ATTACKERS, DATA, NAMESPACE, OTHER_WORLD, type ServerKind, WORLD } from './attack.ts';
import { MOUNTS, PAGES } from './mounts.ts';
import { JWT_KEY } from './token-keys.ts';
import { VICTIM_TOKEN, VICTIM_TRIPLES, VICTIM_WORLD } from './victim.ts';

// The service that is attacked, as `rdf-worlds serve` sets it up, in a process of its own that
// tells what the attack costs: `fork` this file. The arguments are the time limit of requests in
// milliseconds, 0 for the default, the kind of the server, and the directory unless all is in
// memory.

/** How often the time without a yield is looked at, in milliseconds. */
const LOOK_MS = 5;
/** Change feeds that are opened before the attacks, so that their code is compiled. */
const WARM_FEEDS = 50;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const [timeout, kind, path] = process.argv.slice(2) as [string, ServerKind, string?];
const timeoutMs = Number(timeout);
const follows = kind === 'follower';
const engine = await WorldsEngine.open(
  path === undefined
    ? {}
    : { storage: fileStorage({ path, readOnly: follows }), history: { keepRevisions: Number.POSITIVE_INFINITY } },
);
if (!follows) {
  await engine.createWorld({ slug: VICTIM_WORLD, namespace: 'victim' });
  await engine.import({ source: `victim/${VICTIM_WORLD}`, data: VICTIM_TRIPLES });
}

// Readers, writers and the search are loaded with their first use, which is not the fault of the
// attack that is it.
const warmer = follows ? await WorldsEngine.open() : engine;
await warmer.createWorld({ slug: 'warm', namespace: NAMESPACE });
const warm = `${NAMESPACE}/warm`;
for (const contentType of ['text/turtle', 'application/rdf+xml', 'application/ld+json', 'application/n-quads']) {
  await warmer.import({ source: warm, data: VICTIM_TRIPLES });
  await warmer.import({ source: warm, data: await warmer.export({ source: warm, contentType }), contentType });
}
await warmer.search({ query: 'value 7', sources: [warm] });
await warmer.deleteNamespace({ namespace: NAMESPACE });
if (follows) await warmer.close();

const ofToken = staticTokens([
  {
    token: ATTACKERS.mallory,
    namespace: NAMESPACE,
    grants: [{ namespace: NAMESPACE, read: true, write: true }],
  },
  { token: ATTACKERS.reader, namespace: NAMESPACE, grants: [{ namespace: NAMESPACE, read: true }] },
  {
    token: ATTACKERS.guest,
    namespace: NAMESPACE,
    grants: [WORLD, OTHER_WORLD].map((world) => ({ namespace: NAMESPACE, world, read: true })),
  },
  { token: ATTACKERS.admin, namespace: NAMESPACE, admin: true },
  { token: VICTIM_TOKEN, namespace: 'victim', grants: [{ namespace: 'victim', read: true, write: true }] },
]);
const ofJwt = jwt({ key: JWT_KEY, algorithms: ['HS256'], issuer: 'tests', audience: 'worlds' });

/** What was logged as an error of ours. */
let errors: string[] = [];
const logger = {
  debug() {},
  info() {},
  warn() {},
  error(details: unknown) {
    const { err } = details as { err?: Error };
    errors.push(String(err?.stack ?? details).slice(0, 2000));
  },
};
const limits = timeoutMs ? { timeoutMs } : {};
const server = createLimitedServer(limits);
const handler = createWorldsHandler(engine, {
  authenticate: (token, request) => (token.includes('.') ? ofJwt(token, request) : ofToken(token, request)),
  limits,
  logger,
  mounts: MOUNTS,
  pages: PAGES,
  metrics: new ServiceMetrics({ byNamespace: true }),
  probes: true,
});
server.on('request', nodeListener(handler));
const port = await listen(server);

await (await fetch(`http://127.0.0.1:${port}/openapi.json`)).text();
if (!follows) await engine.createWorld({ slug: WORLD, namespace: NAMESPACE });
for (let i = 0; i < WARM_FEEDS && !follows; i++) {
  const headers = { authorization: `Bearer ${ATTACKERS.mallory}` };
  await (await fetch(`http://127.0.0.1:${port}/changes?follow=false`, { headers })).text();
}
// The same for the mounts, whose schemas are made with the first call of each tool.
for (const { path } of follows ? [] : MOUNTS) {
  const headers = {
    authorization: `Bearer ${ATTACKERS.mallory}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const messages = [
    { method: 'tools/list' },
    ...['query', 'search', 'read_graph'].map((name) => ({ method: 'tools/call', params: { name, arguments: {} } })),
  ].map((message, id) => ({ jsonrpc: '2.0', id, ...message }));
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(messages),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  await answer.text();
}
if (!follows) await engine.deleteNamespace({ namespace: NAMESPACE });

// Of the main thread alone: Node 20 knows no such figure.
const schedstat = openSync('/proc/self/schedstat', 'r');
const buffer = Buffer.alloc(64);
function mainThreadMs(): number {
  const length = readSync(schedstat, buffer, 0, buffer.length, 0);
  return Number(buffer.toString('latin1', 0, length).split(' ')[0]) / 1e6;
}

let longestMs = 0;
let lastMs = mainThreadMs();
setInterval(() => {
  const now = mainThreadMs();
  longestMs = Math.max(longestMs, now - lastMs);
  lastMs = now;
}, LOOK_MS);

process.on('message', async (message) => {
  if (message === 'prepare') {
    if ((await engine.listNamespaces()).includes(NAMESPACE)) await engine.deleteNamespace({ namespace: NAMESPACE });
    await engine.createWorld({ slug: WORLD, namespace: NAMESPACE });
    await engine.import({ source: `${NAMESPACE}/${WORLD}`, data: DATA });
  }
  if (message === 'settle') {
    if (follows) await engine.catchUp({ namespace: NAMESPACE });
    collectGarbage();
  }
  if (message === 'begin') {
    errors = [];
    // "5" resets the high-water mark of the resident set (proc(5), /proc/pid/clear_refs).
    writeFileSync('/proc/self/clear_refs', '5');
    lastMs = mainThreadMs();
    longestMs = 0;
  }
  const { user, system } = process.cpuUsage();
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'));
  process.send!({ cpuMs: (user + system) / 1000, peakBytes: Number(peak?.[1]) * 1024, longestMs, errors });
});
process.on('disconnect', () => {
  closeSync(schedstat);
  process.exit(0);
});
process.send!({ port });
