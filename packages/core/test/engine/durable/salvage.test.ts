import { Writable } from 'node:stream';
import { fileStorage } from '@rdf-worlds/storage-file';
import { describe, expect, it } from 'vitest';
import { SimulatedFileSystem } from '../../../../storage-file/test/power-cut/simulated-file-system.ts';
import {
  dataFactory,
  MemoryStorage,
  type SalvageReport,
  type SalvageRequest,
  type World,
  WorldsEngine,
  WorldsError,
} from '../../../src/index.ts';
import { linesOf } from '../world-state.ts';

const { quad, namedNode, literal } = dataFactory;
const STRING = namedNode('urn:datatype');

const one = (n: number, graph = 'urn:g') =>
  quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(`text ${n}`, n % 2 ? STRING : 'en'), namedNode(graph));

// DAMAGE_STRIDE=1 damages each byte; without it some.
const STRIDE = Number(process.env.DAMAGE_STRIDE ?? 401);

const NAMESPACES = ['one', 'two'];

/** The quads of each world of a namespace, by slug. */
type Data = Readonly<Record<string, readonly string[]>>;
/** Each state that a namespace was in, by its revision. */
type History = Map<number, Data>;

interface Directory {
  readonly files: SimulatedFileSystem;
  readonly histories: ReadonlyMap<string, History>;
}

const open = (fileSystem: SimulatedFileSystem, retainChangesBytes?: number, readOnly = false) =>
  WorldsEngine.open({
    storage: fileStorage({ path: '/data', fileSystem, maxLogFileBytes: 700, readOnly }),
    textIndex: null,
    retainChangesBytes,
  });

async function dataOf(engine: WorldsEngine, namespace: string): Promise<Data> {
  const data: Record<string, string[]> = {};
  for await (const { slug } of engine.worlds({ namespace })) data[slug] = await linesOf(engine, `${namespace}/${slug}`);
  return data;
}

/** Two namespaces with two worlds, two checkpoints and a log behind them each. */
async function filled(retainChangesBytes?: number, size = 8): Promise<Directory> {
  const files = new SimulatedFileSystem(() => 0);
  const engine = await open(files, retainChangesBytes);
  const histories = new Map<string, History>();
  for (const namespace of NAMESPACES) {
    const history: History = new Map();
    histories.set(namespace, history);
    const remember = async () => {
      const worlds: World[] = [];
      for await (const world of engine.worlds({ namespace })) worlds.push(world);
      history.set(Math.max(...worlds.map(({ revision }) => revision)), await dataOf(engine, namespace));
    };
    const write = async (source: string, insert: number[], remove: number[] = [], graph?: string) => {
      const request = { insert: insert.map((n) => one(n, graph)), delete: remove.map((n) => one(n, graph)) };
      await engine.write({ source: `${namespace}/${source}`, ...request });
      await remember();
    };
    await engine.createWorld({ namespace, slug: 'v', label: `of ${namespace}` });
    await remember();
    await engine.createWorld({ namespace, slug: 'w' });
    await remember();
    await write(
      'v',
      Array.from({ length: size }, (_, n) => n + 1),
    );
    await write('w', [1, 11, 12]);
    await engine.checkpoint({ namespace });
    await write('v', [21], [2]);
    await write('w', [22], [], 'urn:h');
    await engine.checkpoint({ namespace });
    await write('v', [31, 2], [21]);
    await write('w', [], [11]);
  }
  await engine.close();
  return { files, histories };
}

async function pathsOf(fileSystem: SimulatedFileSystem, directory: string): Promise<string[]> {
  const paths: string[] = [];
  for (const name of await fileSystem.list(directory)) {
    const path = `${directory}/${name}`;
    const below = await fileSystem.list(path).catch(() => undefined);
    paths.push(...(below ? await pathsOf(fileSystem, path) : [path]));
  }
  return paths.sort();
}

async function readAll(fileSystem: SimulatedFileSystem, path: string): Promise<Buffer> {
  const file = await fileSystem.open(path, 'read');
  const bytes = Buffer.alloc(await file.size());
  await file.read(bytes, 0);
  await file.close();
  return bytes;
}

async function put(fileSystem: SimulatedFileSystem, path: string, bytes: Uint8Array): Promise<void> {
  const file = await fileSystem.open(path, 'replace');
  await file.write(bytes, 0);
  await file.close();
}

/** Salvages, and gives the report with what was written, by world. */
async function salvage(
  engine: WorldsEngine,
  request: SalvageRequest,
): Promise<{ report: SalvageReport; dump: Data; records: World[] }> {
  const texts = new Map<string, string>();
  const records: World[] = [];
  const output = (world: World) => {
    records.push(world);
    texts.set(world.slug, '');
    return new Writable({
      write: (chunk, _, done) => {
        texts.set(world.slug, texts.get(world.slug) + String(chunk));
        done();
      },
    });
  };
  const report = await engine.salvage({ ...request, output });
  const dump = Object.fromEntries([...texts].map(([slug, text]) => [slug, text.split('\n').slice(0, -1).sort()]));
  return { report, dump, records };
}

/** Checks a report and what was written against everything that ever was. Gives the state. */
function verify(
  { report, dump, records }: Awaited<ReturnType<typeof salvage>>,
  history: History,
  where: string,
): SalvageReport['state'] {
  const last = Math.max(...history.keys());
  const told = `${where}: ${JSON.stringify(report)}`;
  expect(report.repaired || report.copy !== null, told).toBe(false);
  expect(report.problems.length > 0, told).toBe(report.state !== 'intact');
  if (report.state === 'lost') {
    expect([report.revision, report.worlds, dump], told).toEqual([null, [], {}]);
    return report.state;
  }
  const truth = history.get(report.revision!)!;
  expect(truth, told).toBeDefined();
  expect(Object.keys(dump), told).toEqual(Object.keys(truth));
  expect(report.worlds, told).toEqual(
    Object.entries(dump).map(([slug, { length }]) => ({ slug, quads: length, isComplete: expect.any(Boolean) })),
  );
  for (const { revision } of records) expect(revision, told).toBeLessThanOrEqual(report.revision!);
  if (report.state === 'partial') {
    for (const { slug, isComplete } of report.worlds)
      if (isComplete) expect(dump[slug], told).toEqual(truth[slug]);
      else for (const line of dump[slug]) expect(truth[slug], told).toContain(line);
    expect(report.missing.length, told).toBeGreaterThan(1);
    return report.state;
  }
  expect(dump, told).toEqual(truth);
  expect(report.missing.length > 0, told).toBe(report.state === 'earlier');
  if (report.state !== 'earlier') expect(report.revision, told).toBe(last);
  for (const { isComplete } of report.worlds) expect(isComplete, told).toBe(true);
  return report.state;
}

/** Repairs a namespace whose state is exact, and uses it. */
async function repairAndUse(files: SimulatedFileSystem, namespace: string, truth: Data, where: string): Promise<void> {
  const before = files.afterKill();
  const engine = await open(files);
  const report = await engine.salvage({ namespace, repair: true });
  expect(report, where).toMatchObject({ state: 'exact', repaired: true, missing: [] });
  expect(report.copy, where).toMatch(/^\/data\/salvaged\/.*-[0-9a-f]{32}$/);
  for (const name of await files.list(report.copy!)) {
    const [directory] = (await before.list('/data/namespaces')).filter((each) => report.copy!.endsWith(each));
    const copied = await readAll(files, `${report.copy}/${name}`);
    expect(copied.equals(await readAll(before, `/data/namespaces/${directory}/${name}`)), `${where}: ${name}`).toBe(
      true,
    );
  }
  expect(await dataOf(engine, namespace), where).toEqual(truth);
  expect(await engine.check(), where).toMatchObject({ problems: [] });
  const known = await engine.getWorld({ source: `${namespace}/v` });
  const { revision } = await engine.write({ source: `${namespace}/v`, insert: [one(99)] });
  expect(revision, where).toBe(report.revision! + 1);
  expect(known!.revision, where).toBeLessThan(revision);
  await engine.checkpoint({ namespace });
  await engine.close();
  const again = await open(files);
  expect((await dataOf(again, namespace)).v, where).toContain('<urn:s99> <urn:p> "text 99"^^<urn:datatype> <urn:g> .');
  expect(await again.check(), where).toMatchObject({ problems: [] });
  expect(await again.salvage({ namespace }), where).toMatchObject({ state: 'intact', repaired: false });
  await again.close();
}

/**
 * Salvages both namespaces of a damaged directory; gives the state of the one that owns the damaged
 * file.
 */
async function trial(
  { files: damaged, histories }: Directory,
  owner: string | undefined,
  where: string,
  repairs: boolean,
): Promise<SalvageReport['state'] | undefined> {
  const files = damaged.afterKill();
  const engine = await open(files).catch(asError);
  // The file that names the format is damaged: nothing is read.
  if (engine instanceof WorldsError) return undefined;
  let found: SalvageReport['state'] | undefined;
  for (const namespace of NAMESPACES) {
    const state = verify(await salvage(engine, { namespace }), histories.get(namespace)!, where);
    if (namespace === owner) found = state;
    else expect(state, where).toBe('intact');
  }
  await engine.close();
  if (repairs && found === 'exact') {
    const history = histories.get(owner!)!;
    await repairAndUse(files, owner!, history.get(Math.max(...history.keys()))!, where);
  }
  return found;
}

function asError(error: unknown): WorldsError {
  if (error instanceof WorldsError) return error;
  throw error;
}

async function ownerOf(files: SimulatedFileSystem, path: string): Promise<string | undefined> {
  const manifest = await readAll(files, `${path.slice(0, path.lastIndexOf('/'))}/manifest`).catch(() => undefined);
  return manifest && NAMESPACES.find((namespace) => manifest.includes(`"${namespace}"`));
}

const DAMAGES: Readonly<Record<string, (bytes: Buffer, at: number) => Uint8Array>> = {
  'a flipped bit': (bytes, at) => {
    const flipped = Buffer.from(bytes);
    flipped[at] ^= 1 << (at % 8);
    return flipped;
  },
  'an end that was cut off': (bytes, at) => bytes.subarray(0, at),
};

const RETENTIONS: readonly (readonly [name: string, bytes: number | undefined])[] = [
  ['with the whole log', undefined],
  ['with the log behind the newest checkpoint', 0],
];

describe.each(RETENTIONS)('a namespace %s', (_, retention) => {
  it.each(Object.entries(DAMAGES))(
    '%s anywhere in any file: the acknowledged state, an earlier one or true quads; the other namespace is intact',
    async (_, spoil) => {
      const directory = await filled(retention);
      const { files } = directory;
      const states = new Map<string | undefined, number>();
      for (const path of await pathsOf(files, '/data')) {
        const bytes = await readAll(files, path);
        const owner = await ownerOf(files, path);
        if (owner === 'two') continue; // As 'one'.
        const repaired = new Set<string>();
        for (let at = bytes.length % STRIDE; at < bytes.length; at += STRIDE) {
          await put(files, path, spoil(bytes, at));
          const state = await trial(directory, owner, `${path} at byte ${at}`, !repaired.has(path) || at % 7 === 0);
          if (state === 'exact') repaired.add(path);
          states.set(state, (states.get(state) ?? 0) + 1);
        }
        await put(files, path, bytes);
      }
      for (const state of ['exact', 'earlier', 'lost']) expect(states.get(state) ?? 0, state).toBeGreaterThan(0);
      expect(await trial(directory, 'one', 'whole', false)).toBe('intact');
    },
    7_200_000,
  );

  it('a file that is missing, or two that are damaged: likewise', async () => {
    const directory = await filled(retention);
    const { files } = directory;
    const states = new Map<string | undefined, number>();
    const paths = (await pathsOf(files, '/data/namespaces')).filter((path) => path.includes('/one-'));
    const spoil = async (path: string, bytes: Buffer, isMissing: boolean) => {
      if (isMissing) await files.unlink(path);
      else await put(files, path, DAMAGES['a flipped bit'](bytes, bytes.length >> 1));
    };
    for (const [i, first] of paths.entries()) {
      const firstBytes = await readAll(files, first);
      for (const isMissing of [true, false]) {
        await spoil(first, firstBytes, isMissing);
        const others = paths.slice(i + 1).filter((_, k) => STRIDE === 1 || k % 6 === i % 6);
        for (const second of [undefined, ...others]) {
          const bytes = second && (await readAll(files, second));
          if (bytes) await spoil(second!, bytes, isMissing);
          const where = `${isMissing ? 'missing' : 'damaged'}: ${first} ${second}`;
          const state = await trial(directory, 'one', where, true);
          states.set(state, (states.get(state) ?? 0) + 1);
          if (bytes) await put(files, second!, bytes);
        }
        await put(files, first, firstBytes);
      }
    }
    expect(states.get('exact')).toBeGreaterThan(0);
    expect(states.get('lost')).toBeGreaterThan(0);
    if (retention === 0) expect(states.get('partial')).toBeGreaterThan(0);
  }, 7_200_000);
});

it('any of the segments damaged: true quads, never one that a damaged deletion may have taken away', async () => {
  // Enough quads that deletions are stored apart from what they delete.
  const directory = await filled(0, 1000);
  const { files } = directory;
  const paths = (await pathsOf(files, '/data/namespaces')).filter((path) => /\/one-.*segment/.test(path));
  expect(paths.length).toBeGreaterThan(6);
  const contents = await Promise.all(paths.map((path) => readAll(files, path)));
  const spoilt = (bytes: Buffer) => DAMAGES['a flipped bit'](bytes, bytes.length >> 1);
  const reports: SalvageReport[] = [];
  for (let subset = 1; subset < 2 ** paths.length; subset += STRIDE === 1 ? 1 : 3) {
    for (const [i, path] of paths.entries())
      await put(files, path, subset & (1 << i) ? spoilt(contents[i]) : contents[i]);
    const engine = await open(files.afterKill());
    const salvaged = await salvage(engine, { namespace: 'one' });
    verify(salvaged, directory.histories.get('one')!, `segments ${subset.toString(2)}`);
    reports.push(salvaged.report);
    await engine.close();
  }
  const count = (matches: (report: SalvageReport) => boolean) => reports.filter(matches).length;
  for (const state of ['exact', 'earlier', 'partial', 'lost'])
    expect(
      count((report) => report.state === state),
      state,
    ).toBeGreaterThan(0);
  const partial = reports.filter(({ state }) => state === 'partial');
  for (const pattern of [/^The texts of the terms/, /^The deletions of segment/, /^The quads of segment/])
    expect(
      partial.some(({ missing }) => missing.some((line) => pattern.test(line))),
      String(pattern),
    ).toBe(true);
  expect(partial.some(({ worlds }) => worlds.some(({ quads, isComplete }) => quads > 0 && !isComplete))).toBe(true);
  expect(partial.some(({ worlds }) => worlds.some(({ isComplete }) => isComplete))).toBe(true);
}, 600_000);

async function damagedDirectory(pattern: RegExp): Promise<Directory & { path: string }> {
  const directory = await filled(0);
  const path = (await pathsOf(directory.files, '/data/namespaces')).filter((each) => pattern.test(each)).at(-1)!;
  await put(directory.files, path, DAMAGES['a flipped bit'](await readAll(directory.files, path), 30));
  return { ...directory, path };
}

it('into one stream, each world comes after a comment that names it', async () => {
  const { files } = await filled();
  const engine = await open(files);
  let text = '';
  const output = new WritableStream<Uint8Array>({ write: (chunk) => void (text += Buffer.from(chunk).toString()) });
  await engine.salvage({ namespace: 'one', output });
  expect(text.split('\n').filter((line) => line.startsWith('#'))).toEqual([
    expect.stringMatching(/^# one\/v, revision 7: \d+ quads$/),
    expect.stringMatching(/^# one\/w, revision 8: 3 quads$/),
  ]);
  const copy = await WorldsEngine.open();
  await copy.createWorld({ slug: 'all' });
  const { quads } = await copy.import({ source: 'all', contentType: 'application/n-quads', data: text });
  expect(quads).toBe(text.split('\n').filter((line) => /^[<_]/.test(line)).length);
  await engine.close();
});

it('without a manifest nothing is proven, and the report says so; nothing is changed', async () => {
  const { files, path } = await damagedDirectory(/one-.*manifest$/);
  const engine = await open(files);
  const before = await Promise.all((await pathsOf(files, '/data')).map((each) => readAll(files, each)));
  expect(await engine.salvage({ namespace: 'one', repair: true })).toEqual({
    namespace: 'one',
    state: 'lost',
    revision: null,
    problems: [expect.stringContaining(path)],
    missing: [expect.stringContaining('it is unknown which files belong together')],
    worlds: [],
    repaired: false,
    copy: null,
  });
  const after = await Promise.all((await pathsOf(files, '/data')).map((each) => readAll(files, each)));
  expect(after).toEqual(before);
  await engine.close();
});

it('a state that is not proven to be the acknowledged one never replaces it', async () => {
  const { files, path } = await damagedDirectory(/one-.*log-/);
  const engine = await open(files);
  const report = await engine.salvage({ namespace: 'one', repair: true });
  expect(report).toMatchObject({ state: 'earlier', revision: 6, repaired: false, copy: null });
  expect(report.problems).toEqual([expect.stringContaining(path)]);
  expect(report.missing).toEqual([expect.stringContaining('Commits after revision 6')]);
  expect(await files.list('/data')).not.toContain('salvaged');
  await engine.close();
});

it('a read-only directory is salvaged, and not repaired', async () => {
  const directory = await filled();
  const { files } = directory;
  const path = (await pathsOf(files, '/data/namespaces')).filter((each) => /one-.*segment/.test(each)).at(-1)!;
  await put(files, path, new Uint8Array(5));
  const engine = await open(files, undefined, true);
  expect(verify(await salvage(engine, { namespace: 'one' }), directory.histories.get('one')!, path)).toBe('exact');
  await expect(engine.salvage({ namespace: 'one', repair: true })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  await engine.close();
});

it('a repair while the namespace is in use: writers wait, then go on', async () => {
  const directory = await filled();
  const { files } = directory;
  const engine = await open(files);
  await engine.write({ source: 'one/v', insert: [one(50)] });
  // Of the checkpoint before the newest one: nobody notices by reading.
  const segments = (await pathsOf(files, '/data/namespaces')).filter((each) => /one-.*segment/.test(each));
  for (const path of segments) {
    const bytes = await readAll(files, path);
    await put(files, path, DAMAGES['a flipped bit'](bytes, bytes.length - 1));
  }
  const [report, written] = await Promise.all([
    engine.salvage({ namespace: 'one', repair: true }),
    engine.write({ source: 'one/v', insert: [one(51)] }).catch(asError),
  ]);
  expect(report).toMatchObject({ state: 'exact', repaired: true });
  expect(written instanceof WorldsError ? written.code : written.revision).toSatisfy(
    (outcome) => outcome === 'CONFLICT' || outcome === report.revision || outcome === report.revision! + 1,
  );
  await engine.write({ source: 'one/v', insert: [one(51), one(52)] });
  const data = await dataOf(engine, 'one');
  expect(await engine.check()).toMatchObject({ problems: [] });
  await engine.close();
  const again = await open(files);
  expect(await dataOf(again, 'one')).toEqual(data);
  for (const n of [50, 51, 52]) expect(data.v.join('\n')).toContain(`"text ${n}"`);
  await again.close();
});

it('rejects invalid requests, and says why', async () => {
  const { files } = await filled();
  const [engine, other] = [await open(files), await open(files)];
  await expect(engine.salvage({ namespace: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const unknown = { namespace: 'one', repairs: true } as SalvageRequest;
  await expect(engine.salvage(unknown)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  const noStream = { output: 'file' } as unknown as SalvageRequest;
  await expect(engine.salvage(noStream)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  const signal = AbortSignal.abort();
  await expect(engine.salvage({ namespace: 'one', signal })).rejects.toMatchObject({ code: 'ABORTED' });
  const segment = (await pathsOf(files, '/data/namespaces')).find((each) => /one-.*segment/.test(each))!;
  await put(files, segment, new Uint8Array(5));
  await expect(engine.salvage({ namespace: 'one', repair: true })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('close it, then repair'),
  });
  await other.close();
  expect(await engine.salvage({ namespace: 'one', repair: true })).toMatchObject({ repaired: true });
  await engine.close();
  const inMemory = await WorldsEngine.open();
  await expect(inMemory.salvage()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  const kept = await WorldsEngine.open({ storage: new MemoryStorage() });
  await kept.createWorld({ slug: 'w' });
  expect(await kept.salvage({ repair: true })).toMatchObject({ state: 'intact', repaired: false });
});

it('damage in the log before the newest checkpoint takes nothing away: the log behind it is proven without', async () => {
  const files = new SimulatedFileSystem(() => 0);
  // One file of the log, as it is with the default size.
  const openLarge = () =>
    WorldsEngine.open({ storage: fileStorage({ path: '/data', fileSystem: files }), textIndex: null });
  let engine = await openLarge();
  await engine.createWorld({ namespace: 'one', slug: 'w' });
  for (let n = 1; n <= 9; n++) {
    await engine.write({ source: 'one/w', insert: [one(n)] });
    if (n === 3 || n === 6) await engine.checkpoint({ namespace: 'one' });
  }
  const truth = await dataOf(engine, 'one');
  await engine.close();
  const logs = (await pathsOf(files, '/data/namespaces')).filter((path) => /one-.*log-/.test(path));
  expect(logs).toHaveLength(1);
  const bytes = await readAll(files, logs[0]);
  await put(files, logs[0], DAMAGES['a flipped bit'](bytes, 300));
  engine = await openLarge();
  await expect(engine.getWorld({ source: 'one/w' })).rejects.toMatchObject({ code: 'CORRUPT' });
  const { report, dump } = await salvage(engine, { namespace: 'one' });
  expect(report).toMatchObject({ state: 'exact', revision: 10, missing: [] });
  expect(dump).toEqual(truth);
  expect(await engine.salvage({ namespace: 'one', repair: true })).toMatchObject({ repaired: true });
  expect(await dataOf(engine, 'one')).toEqual(truth);
  expect(await engine.check()).toMatchObject({ problems: [] });
  await engine.write({ source: 'one/w', insert: [one(10)] });
  await engine.close();
  engine = await openLarge();
  expect((await dataOf(engine, 'one')).w).toHaveLength(10);
  await engine.close();
});
