import { ServiceMetrics } from '@rdf-worlds/http/metrics';
import { SeededRandom } from '@rdf-worlds/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MOUNTS, PAGES } from '../hostile/mounts.ts';
import { CALLERS } from './callers.ts';
import { type CrossTenantRequest, CrossTenantRequests, type GuardedWorld, twinOf } from './cross-tenant-requests.ts';
import { type EngineCall, watchEngine } from './engine-calls.ts';
import { rawExchange } from './raw-exchange.ts';
import { type RunningServer, startServer } from './running-server.ts';

/** CROSS_TENANT_REQUESTS=24000 makes as many; CROSS_TENANT_SEED makes others. */
const REQUESTS = Number(process.env.CROSS_TENANT_REQUESTS ?? 300);
const SEED = Number(process.env.CROSS_TENANT_SEED ?? 1);

const WORLDS: readonly GuardedWorld[] = [
  { namespace: 'alpha', slug: 'ada', word: 'alphasecret' },
  { namespace: 'alpha', slug: 'shared', word: 'sharedsecret' },
  { namespace: 'beta', slug: 'vault', word: 'betasecret' },
  { namespace: 'gamma', slug: 'den', word: 'gammasecret' },
  { namespace: 'platform', slug: 'office', word: 'platformsecret' },
];

interface Grant {
  readonly namespace: string;
  readonly world?: string;
  readonly read?: boolean;
  readonly write?: boolean;
}

/** Whether a caller may do something to a world, by the grants alone. */
function may(caller: CrossTenantRequest['caller'], right: 'read' | 'write', namespace: string, slug: string): boolean {
  const grants: readonly Grant[] = caller === null ? [] : CALLERS[caller].grants;
  return grants.some(
    (grant) => grant[right] === true && grant.namespace === namespace && (grant.world ?? slug) === slug,
  );
}

let server: RunningServer;
/** What the service asked of the engine for the latest request. */
const calls: EngineCall[] = [];
beforeAll(async () => {
  server = await startServer({
    handler: { mounts: MOUNTS, pages: PAGES, metrics: new ServiceMetrics({ process: false }), probes: true },
    wrapEngine: (engine) => watchEngine(engine, calls),
  });
  for (const world of WORLDS) await make(world);
});
afterAll(() => server.close());

async function make({ namespace, slug, word }: GuardedWorld): Promise<void> {
  const source = { namespace, slug };
  await server.engine.createWorld({ ...source, label: `label of ${word}` });
  const data = `<urn:s> <urn:p> "${word} common" .\n<urn:s> <urn:p> "${word} in a graph" <urn:graph:${namespace}> .\n`;
  await server.engine.import({ source, data });
}

/**
 * Sends a request, and returns all that its answer tells, and the work that the service had the
 * engine do for it. What differs for each request is left out.
 */
async function told(bytes: string) {
  calls.length = 0;
  const { status, text, headers } = await rawExchange(server.port, bytes);
  const work = calls.map(({ method }) => method).join(' ');
  for (const name of ['date', 'x-request-id', 'content-length', 'mcp-session-id']) headers.delete(name);
  const timeless = text.replaceAll(/"timeMs":[\d.]+|[\d.]+ ms\b/g, 'a time');
  return { status, text: timeless, headers: JSON.stringify([...headers].sort()), work };
}

type Told = Awaited<ReturnType<typeof told>>;

/** An answer about one name as if it were about another. */
function renamed({ text, headers, ...rest }: Told, from: string, to: string): Told {
  return { ...rest, text: text.replaceAll(from, to), headers: headers.replaceAll(from, to) };
}

/**
 * The names of a request that its caller has no grant for: an answer must not differ from one for
 * a name of nothing.
 */
function secretNames({ caller, target: { namespace, slug } }: CrossTenantRequest): string[] {
  const grants: readonly Grant[] = caller === null ? [] : CALLERS[caller].grants;
  const inNamespace = grants.filter((grant) => grant.namespace === namespace);
  if (inNamespace.some(({ world = slug }) => world === slug)) return [];
  return inNamespace.length > 0 ? [slug] : [slug, namespace];
}

/** The revision of each world, by its name. */
async function revisions(): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const namespace of await server.engine.listNamespaces())
    for await (const { slug, revision } of server.engine.worlds({ namespace }))
      found.set(`${namespace}/${slug}`, revision);
  return found;
}

/** The names of worlds that differ between two states. */
const changed = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) =>
  [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));

/** Makes the worlds again that somebody with the right to it has changed. */
async function repair(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const [namespace, slug] = name.split('/');
    if (await server.engine.getWorld({ source: { namespace, slug } }))
      await server.engine.deleteWorld({ source: { namespace, slug } });
    const world = WORLDS.find((each) => each.namespace === namespace && each.slug === slug);
    if (world) await make(world);
  }
}

it(`${REQUESTS} requests for the worlds of others reveal and change nothing without a grant`, async () => {
  const requests = new CrossTenantRequests(new SeededRandom(SEED), WORLDS);
  const seen = { refused: 0, answered: 0, changes: 0, own: 0, twins: 0 };
  let before = await revisions();
  for (let n = 0; n < REQUESTS; n++) {
    const request = requests.next();
    const { caller, bytes } = request;
    const where = `seed ${SEED}, request ${n}, ${caller}:\n${bytes}`;
    const answer = await told(bytes);
    const { status, text, headers } = answer;
    expect(status, where).toBeLessThan(500);
    if (status === 401 || status === 403 || status === 404) seen.refused++;
    if (status < 300) seen.answered++;
    const shown = text + headers;
    for (const { namespace, slug, word } of WORLDS) {
      if (!may(caller, 'read', namespace, slug)) expect(shown, where).not.toContain(word);
      else if (shown.includes(word)) seen.own++;
    }
    const after = await revisions();
    const names = changed(before, after);
    for (const name of names) {
      const [namespace, slug] = name.split('/');
      expect(may(caller, 'write', namespace, slug), `${name} changed; ${where}`).toBe(true);
    }
    for (const name of secretNames(request)) {
      const twin = twinOf(bytes, name);
      // The request may name it in no such spelling; and what was changed meanwhile may be its own.
      if (twin.bytes === bytes || names.length > 0) continue;
      const ofTwin = renamed(await told(twin.bytes), twin.name, name);
      // The first request of a kind may have filled a cache of the caller's own worlds.
      const again = ofTwin.work === answer.work ? answer : await told(bytes);
      expect(ofTwin, `${name} like ${twin.name}; ${where}`).toEqual(again);
      seen.twins++;
    }
    seen.changes += names.length;
    await repair(names);
    before = names.length > 0 ? await revisions() : after;
  }
  // Not all of it is refused: the requests mean something.
  expect(seen.refused).toBeGreaterThan(REQUESTS / 5);
  expect(seen.answered).toBeGreaterThan(REQUESTS / 20);
  expect(seen.own).toBeGreaterThan(0);
  expect(seen.changes).toBeGreaterThan(0);
  expect(seen.twins).toBeGreaterThan(REQUESTS / 5);
}, 3_600_000);
