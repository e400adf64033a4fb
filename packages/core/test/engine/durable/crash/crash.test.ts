import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fileStorage } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import { expect, it } from 'vitest';
import { WorldsEngine } from '../../../../src/index.ts';
import { linesOf } from '../../world-state.ts';
import { type Lines, stepOf, WORKERS } from './crash-program.ts';

const KILLS = Number(process.env.CRASH_KILLS ?? 4);
const SEED = Number(process.env.CRASH_SEED ?? 1);
/** The process works this long at most before it is killed. */
const MAX_WORK_MS = 400;

const CHILD = fileURLToPath(new URL('./crash-process.ts', import.meta.url));
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** How far a worker came: `begun` is `done` or one more. */
interface Progress {
  begun: number;
  done: number;
}

/** Runs the process until it has said that it is ready, then kills it after a while; gives what each worker said. */
async function runAndKill(path: string, worlds: readonly World[], random: SeededRandom): Promise<Progress[]> {
  const starts = worlds.map(({ steps, lines }) => `${steps}:${lines ? 1 : 0}`);
  const child = spawn(process.execPath, ['--import', TSX, CHILD, path, String(SEED), ...starts], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const progress = worlds.map(({ steps }) => ({ begun: steps, done: steps }));
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'ready') setTimeout(() => child.kill('SIGKILL'), random.below(MAX_WORK_MS));
    const [what, worker, n] = line.split(' ');
    if (what === 'begin') progress[Number(worker)].begun = Number(n) + 1;
    if (what === 'done') progress[Number(worker)].done = Number(n) + 1;
  }
  const [, signal] = await exited;
  expect(signal).toBe('SIGKILL');
  return progress;
}

/** What a world must hold after so many steps. */
interface World {
  steps: number;
  lines: Lines;
}

const textOf = (lines: Lines) => lines && [...lines].sort().join('\n');

it(`after each of ${KILLS} kills every acknowledged commit is there in full, and no other in part`, async () => {
  const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-crash-'));
  const random = new SeededRandom(SEED);
  let worlds: World[] = WORKERS.map(() => ({ steps: 0, lines: null }));
  let unacknowledged = 0;
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const progress = await runAndKill(path, worlds, random);
      const engine = await WorldsEngine.open({ storage: fileStorage({ path }), textIndex: null });
      expect((await engine.check()).problems).toEqual([]);
      const next: World[] = [];
      for (const [worker, source] of WORKERS.entries()) {
        const { begun, done } = progress[worker];
        let { steps, lines } = worlds[worker];
        for (; steps < done; steps++) lines = stepOf(SEED, worker, steps).apply(lines);
        const isThere = (await engine.getWorld({ source })) !== null;
        const found = isThere ? (await linesOf(engine, source)).join('\n') : null;
        if (found !== textOf(lines) && begun > done) {
          lines = stepOf(SEED, worker, steps++).apply(lines);
          unacknowledged++;
        }
        expect(found, `${source} after kill ${kill}, step ${steps} of seed ${SEED}`).toBe(textOf(lines));
        next.push({ steps, lines });
      }
      worlds = next;
      if (process.env.CRASH_KILLS && kill % 20 === 19) console.log(`${kill + 1} kills survived`);
      await engine.close();
    }
    expect(worlds.reduce((sum, { steps }) => sum + steps, 0)).toBeGreaterThan(KILLS);
    if (process.env.CRASH_KILLS) console.log({ kills: KILLS, steps: worlds.map(({ steps }) => steps), unacknowledged });
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}, 3_600_000);
