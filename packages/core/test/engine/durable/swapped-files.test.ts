import { fileStorage } from '@rdf-worlds/storage-file';
import { expect, it } from 'vitest';
import { crc32 } from '../../../../storage-file/src/checksum.ts';
import { SimulatedFileSystem } from '../../../../storage-file/test/power-cut/simulated-file-system.ts';
import { dataFactory, WorldsEngine, WorldsError } from '../../../src/index.ts';
import { dataOf } from '../world-state.ts';
import { asError, type DataFiles, diskWith, filesOf } from './data-files.ts';

const { quad, namedNode, literal } = dataFactory;

// DAMAGE_STRIDE=1 does everything to every file and byte; without it some of it.
const STRIDE = Number(process.env.DAMAGE_STRIDE ?? 151);

const NAMES = ['a', 'b', 'c', 'd'];

/** Literals of equal length, so that namespaces differ in content and hardly in lengths. */
const one = (namespace: string, n: number) =>
  quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(`text ${n} of ${namespace}`), namedNode('urn:g'));

const open = (fileSystem: SimulatedFileSystem) =>
  WorldsEngine.open({
    storage: fileStorage({ path: '/data', fileSystem, maxLogFileBytes: 300 }),
    textIndex: null,
    retainChangesBytes: 0,
    onBackgroundError: () => undefined, // Every call that needs the damaged part is checked.
  });

/** A closed storage at two moments; the namespace `d` was dropped and made again between them. */
async function filled(): Promise<{ before: DataFiles; now: DataFiles }> {
  const fileSystem = new SimulatedFileSystem(() => 0);
  let engine = await open(fileSystem);
  const write = (namespace: string, n: number) =>
    engine.write({ source: `${namespace}/w`, insert: [one(namespace, n)] });
  const begin = async (namespace: string) => {
    await engine.createWorld({ namespace, slug: 'w' });
    await write(namespace, 1);
    await engine.checkpoint({ namespace });
    for (const n of [2, 3]) await write(namespace, n);
  };
  for (const namespace of ['gone', ...NAMES]) await begin(namespace);
  await engine.deleteNamespace({ namespace: 'gone' });
  await engine.close();
  const before = await filesOf(fileSystem);
  engine = await open(fileSystem);
  await engine.deleteNamespace({ namespace: 'd' });
  await begin('d');
  for (const namespace of NAMES) {
    await engine.checkpoint({ namespace });
    for (const n of [4, 5, 6, 7]) await write(namespace, n);
  }
  await engine.close();
  return { before, now: await filesOf(fileSystem) };
}

const directoryOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
const fileOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const kindOf = (path: string) => /^[a-z]+/.exec(fileOf(path))![0];
/** The namespace of a path; '_' for the engine's own, undefined outside of namespaces. */
const ownerOf = (path: string) => /\/namespaces[^/]*\/([a-z_]+)-[0-9a-f]{32}(\/|$)/.exec(path)?.[1];

/** Runs what fails with CORRUPT or UNSUPPORTED, and a message that names a file, or not at all. */
async function attempt<T>(where: string, run: () => Promise<T>): Promise<T | WorldsError> {
  const outcome = await run().catch(asError);
  if (outcome instanceof WorldsError) {
    expect(['CORRUPT', 'UNSUPPORTED'], `${where}: ${outcome.message}`).toContain(outcome.code);
    expect(outcome.message, where).toMatch(/\/data\/[^ ]*(manifest|log-\d|segment-\d|format|lock-\d)/);
  }
  return outcome;
}

async function backupOf(engine: WorldsEngine): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of engine.backupStream()) chunks.push(chunk.slice());
  return Buffer.concat(chunks);
}

/** Worlds by their namespace; null for one that is absent. */
async function worldsOf(engine: WorldsEngine, where: string): Promise<Map<string, string | null | WorldsError>> {
  const found = new Map<string, string | null | WorldsError>();
  for (const namespace of NAMES) {
    const source = `${namespace}/w`;
    const world = await attempt(where, () => engine.getWorld({ source }));
    const data = world === null ? null : await attempt(where, () => dataOf(engine, source));
    expect(data instanceof WorldsError, where).toBe(world instanceof WorldsError);
    found.set(namespace, data);
  }
  return found;
}

/** What was done to the files, and the namespaces that it may have made unreadable. */
interface Change {
  readonly what: string;
  readonly files: DataFiles;
  readonly owners: readonly (string | undefined)[];
  /** Directories that are elsewhere or twice: a namespace without one is absent. */
  readonly isDirectoryMoved?: boolean;
}

/** Checks all that a caller can see; gives how many namespaces could not be read. */
async function verify(
  { what, files, owners, isDirectoryMoved = false }: Change,
  expected: ReadonlyMap<string, string>,
): Promise<number> {
  const engine = await attempt(what, async () => open(await diskWith(files)));
  if (engine instanceof WorldsError) {
    expect(owners, `${what}: ${engine.message}`).toContain(undefined);
    return NAMES.length;
  }
  const unreadable: string[] = [];
  for (const [namespace, data] of await worldsOf(engine, what)) {
    if (data === expected.get(namespace)) continue;
    expect(owners, `${what}: ${namespace}: ${data}`).toContain(namespace);
    if (!(data instanceof WorldsError)) expect([data, isDirectoryMoved], `${what}: ${namespace}`).toEqual([null, true]);
    unreadable.push(namespace);
  }
  const listed = await attempt(what, () => engine.listNamespaces());
  if (!(listed instanceof WorldsError)) expect(listed.map(nameOf).sort(), what).toEqual(NAMES);
  const { namespaces, problems } = await engine.check();
  for (const { problem } of problems) expect(problem, what).toMatch(/\/data\//);
  for (const namespace of unreadable) {
    const reported = problems.filter(
      (each) => each.namespace === namespace || ownersIn(each.problem).includes(namespace),
    );
    if (isDirectoryMoved) expect(problems, what).not.toEqual([]);
    else expect(reported, `${what}: ${namespace} in ${JSON.stringify(problems)}`).not.toEqual([]);
  }
  if (problems.length === 0) expect(namespaces, what).toBe(NAMES.length);
  const backup = await attempt(what, () => backupOf(engine));
  if (!(backup instanceof WorldsError)) {
    expect(unreadable, `${what}: the backup is complete`).toEqual([]);
    const restored = await WorldsEngine.restore(backup, { textIndex: null });
    expect(await worldsOf(restored, what), what).toEqual(expected);
    await restored.close();
  }
  // The others go on.
  const other = NAMES.find((namespace) => !unreadable.includes(namespace) && !owners.includes(namespace));
  if (other) {
    await engine.write({ source: `${other}/w`, insert: [one(other, 9)] });
    expect(await dataOf(engine, `${other}/w`), what).toContain(`text 9 of ${other}`);
  }
  await engine.close();
  return unreadable.length;
}

const nameOf = (each: unknown): string => (typeof each === 'string' ? each : (each as { namespace: string }).namespace);

const ownersIn = (text: string): (string | undefined)[] => (text.match(/\/data\/[^ :]*/g) ?? []).map(ownerOf);

const withFiles = (files: DataFiles, ...changes: [path: string, bytes: Buffer | undefined][]): DataFiles => {
  const changed = new Map(files);
  for (const [path, bytes] of changes) {
    if (bytes) changed.set(path, bytes);
    else changed.delete(path);
  }
  return changed;
};

/** Each `stride`-th item. */
function* some<T>(items: Iterable<T>, stride: number): Iterable<T> {
  let at = 0;
  for (const item of items) if (at++ % stride === 0) yield item;
}

/**
 * Verifies changes; gives how many there were, and how many namespaces were unreadable after them.
 */
async function verifyAll(changes: Iterable<Change>, now: DataFiles): Promise<{ changes: number; unreadable: number }> {
  const expected = await expectedOf(now);
  const sum = { changes: 0, unreadable: 0 };
  for (const change of changes) {
    sum.changes++;
    sum.unreadable += await verify(change, expected);
  }
  return sum;
}

async function expectedOf(now: DataFiles): Promise<Map<string, string>> {
  const engine = await open(await diskWith(now));
  const worlds = await worldsOf(engine, 'before any change');
  expect((await engine.check()).problems).toEqual([]);
  await engine.close();
  for (const [namespace, data] of worlds) {
    for (const n of [1, 2, 3, 4, 5, 6, 7]) expect(data).toContain(`"text ${n} of ${namespace}"`);
  }
  return worlds as Map<string, string>;
}

/** Everything that a mistaken copy or move does to two files. */
function* misplaced(now: DataFiles): Iterable<Change> {
  const paths = [...now.keys()];
  for (const from of paths) {
    for (const to of paths) {
      if (from === to) continue;
      // Of files of other kinds, those of one other namespace are enough.
      if (kindOf(from) !== kindOf(to) && ![ownerOf(from), 'b'].includes(ownerOf(to))) continue;
      const [source, target] = [now.get(from)!, now.get(to)!];
      const copy = withFiles(now, [to, source]);
      yield { what: `${from} copied over ${to}`, files: copy, owners: [ownerOf(to)] };
      const owners = [ownerOf(from), ownerOf(to)];
      yield { what: `${from} renamed to ${to}`, files: withFiles(copy, [from, undefined]), owners };
      if (from < to) yield { what: `${from} swapped with ${to}`, files: withFiles(copy, [from, target]), owners };
    }
  }
}

it('files in the place of others: an error that names a file, or the right data; nothing is skipped silently', async () => {
  const { now } = await filled();
  const logs = [...now.keys()].filter((path) => ownerOf(path) === 'a' && kindOf(path) === 'log');
  expect(logs.length).toBeGreaterThan(2);
  const { changes, unreadable } = await verifyAll(some(misplaced(now), STRIDE), now);
  expect(unreadable).toBeGreaterThan(changes / 3);
}, 3_600_000);

it('files of an earlier moment, of the same name or another: an error that names a file, or the right data', async () => {
  const { before, now } = await filled();
  function* earlier(): Iterable<Change> {
    for (const [from, bytes] of before) {
      if (!ownerOf(from)) continue;
      for (const to of now.keys()) {
        const isSame = to.startsWith(directoryOf(from)) || ownerOf(from) === 'd' || ownerOf(from) === '_';
        if (!ownerOf(to) || kindOf(to) !== kindOf(from) || !isSame) continue;
        yield { what: `${from} of before as ${to}`, files: withFiles(now, [to, bytes]), owners: [ownerOf(to)] };
      }
      if (now.has(from)) continue;
      yield { what: `${from} of before is there again`, files: withFiles(now, [from, bytes]), owners: [ownerOf(from)] };
    }
  }
  const { unreadable } = await verifyAll(some(earlier(), Math.ceil(STRIDE / 8)), now);
  expect(unreadable).toBeGreaterThan(5);
}, 3_600_000);

it('a missing, cut off or damaged file: an error that names it, or the right data; nothing is skipped silently', async () => {
  const { now } = await filled();
  function* damaged(): Iterable<Change> {
    for (const [path, bytes] of now) {
      const owners = [ownerOf(path)];
      yield { what: `${path} is missing`, files: withFiles(now, [path, undefined]), owners };
      for (let at = 0; at < bytes.byteLength; at++) {
        yield { what: `${path} is cut off at ${at}`, files: withFiles(now, [path, bytes.subarray(0, at)]), owners };
        const flipped = Buffer.from(bytes);
        flipped[at] ^= 1 << (at % 8);
        yield { what: `a bit of ${path} at ${at}`, files: withFiles(now, [path, flipped]), owners };
      }
    }
  }
  const { changes, unreadable } = await verifyAll(some(damaged(), STRIDE === 1 ? 1 : 24 * STRIDE + 1), now);
  expect(unreadable).toBeGreaterThan(changes / 4);
  function* missing(): Iterable<Change> {
    for (const change of damaged()) if (change.what.endsWith('is missing')) yield change;
  }
  await verifyAll(missing(), now);
}, 7_200_000);

it('swapped directories of namespaces are detected, not read under the wrong name', async () => {
  const { before, now } = await filled();
  const directories = [...new Set([...now.keys()].filter((path) => ownerOf(path)).map(directoryOf))];
  /** The files with those of a directory under another path, in place of what was there. */
  const replaced = (source: DataFiles, from: string, to: string, files: DataFiles): DataFiles => {
    const kept = [...files].filter(([path]) => directoryOf(path) !== to);
    const moved = [...source].filter(([path]) => directoryOf(path) === from);
    return new Map([...kept, ...moved.map(([path, bytes]) => [`${to}/${fileOf(path)}`, bytes] as const)]);
  };
  const without = (files: DataFiles, directory: string): DataFiles =>
    new Map([...files].filter(([path]) => directoryOf(path) !== directory));
  function* moved(): Iterable<Change> {
    for (const from of directories) {
      for (const to of [...directories, `${directories[0].slice(0, -1)}0`, `${directoryOf(from)}/else`]) {
        if (from === to) continue;
        const owners = [ownerOf(from), ownerOf(to)].filter((owner) => owner !== undefined);
        const copied = replaced(now, from, to, now);
        const change = { owners, isDirectoryMoved: true };
        yield { ...change, what: `${from} copied to ${to}`, files: copied };
        yield { ...change, what: `${from} renamed to ${to}`, files: without(copied, from) };
        if (directories.includes(to))
          yield { ...change, what: `${from} swapped with ${to}`, files: replaced(now, to, from, copied) };
      }
    }
    const d = directories.find((directory) => ownerOf(directory) === 'd')!;
    const a = directories.find((directory) => ownerOf(directory) === 'a')!;
    yield { what: 'the earlier d as a', files: replaced(before, d, a, now), owners: ['a'], isDirectoryMoved: true };
  }
  const { changes, unreadable } = await verifyAll(moved(), now);
  expect(unreadable).toBeGreaterThan(changes / 2);
}, 3_600_000);

/** The places of all frames with a payload in a log file, and of the content of a segment file. */
function contentsOf(path: string, bytes: Buffer): { from: number; to: number }[] {
  if (kindOf(path) === 'segment') return [{ from: 64, to: 64 + Number(bytes.readBigUInt64LE(16)) }];
  const found: { from: number; to: number }[] = [];
  let at = 64;
  while (kindOf(path) === 'log' && bytes.toString('latin1', at, at + 4) === 'RWF2') {
    const from = at + 72;
    at = from + bytes.readUInt32LE(at + 4);
    if (at > from) found.push({ from, to: at });
  }
  return found;
}

it('swapped records and segments of equal length and equal CRC-32 are detected', async () => {
  const { before, now } = await filled();
  const all = [before, now].flatMap((files) =>
    [...files].flatMap(([path, bytes]) =>
      contentsOf(path, bytes).map(({ from, to }) => ({
        path,
        from,
        content: bytes.subarray(from, to),
        isNow: files === now,
      })),
    ),
  );
  let records = 0;
  let segments = 0;
  function* exchanged(): Iterable<Change> {
    for (const source of all) {
      for (const target of all) {
        const isSameLength = source.content.byteLength === target.content.byteLength;
        if (!target.isNow || !isSameLength || kindOf(source.path) !== kindOf(target.path)) continue;
        if (source.content.equals(target.content)) continue;
        // Of equal length: CRC-32 does not tell one from the other.
        expect(crc32(source.content)).toBe(crc32(target.content));
        if (kindOf(source.path) === 'log') records++;
        else segments++;
        const bytes = Buffer.from(now.get(target.path)!);
        bytes.set(source.content, target.from);
        const what = `the content of ${source.path} at ${source.from} in ${target.path} at ${target.from}`;
        yield { what, files: withFiles(now, [target.path, bytes]), owners: [ownerOf(target.path)] };
        if (!source.isNow) continue;
        const other = source.path === target.path ? bytes : Buffer.from(now.get(source.path)!);
        other.set(target.content, source.from);
        yield {
          what: `${what}, and the other way round`,
          files: withFiles(now, [target.path, bytes], [source.path, other]),
          owners: [ownerOf(source.path), ownerOf(target.path)],
        };
      }
    }
  }
  const { changes, unreadable } = await verifyAll(some(exchanged(), Math.ceil(STRIDE / 4)), now);
  expect(records).toBeGreaterThan(50);
  expect(segments).toBeGreaterThan(20);
  expect(unreadable).toBeGreaterThan(changes / 3);
}, 3_600_000);

it('a damaged namespace does not hide another one', async () => {
  const { now } = await filled();
  const manifests = [...now.keys()].filter(
    (path) => ['a', 'c'].includes(ownerOf(path)!) && fileOf(path) === 'manifest',
  );
  const files = withFiles(now, ...manifests.map((path): [string, Buffer] => [path, Buffer.from('something else')]));
  await verify({ what: 'two manifests', files, owners: ['a', 'c'] }, await expectedOf(now));
  const engine = await open(await diskWith(files));
  for (const path of manifests) {
    await expect(engine.listNamespaces()).rejects.toMatchObject({ message: expect.stringContaining(path) });
    await expect(engine.backupStream().next()).rejects.toMatchObject({ message: expect.stringContaining(path) });
  }
  await engine.close();
});
