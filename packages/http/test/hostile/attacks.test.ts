import { appendFileSync, writeFileSync } from 'node:fs';
import { ClientRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { MEMORY_TOOLS, REFERENCE_TOOLS } from '@rdf-worlds/memory';
import { SeededRandom } from '@rdf-worlds/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/limits.ts';
import { ROUTES } from '../../src/routes.ts';
import { SERVICE_PATHS } from '../../src/service-paths.ts';
import type { Attack } from './attack.ts';
import { ATTACKS, WRITTEN_ATTACKS } from './attacks.ts';
import { costFaults, countedFaults, type Seen, TABLE_HEAD, tableLine, timeFaults } from './figures.ts';
import { MOUNTS, PAGES } from './mounts.ts';
import { reachedBy, routeName } from './reached.ts';
import { type Observation, Watch } from './watched.ts';

const { HOSTILE, HOSTILE_ONLY, HOSTILE_SEED, HOSTILE_SIZES, HOSTILE_TABLE, HOSTILE_TIMEOUT_MS } = process.env;

/** Every run of the tests makes about one in forty of the attacks. */
const CI_PART = 40;
/** The deadline in such a run of requests that nothing else would end. */
const CI_TIMEOUT_MS = 400;
const SIZES = HOSTILE_SIZES ? HOSTILE_SIZES.split(' ').map(Number) : HOSTILE ? [1, 4, 16] : [4];

/** On a busy machine the clock says nothing: `HOSTILE=busy` looks at CPU time alone. */
const isIdle = HOSTILE !== 'busy';
const timeoutMs = Number(HOSTILE_TIMEOUT_MS ?? DEFAULT_LIMITS.timeoutMs);

function chosen(): readonly Attack[] {
  if (HOSTILE) return ATTACKS.filter(({ name }) => !HOSTILE_ONLY || new RegExp(HOSTILE_ONLY).test(name));
  const random = new SeededRandom(Number(HOSTILE_SEED ?? 16));
  return ATTACKS.filter(() => random.below(CI_PART) === 0);
}

/**
 * Without what says only that the machine is busy: the short deadline is for the attack, but the
 * other tenant has it too.
 */
function withinShortDeadline(observation: Observation): Observation {
  const victimFailures = observation.victimFailures.filter((text) => !/^503 .*time limit/.test(text));
  return { ...observation, victimFailures };
}

/**
 * Requests that the schemas of the SDK know from clients, but for tasks, which the server does not
 * offer.
 */
const MCP_METHODS = ClientRequestSchema.options
  .map(({ shape }) => shape.method.value)
  .filter((method) => method !== 'tools/call' && !method.startsWith('tasks/'));

describe('the corpus', () => {
  const reached = reachedBy(WRITTEN_ATTACKS);

  it('has 250 attacks of different names, over all routes', () => {
    expect(new Set(ATTACKS.map(({ name }) => name)).size).toBe(ATTACKS.length);
    expect(ATTACKS.length).toBeGreaterThanOrEqual(250);
    const attacked = new Set(ATTACKS.map(({ route }) => route));
    for (const { operation } of ROUTES) expect(attacked).toContain(operation);
  });

  it('reaches each route, each path outside the table, each mount and all pages', () => {
    const routes = ROUTES.map(routeName);
    expect(routes.filter((name) => !reached.routes.has(name))).toEqual([]);
    const outside = [...SERVICE_PATHS, ...MOUNTS.map(({ path }) => path), ...PAGES.map(({ path }) => path)];
    expect(outside.filter((path) => !reached.paths.has(path))).toEqual([]);
  });

  it('has each method of MCP that the server answers, and each tool', () => {
    const tools = [...MEMORY_TOOLS, ...REFERENCE_TOOLS].map(({ name }) => `tools/call ${name}`);
    expect([...tools, ...MCP_METHODS].filter((name) => !reached.messages.has(name))).toEqual([]);
  });
});

describe('an attack is answered, and hurts nobody', () => {
  const watch = new Watch({ timeoutMs });
  const shortWatch = HOSTILE ? watch : new Watch({ timeoutMs: CI_TIMEOUT_MS });
  afterAll(() => Promise.all([watch.close(), shortWatch.close()]));
  if (HOSTILE_TABLE) writeFileSync(HOSTILE_TABLE, `${TABLE_HEAD}\n`);

  it.each(chosen().map((attack) => ({ ...attack })))('$name', { timeout: 600_000, retry: 0 }, async (attack) => {
    const seen: Seen[] = [];
    const chosenWatch = attack.cost === 'answer' ? shortWatch : watch;
    for (const size of SIZES) {
      const observation = await chosenWatch.run(attack, size);
      seen.push({ size, observation: chosenWatch === watch ? observation : withinShortDeadline(observation) });
      if (!observation.isAlive) break;
    }
    const faults = [
      ...seen.flatMap((each) => countedFaults(attack, each)),
      ...(HOSTILE ? costFaults(attack, seen) : []),
      ...(HOSTILE && isIdle ? timeFaults(seen, timeoutMs) : []),
    ];
    if (HOSTILE) {
      const line = [tableLine(attack, seen), ...faults].join('\n  ! ');
      process.stdout.write(`${line}\n`);
      if (HOSTILE_TABLE) appendFileSync(HOSTILE_TABLE, `${line}\n`);
    }
    expect(faults).toEqual([]);
  });
});
