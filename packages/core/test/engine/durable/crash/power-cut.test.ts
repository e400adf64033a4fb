import { type FileSystem, fileStorage } from '@rdf-worlds/storage-file';
import { expect, it } from 'vitest';
import { powerCuts, recordHistory } from '../../../../../storage-file/test/power-cut/power-cuts.ts';
import { WorldsEngine } from '../../../../src/index.ts';
import { linesOf } from '../../world-state.ts';
import { type Lines, stepOf, WORKERS } from './crash-program.ts';

// ENGINE_POWER_CUT_HISTORIES=200 cuts the power behind every event of so many histories; without it here and there.
const ALL = Number(process.env.ENGINE_POWER_CUT_HISTORIES ?? 0);
const HISTORIES = ALL || 1;
const STRIDE = ALL ? 1 : 37;
const STEPS = 10;

type Mark = { readonly worker: number; readonly step: number; readonly is: 'begun' | 'done' };

const open = (fileSystem: FileSystem) =>
  WorldsEngine.open({
    storage: fileStorage({ path: '/data', fileSystem, maxLogFileBytes: 50_000 }),
    textIndex: null,
    checkpointLogBytes: 60_000,
  });

/** All workers side by side, some steps each, with checkpoints as the log grows and one more at the end. */
async function program(seed: number, fileSystem: FileSystem, mark: (mark: Mark) => void): Promise<void> {
  const engine = await open(fileSystem);
  await Promise.all(
    WORKERS.map(async (source, worker) => {
      let lines: Lines = null;
      for (let n = 0; n < STEPS; n++) {
        const step = stepOf(seed, worker, n);
        mark({ worker, step: n, is: 'begun' });
        await step.run(engine, source, lines);
        mark({ worker, step: n, is: 'done' });
        lines = step.apply(lines);
      }
    }),
  );
  await engine.checkpoint();
  await engine.close();
}

const textOf = (lines: Lines) => lines && [...lines].sort().join('\n');

/** What the worlds hold is what was acknowledged, and of the step that was not, all or nothing. */
async function checkAfterCut(seed: number, fileSystem: FileSystem, marks: readonly Mark[]): Promise<void> {
  const engine = await open(fileSystem);
  expect((await engine.check()).problems).toEqual([]);
  for (const [worker, source] of WORKERS.entries()) {
    const count = (is: Mark['is']) => marks.filter((mark) => mark.worker === worker && mark.is === is).length;
    let lines: Lines = null;
    for (let n = 0; n < count('done'); n++) lines = stepOf(seed, worker, n).apply(lines);
    const allowed = [textOf(lines)];
    if (count('begun') > count('done')) allowed.push(textOf(stepOf(seed, worker, count('done')).apply(lines)));
    const isThere = (await engine.getWorld({ source })) !== null;
    expect(allowed).toContain(isThere ? (await linesOf(engine, source)).join('\n') : null);
  }
  await engine.close();
}

it(`after a power cut behind any event of ${HISTORIES} histories of an engine, what it acknowledged is there`, async () => {
  let cuts = 0;
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const history = await recordHistory<Mark>(seed, (fileSystem, mark) => program(seed, fileSystem, mark));
    for (const { fileSystem, marks, name } of powerCuts<Mark>(history, { stride: STRIDE })) {
      await checkAfterCut(seed, fileSystem, marks).catch((cause) => {
        throw new Error(`${name}, seed ${seed}: ${cause.message}`, { cause });
      });
      cuts++;
    }
  }
  if (ALL) console.log(`${HISTORIES} histories, ${cuts} power cuts`);
  expect(cuts).toBeGreaterThan(10);
}, 7_200_000);
