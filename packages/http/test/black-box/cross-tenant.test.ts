import { SeededRandom } from '@rdf-worlds/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CALLERS } from './callers.ts';
import { type CrossTenantRequest, CrossTenantRequests, type GuardedWorld } from './cross-tenant-requests.ts';
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
beforeAll(async () => {
  server = await startServer();
  for (const world of WORLDS) await make(world);
});
afterAll(() => server.close());

async function make({ namespace, slug, word }: GuardedWorld): Promise<void> {
  const source = { namespace, slug };
  await server.engine.createWorld({ ...source, label: `label of ${word}` });
  const data = `<urn:s> <urn:p> "${word} common" .\n<urn:s> <urn:p> "${word} in a graph" <urn:graph:${namespace}> .\n`;
  await server.engine.import({ source, data });
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
  const seen = { refused: 0, answered: 0, changes: 0, own: 0 };
  let before = await revisions();
  for (let n = 0; n < REQUESTS; n++) {
    const { caller, bytes } = requests.next();
    const where = `seed ${SEED}, request ${n}, ${caller}:\n${bytes}`;
    const { status, text, headers } = await rawExchange(server.port, bytes);
    expect(status, where).toBeLessThan(500);
    if (status === 401 || status === 403 || status === 404) seen.refused++;
    if (status < 300) seen.answered++;
    const shown = text + JSON.stringify([...headers]);
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
    seen.changes += names.length;
    await repair(names);
    before = names.length > 0 ? await revisions() : after;
  }
  // Not all of it is refused: the requests mean something.
  expect(seen.refused).toBeGreaterThan(REQUESTS / 5);
  expect(seen.answered).toBeGreaterThan(REQUESTS / 20);
  expect(seen.own).toBeGreaterThan(0);
  expect(seen.changes).toBeGreaterThan(0);
}, 3_600_000);
