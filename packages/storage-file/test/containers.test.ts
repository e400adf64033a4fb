import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileStorage } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { builtChild } from './built-child.ts';
import { type Container, startContainer, whyNoContainers } from './container.ts';
import { textsOf } from './opened-storage.ts';

// CONTAINER_RUNS=200 makes 200 random runs of containers that compete for a directory. The default
// is 2. CONTAINER_SEED is the first seed.
const RUNS = Number(process.env.CONTAINER_RUNS ?? 1);
const FIRST_SEED = Number(process.env.CONTAINER_SEED ?? 1);
const LEASE_MS = 500;
/** For holders that must keep their lease on a slow machine, and still renew it within the test. */
const LONG_MS = 8_000;

let folder: string;
let child: string;
let why: string | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rdf-worlds-containers-'));
  why = whyNoContainers(folder);
  if (why !== undefined) console.warn(`Tests with containers are skipped: ${why}`);
  child = await builtChild(new URL('./writer-child.ts', import.meta.url));
}, 60_000);
afterAll(async () => {
  await rm(dirname(child), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

let path: string;
let files: string[];
let count = 0;
beforeEach(async ({ skip }) => {
  if (why !== undefined) skip(why);
  files = [];
  path = join(folder, `data-${++count}`);
  await mkdir(path);
});

type Machine = 'one' | 'other';

interface WriterOptions {
  readonly leaseMs?: number;
  readonly takeOver?: boolean;
  /** Containers of one machine have its boot id, and process spaces and host names of their own. */
  readonly machine?: Machine;
  readonly host?: string;
  readonly stopAt?: readonly [step: string, moment: string, count: number];
}

/** A container with a process that opens the directory and writes. */
function writer(
  name: string,
  { leaseMs = LEASE_MS, takeOver, machine, host = name, stopAt }: WriterOptions = {},
): Container {
  const file = join(folder, `acknowledged-${count}-${name}`);
  files.push(file);
  const options = JSON.stringify({ leaseMs, takeOver, maxLogFileBytes: 3000 });
  const bootId = machine && `machine-${machine}`;
  const container = startContainer({ host, bootId, folder }, child, [
    path,
    name,
    file,
    options,
    ...(stopAt ?? []).map(String),
  ]);
  onTestFinished(() => container.remove());
  return container;
}

/**
 * Everything that was acknowledged, to anybody, is there once, at its position. Gives how much that
 * was; `texts` are all records. What was not acknowledged may be there or not.
 */
async function checkAcknowledged(): Promise<number> {
  const storage = fileStorage({ path, takeOver: true });
  await storage.open();
  const texts = await textsOf(storage.namespace('n'));
  await storage.close();
  expect(new Set(texts).size).toBe(texts.length);
  let acknowledged = 0;
  for (const file of files) {
    // A last line that was cut short belongs to a process that was killed before it told anybody.
    for (const line of (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1)) {
      const [position, text] = line.split(' ');
      expect(texts[Number(position) - 1]).toBe(text);
      acknowledged++;
    }
  }
  return acknowledged;
}

describe.each([
  ['containers of one machine', 'one', 'one', 'a', 'b'],
  ['machines', 'one', 'other', 'a', 'b'],
  ['machines of one host name', 'one', 'other', 'same', 'same'],
] as const)('two %s on one directory', (_, machineA, machineB, hostA, hostB) => {
  const a = { machine: machineA, host: hostA } as const;
  const b = { machine: machineB, host: hostB } as const;

  it('the second process is rejected while the first runs, and told which process that is', async () => {
    const first = writer('a', { ...a, leaseMs: LONG_MS });
    await first.printed('writes');
    // It renews after a quarter of the lease; to be refused takes no whole one.
    const second = writer('b', { ...b, leaseMs: LONG_MS });
    expect(await second.printed('refused')).toMatch(
      new RegExp(`^refused CONFLICT .* is in use by process \\d+ of machine or container ${hostA}, which renews`),
    );
    expect(first.lines).toEqual(['open', 'writes']);
    await first.remove();
    expect(await checkAcknowledged()).toBeGreaterThan(20);
  });

  it('the second process opens the directory after the first was killed', async () => {
    const first = writer('a', a);
    await first.printed('writes');
    first.signal('KILL');
    const second = writer('b', b);
    await second.printed('writes');
    await second.remove();
    expect(await checkAcknowledged()).toBeGreaterThan(40);
  });

  it('takeOver opens the directory without waiting', async () => {
    const first = writer('a', { ...a, leaseMs: LONG_MS });
    await first.printed('writes');
    await first.remove();
    const second = writer('b', { ...b, takeOver: true });
    await second.printed('writes');
    await second.remove();
    expect(await checkAcknowledged()).toBeGreaterThan(40);
  });
});

/** Where a process stops that is superseded. */
const STOPS = [
  ['before', 'write log'],
  ['half', 'write log'],
  ['after', 'write log'],
  ['before', 'sync log'],
  ['after', 'sync log'],
  ['before', 'replace log'],
  ['before', 'rename log'],
  ['after', 'rename log'],
  ['before', 'create segment'],
  ['half', 'write segment'],
  ['before', 'replace manifest'],
  ['half', 'write manifest'],
  ['before', 'rename manifest'],
  ['before', 'unlink segment'],
] as const;

async function supersede(moment: string, step: string, at: number): Promise<void> {
  const paused = writer('a', { machine: 'one', stopAt: [step, moment, at] });
  await paused.printed('stopped');
  const next = writer('b', { machine: 'other' });
  await next.printed('writes');
  paused.signal('CONT');
  expect(await paused.printed('ended')).toMatch(
    /^ended (?:CONFLICT|IN_DOUBT) .* was taken over by process \d+ of machine or container b \(.*lock-2\)/,
  );
  await next.remove();
  expect(await checkAcknowledged()).toBeGreaterThan(20);
}

describe('a process that was superseded while stopped acknowledges nothing and damages nothing when it continues, stopped', () => {
  const random = new SeededRandom(FIRST_SEED);
  const chosen = RUNS > 2 ? STOPS : STOPS.toSorted(() => random.next() - 0.5).slice(0, 4);
  it.each(chosen)(`%s %s (seed ${FIRST_SEED})`, (moment, step) =>
    supersede(moment, step, step === 'write log' ? 5 : 1),
  );
});

it(`every acknowledged record is present exactly once after ${RUNS} encounters of four writers`, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
    try {
      await meet(new SeededRandom(seed));
    } catch (cause) {
      throw new Error(`Seed ${seed}: ${(cause as Error).message}`, { cause });
    }
  }
}, 3_600_000);

/**
 * Runs writers on two machines. Each except the last is killed, or pauses at some point and resumes
 * when another one has the directory.
 */
async function meet(random: SeededRandom): Promise<void> {
  path = join(folder, `data-${++count}`);
  files = [];
  await mkdir(path);
  const paused: Container[] = [];
  const all: Container[] = [];
  for (let number = 0; number < 4; number++) {
    const machine = random.pick(['one', 'other'] as const);
    const [moment, step] = random.pick(STOPS);
    const stopAt = number < 3 && random.chance(0.7) ? ([step, moment, 1 + random.below(3)] as const) : undefined;
    const next = writer(`w${number}`, { machine, host: random.pick(['a', 'b']), leaseMs: 300, stopAt });
    all.push(next);
    // Those before may be continued while this one opens, writes, or has written.
    const [early, late] = [random.chance(0.3), random.chance(0.3)];
    if (early) paused.shift()?.signal('CONT');
    const outcome = await Promise.race(['writes', 'stopped', 'refused', 'ended'].map(next.printed));
    if (late) paused.shift()?.signal('CONT');
    if (outcome === 'stopped') paused.push(next);
    else if (number < 3) next.signal('KILL');
  }
  for (const each of paused) each.signal('CONT');
  for (const each of paused) await each.printed('ended');
  for (const each of all) await each.remove();
  expect(await checkAcknowledged()).toBeGreaterThan(0);
}
