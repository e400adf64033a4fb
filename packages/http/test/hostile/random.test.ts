import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeededRandom } from '@rdf-worlds/testkit';
import { afterAll, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/limits.ts';
import { type Attack, BOUNDED } from './attack.ts';
import { costFaults, countedFaults, timeFaults } from './figures.ts';
import { RandomRequests } from './random-requests.ts';
import { Tally } from './tally.ts';
import { Watch } from './watched.ts';

const { HOSTILE, HOSTILE_RUNS, HOSTILE_SEED, HOSTILE_TIMEOUT_MS } = process.env;

/** In every run of the tests: few, short, and with a short deadline. */
const runs = Number(HOSTILE_RUNS ?? (HOSTILE ? 10_000 : 100));
const maxLength = HOSTILE ? 900_000 : 30_000;
const timeoutMs = Number(HOSTILE_TIMEOUT_MS ?? (HOSTILE ? DEFAULT_LIMITS.timeoutMs : 200));
const firstSeed = Number(HOSTILE_SEED ?? 1);
/** Number of requests that work on the same world. */
const RUNS_A_WORLD = 20;
/** Number of requests between two lines about what was seen so far. */
const RUNS_A_LINE = 100;

const watch = new Watch({ timeoutMs, runsAWorld: RUNS_A_WORLD });
afterAll(() => watch.close());

it(`${runs} random requests are answered, and hurt nobody`, { timeout: 86_400_000, retry: 0 }, async () => {
  const problems: string[] = [];
  const tally = new Tally();
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const request = new RandomRequests(new SeededRandom(seed), maxLength).next();
    const attack: Attack = {
      name: `seed ${seed}`,
      route: 'connection',
      at: () => request,
      // Messages without an answer, graphs that do not exist, and moments that are no longer known.
      statuses: [...BOUNDED, 202, 404, 410],
      cost: 'answer',
    };
    const observation = await watch.run(attack, 1);
    const seen = { size: 1, observation };
    const faults = [
      ...countedFaults(attack, seen),
      ...(HOSTILE ? costFaults(attack, [seen]) : []),
      ...(HOSTILE && HOSTILE !== 'busy' ? timeFaults([seen], timeoutMs) : []),
    ];
    tally.add(attack.name, observation, faults.length > 0);
    if (faults.length > 0) {
      const file = join(tmpdir(), `hostile-${seed}.json`);
      writeFileSync(file, JSON.stringify({ ...request, body: Buffer.from(request.body ?? '').toString('utf8') }));
      problems.push(`HOSTILE_SEED=${seed}: ${faults.join('; ')} (the request is in ${file})`);
      if (HOSTILE) process.stdout.write(`${problems.at(-1)}\n`);
    }
    const done = seed - firstSeed + 1;
    if (HOSTILE && (done % RUNS_A_LINE === 0 || done === runs)) process.stdout.write(`${tally}\n`);
  }
  expect(problems).toEqual([]);
});
