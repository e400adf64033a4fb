import { type FileSystem, fileStorage } from '@rdf-worlds/storage-file';
import { expect, it } from 'vitest';
import { FAULTS, type Operation } from '../../../../storage-file/test/faults/fault.ts';
import { faultyFileSystem } from '../../../../storage-file/test/faults/faulty-file-system.ts';
import { DiskModel } from '../../../../storage-file/test/power-cut/disk-model.ts';
import { kills, powerCuts, recordHistory } from '../../../../storage-file/test/power-cut/power-cuts.ts';
import { SimulatedFileSystem } from '../../../../storage-file/test/power-cut/simulated-file-system.ts';
import { dataFactory, WorldsEngine } from '../../../src/index.ts';
import { linesOf } from '../world-state.ts';

/** Each twelfth operation fails in turn; SALVAGE_FAULTS=1 lets each fail, which takes minutes. */
const STRIDE = process.env.SALVAGE_FAULTS ? 1 : 24;

const { quad, namedNode, literal } = dataFactory;
const one = (n: number) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(`text ${n}`));

const open = (fileSystem: FileSystem) =>
  WorldsEngine.open({
    storage: fileStorage({ path: '/data', fileSystem, maxLogFileBytes: 700 }),
    textIndex: null,
  });

/**
 * A namespace with two checkpoints, whose newest segments are damaged, with a log behind them.
 * Gives its data.
 */
async function damage(fileSystem: FileSystem): Promise<string[]> {
  const engine = await open(fileSystem);
  await engine.createWorld({ slug: 'w' });
  await engine.write({ source: 'w', insert: [one(1), one(2), one(3)] });
  await engine.checkpoint();
  await engine.write({ source: 'w', insert: [one(4)], delete: [one(2)] });
  await engine.checkpoint();
  await engine.write({ source: 'w', insert: [one(5)] });
  const truth = await linesOf(engine, 'w');
  await engine.close();
  for (const directory of await fileSystem.list('/data/namespaces')) {
    const path = `/data/namespaces/${directory}`;
    const segments = (await fileSystem.list(path)).filter((name) => name.startsWith('segment-')).sort();
    const file = await fileSystem.open(`${path}/${segments.at(-1)}`, 'write');
    await file.write(Buffer.alloc(8, 7), 70);
    await file.sync();
    await file.close();
  }
  return truth;
}

/**
 * Whatever the outcome of a repair: what is there proves the acknowledged state, and can be
 * repaired, written and opened again.
 */
async function verify(fileSystem: FileSystem, truth: readonly string[], where: string): Promise<'before' | 'after'> {
  const engine = await open(fileSystem);
  const report = await engine.salvage({ repair: true });
  expect(['intact', 'exact'], `${where}: ${JSON.stringify(report)}`).toContain(report.state);
  expect(await linesOf(engine, 'w'), where).toEqual(truth);
  await engine.write({ source: 'w', insert: [one(9)] });
  expect(await engine.check(), where).toMatchObject({ problems: [] });
  await engine.close();
  const again = await open(fileSystem);
  expect(await linesOf(again, 'w'), where).toEqual([...truth, '<urn:s9> <urn:p> "text 9" .'].sort());
  await again.close();
  return report.state === 'intact' ? 'after' : 'before';
}

it('a power cut or a kill at any moment of a repair: the acknowledged state is proven, before or after', async () => {
  let truth: string[] = [];
  const filling = await recordHistory(1, async (fileSystem) => {
    truth = await damage(fileSystem);
  });
  const start = new DiskModel();
  for (const event of filling.events) start.apply(event);
  let isRepaired = false;
  const history = await recordHistory<string>(
    2,
    async (fileSystem, mark) => {
      const engine = await open(fileSystem);
      const report = await engine.salvage({ repair: true });
      isRepaired = report.repaired;
      mark('repaired');
      await engine.close();
    },
    start,
  );
  expect(isRepaired).toBe(true);
  const outcomes = { before: 0, after: 0 };
  for (const after of [...powerCuts<string>(history, { byChance: 2 }), ...kills<string>(history)]) {
    const outcome = await verify(after.fileSystem, truth, after.name);
    if (after.marks.includes('repaired')) expect(outcome, after.name).toBe('after');
    outcomes[outcome]++;
  }
  expect(outcomes.before).toBeGreaterThan(20);
  expect(outcomes.after).toBeGreaterThan(20);
}, 600_000);

it('any one operation of a repair that fails: an error, or a repair; the next one succeeds, with a copy of what was there', async () => {
  const damaged = new SimulatedFileSystem(() => 0);
  const truth = await damage(damaged);
  // The first round, in which nothing fails, counts the operations.
  let operations = 0;
  let failures = 0;
  for (let at = -1; at < operations; at += STRIDE) {
    for (let kind = 0; ; kind++) {
      const disk = damaged.afterKill();
      let count = 0;
      let isArmed = false;
      let faults: (typeof FAULTS)[Operation] = [];
      const fileSystem = faultyFileSystem(disk, (operation) => {
        if (!isArmed || count++ !== at) return undefined;
        faults = FAULTS[operation];
        return faults[kind];
      });
      const engine = await open(fileSystem);
      await engine.salvage();
      isArmed = true;
      const outcome = await engine.salvage({ repair: true }).catch((error: unknown) => error);
      isArmed = false;
      if (at === -1) operations = count;
      const where = `operation ${at}: ${JSON.stringify(faults[kind])}: ${String(outcome)}`;
      if (outcome instanceof Error) {
        failures++;
        expect(outcome, where).toMatchObject({ code: expect.stringMatching(/^(INTERNAL|IN_DOUBT|CONFLICT)$/) });
      } else if (!(outcome as { repaired: boolean }).repaired) {
        expect(outcome, where).toMatchObject({ state: expect.stringMatching(/exact|intact/) });
      }
      const report = await engine.salvage({ repair: true });
      expect(['exact', 'intact'], where).toContain(report.state);
      expect(await linesOf(engine, 'w'), where).toEqual(truth);
      await engine.write({ source: 'w', insert: [one(8)] });
      expect(await engine.check(), where).toMatchObject({ problems: [] });
      await engine.close();
      const again = await open(disk.afterKill());
      expect(await linesOf(again, 'w'), where).toEqual([...truth, '<urn:s8> <urn:p> "text 8" .'].sort());
      await again.close();
      expect((await disk.list('/data/salvaged')).length, where).toBeGreaterThan(0);
      if (kind + 1 >= faults.length) break;
    }
  }
  expect(operations).toBeGreaterThan(50);
  expect(failures).toBeGreaterThan(100 / STRIDE);
}, 600_000);

it.each([
  ['the segments of the newest checkpoint', 'segment', 'exact', 5],
  ['the log', 'log', 'earlier', 4],
] as const)('unreadable bytes count as damaged: %s', async (_, kind, state, quads) => {
  const disk = new SimulatedFileSystem(() => 0);
  const engine = await open(disk);
  await engine.createWorld({ slug: 'w' });
  await engine.write({ source: 'w', insert: [one(1), one(2), one(3)] });
  await engine.checkpoint();
  await engine.write({ source: 'w', insert: [one(4)] });
  await engine.checkpoint();
  await engine.write({ source: 'w', insert: [one(5)] });
  await engine.close();
  const [directory] = await disk.list('/data/namespaces');
  const last = (await disk.list(`/data/namespaces/${directory}`))
    .filter((name) => name.startsWith(kind))
    .sort()
    .at(-1)!;
  let isUnreadable = false;
  const fileSystem = faultyFileSystem(disk, (operation, path) =>
    isUnreadable && operation === 'read' && path.endsWith(last) ? { code: 'EIO', effect: 'before' } : undefined,
  );
  const reopened = await open(fileSystem);
  isUnreadable = true;
  const report = await reopened.salvage();
  expect(report).toMatchObject({ state, worlds: [{ slug: 'w', quads }] });
  expect(report.problems.join()).toMatch(/(segment-\d+|\/default-\w+): the disk cannot read a part of it/);
  const { problems } = await reopened.check();
  expect(problems.map(({ problem }) => problem).join()).toMatch(/The disk reported an I\/O error|the disk cannot read/);
  // It cannot be copied, so nothing is put in its place.
  const repaired = await reopened.salvage({ repair: true }).catch((error: unknown) => error);
  if (repaired instanceof Error) expect(repaired).toMatchObject({ code: 'INTERNAL' });
  else expect(repaired).toMatchObject({ repaired: false });
  expect(await disk.list('/data/salvaged').catch(() => [])).toEqual([]);
  isUnreadable = false;
  expect(await linesOf(reopened, 'w')).toHaveLength(5);
  await reopened.close();
});
