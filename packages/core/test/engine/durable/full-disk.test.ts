import { type FileSystem, fileStorage } from '@rdf-worlds/storage-file';
import { describe, expect, it } from 'vitest';
import { SimulatedFileSystem } from '../../../../storage-file/test/power-cut/simulated-file-system.ts';
import { type Step, steppedFileSystem, systemError } from '../../../../storage-file/test/stepped-file-system.ts';
import { dataFactory, WorldsEngine, WorldsError } from '../../../src/index.ts';
import { linesOf } from '../world-state.ts';

const { quad, namedNode, literal } = dataFactory;
const one = (n: number) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(`text ${n}`));
/** Steps that need space, and all that change something. */
const GROWING = /^(write|create|replace|make)/;
const WRITING = /^(write|create|replace|make|rename|unlink|remove|truncate|sync)/;

/** Files in memory whose steps of a kind fail with a code while `fails` says so. */
function failingFiles(code: string, kind = WRITING) {
  const files = new SimulatedFileSystem(() => 0);
  const control: { fails: (step: Step) => boolean } = { fails: () => false };
  const fileSystem = steppedFileSystem(files, (step) => {
    if (kind.test(step.name) && control.fails(step)) throw systemError(code);
  });
  return { files, fileSystem, control };
}

const open = (fileSystem: FileSystem) =>
  WorldsEngine.open({
    storage: fileStorage({ path: '/data', fileSystem, maxLogFileBytes: 2000 }),
    checkpointLogBytes: 10_000,
    retainChangesBytes: 0,
  });

const told = (remedy: RegExp) =>
  expect.objectContaining({ code: 'INTERNAL', message: expect.stringMatching(remedy) }) as WorldsError;

describe('a disk that is full', () => {
  it('fails writes without space, keeps acknowledged commits, and recovers when there is space', async () => {
    const { files, fileSystem, control } = failingFiles('ENOSPC', GROWING);
    const engine = await open(fileSystem);
    await engine.createWorld({ slug: 'w' });
    const acknowledged = new Set<number>();
    let failed = 0;
    let steps = 0;
    for (let n = 0; n < 150; n++) {
      // Full for a while, at another step each time; what is not a write of much may still pass.
      control.fails = ({ moment }) => n % 5 === 4 && moment !== 'after' && steps++ % 3 === 0;
      const outcome = await engine.write({ source: 'w', insert: [one(n)] }).catch((error: unknown) => error);
      control.fails = () => false;
      if (outcome instanceof WorldsError) {
        failed++;
        expect(outcome).toEqual(told(/\/data\/.*disk is full: free some space/s));
        expect(await engine.ask({ query: `ASK { <urn:s${n}> ?p ?o }` })).toBe(false);
      } else acknowledged.add(n);
      expect(await linesOf(engine, 'w')).toHaveLength(acknowledged.size);
    }
    expect(failed).toBeGreaterThan(5);
    expect(acknowledged.size).toBeGreaterThan(100);
    expect((await engine.check()).problems).toEqual([]);
    const before = await linesOf(engine, 'w');
    await engine.close();
    const again = await open(files);
    expect(await linesOf(again, 'w')).toEqual(before);
    expect((await again.check()).problems).toEqual([]);
    await again.close();
  });

  it('lets reading, searching and closing go on', async () => {
    const { files, fileSystem, control } = failingFiles('ENOSPC', GROWING);
    const engine = await open(fileSystem);
    await engine.createWorld({ slug: 'w' });
    await engine.write({ source: 'w', insert: [one(1)] });
    control.fails = () => true;
    await expect(engine.write({ source: 'w', insert: [one(2)] })).rejects.toEqual(told(/disk is full/));
    await expect(engine.createWorld({ namespace: 'new', slug: 'w' })).rejects.toEqual(told(/disk is full/));
    await expect(engine.checkpoint()).rejects.toEqual(told(/disk is full/));
    await expect(engine.deleteNamespace({ namespace: 'default' })).rejects.toEqual(told(/disk is full/));
    expect(await engine.search({ query: 'text' })).toHaveLength(1);
    expect(await linesOf(engine, 'w')).toHaveLength(1);
    expect(await engine.getWorld({ source: 'new/w' })).toBeNull();
    expect(await engine.listNamespaces()).toEqual(['default']);
    control.fails = () => false;
    await engine.write({ source: 'w', insert: [one(3)] });
    await engine.createWorld({ namespace: 'new', slug: 'w' });
    control.fails = () => true;
    await engine.close();
    const again = await open(files);
    expect(await linesOf(again, 'w')).toHaveLength(2);
    expect(await again.listNamespaces()).toEqual(['default', 'new']);
    await again.close();
  });
});

describe.each([
  ['read-only', 'EROFS', /read-only: choose another path, or mount it/],
  ['forbidden', 'EACCES', /no permission: allow it to read and write/],
])('a directory that is %s', (_, code, remedy) => {
  it('is refused when it is opened, and opens when that is mended', async () => {
    const { fileSystem, control } = failingFiles(code);
    control.fails = () => true;
    await expect(open(fileSystem)).rejects.toEqual(told(remedy));
    control.fails = () => false;
    const engine = await open(fileSystem);
    await engine.createWorld({ slug: 'w' });
    control.fails = () => true;
    await expect(engine.write({ source: 'w', insert: [one(1)] })).rejects.toEqual(told(remedy));
    await expect(engine.checkpoint()).rejects.toEqual(told(remedy));
    await expect(engine.createWorld({ namespace: 'new', slug: 'w' })).rejects.toEqual(told(remedy));
    expect(await linesOf(engine, 'w')).toEqual([]);
    control.fails = () => false;
    await engine.close();
  });
});

it('a namespace is deleted even if its files cannot be removed; health reports it until they are', async () => {
  const { files, fileSystem, control } = failingFiles('EACCES');
  const told: string[] = [];
  const engine = await WorldsEngine.open({
    storage: fileStorage({ path: '/data', fileSystem }),
    onBackgroundError: (error, { activity, namespace }) => told.push(`${activity} ${namespace}: ${error.message}`),
  });
  await engine.createWorld({ namespace: 'gone', slug: 'w' });
  await engine.createWorld({ namespace: 'kept', slug: 'w' });
  control.fails = ({ name, path }) => /^(unlink|remove)/.test(name) && path.includes('/trash/');
  await engine.deleteNamespace({ namespace: 'gone' });
  expect(await engine.listNamespaces()).toEqual(['kept']);
  expect(await engine.getWorld({ source: 'gone/w' })).toBeNull();
  expect(told).toEqual([expect.stringMatching(/^storage null: .*Removing a dropped namespace.*permission/)]);
  expect(engine.health()).toMatchObject({ status: 'degraded', problems: [{ activity: 'storage', namespace: null }] });
  await engine.createWorld({ namespace: 'gone', slug: 'again' });
  control.fails = () => false;
  await engine.close();
  const again = await open(files);
  expect(await again.listNamespaces()).toEqual(['gone', 'kept']);
  expect(await files.list('/data/trash')).toEqual([]);
  expect(again.health()).toEqual({ status: 'ok', problems: [] });
  await again.close();
});

it('a disk whose syncs fail keeps acknowledged commits; a write is in doubt until that is settled', async () => {
  const { files, fileSystem, control } = failingFiles('EIO');
  const engine = await open(fileSystem);
  await engine.createWorld({ slug: 'w' });
  await engine.write({ source: 'w', insert: [one(1)] });
  control.fails = ({ name }) => name === 'sync log';
  const error = await engine.write({ source: 'w', insert: [one(2)] }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'IN_DOUBT', message: expect.stringMatching(/disk reported an I\/O error/) });
  const { commit } = error as WorldsError;
  await expect(engine.commitStatus({ commit: commit! })).rejects.toMatchObject({ code: 'IN_DOUBT' });
  await expect(engine.write({ source: 'w', insert: [one(3)] })).rejects.toThrow(WorldsError);
  expect(await linesOf(engine, 'w')).toHaveLength(1);
  control.fails = () => false;
  expect(await engine.commitStatus({ commit: commit! })).toBe('absent');
  await engine.write({ source: 'w', insert: [one(4)] });
  expect(await engine.commitStatus({ commit: commit! })).toBe('absent');
  await engine.close();
  const again = await open(files);
  expect(await linesOf(again, 'w')).toEqual(['<urn:s1> <urn:p> "text 1" .', '<urn:s4> <urn:p> "text 4" .']);
  expect(await again.commitStatus({ commit: commit! })).toBe('absent');
  await again.close();
});

it('a write that is in doubt when its process is killed is there for the next one, which can tell', async () => {
  const { files, fileSystem, control } = failingFiles('EIO');
  const engine = await open(fileSystem);
  await engine.createWorld({ slug: 'w' });
  control.fails = ({ name }) => name === 'sync log';
  const error = await engine.write({ source: 'w', insert: [one(2)] }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'IN_DOUBT', commit: expect.any(String) });
  const after = await open(files.afterKill());
  const status = await after.commitStatus({ commit: (error as WorldsError).commit! });
  expect(await linesOf(after, 'w')).toHaveLength(status === 'committed' ? 1 : 0);
  await expect(after.commitStatus({ commit: 'nonsense' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  await after.close();
});
