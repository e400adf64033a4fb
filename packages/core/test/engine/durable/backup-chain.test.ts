import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileStorage } from '@rdf-worlds/storage-file';
import { describe, expect, it } from 'vitest';
import { BackupReader } from '../../../src/engine/durable/backup-reader.ts';
import {
  type BackupOptions,
  backupToken,
  dataFactory,
  MemoryStorage,
  WorldsEngine,
  WorldsError,
} from '../../../src/index.ts';
import { BackupHistory, namespaceState, type StorageKind, seeded } from './backup-history.ts';

// RDF_WORLDS_BACKUP_RUNS says how many random histories there are, RDF_WORLDS_BACKUP_SEED with
// which one they begin.
const RUNS = Number(process.env.RDF_WORLDS_BACKUP_RUNS ?? 2);
const FIRST_SEED = Number(process.env.RDF_WORLDS_BACKUP_SEED ?? 1);
// DAMAGE_STRIDE=1 damages each byte; without it some.
const STRIDE = Number(process.env.DAMAGE_STRIDE ?? 19);

const { quad, namedNode, literal } = dataFactory;
const one = (n: number) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(String(n)));

interface Taken {
  readonly bytes: Buffer;
  readonly token: string;
}

async function taken(
  engine: WorldsEngine,
  options: BackupOptions = {},
  onChunk?: (n: number) => Promise<void>,
): Promise<Taken> {
  const stream = engine.backupStream(options);
  const chunks: Buffer[] = [];
  for (let n = 0; ; n++) {
    const step = await stream.next();
    if (step.done) return { bytes: Buffer.concat(chunks), token: step.value.token };
    chunks.push(Buffer.from(step.value));
    await onChunk?.(n);
  }
}

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** The kinds of the parts of a backup, by namespace. */
async function partsOf(bytes: Uint8Array): Promise<Record<string, string[]>> {
  const reader = await BackupReader.open(pieces(bytes, 1 << 16), 'The backup');
  const kinds: Record<string, string[]> = {};
  for (let { name } = reader; name !== undefined; { name } = reader) {
    kinds[name] = [];
    for await (const part of reader.parts()) {
      kinds[name].push(part.kind);
      if (part.kind === 'log') for await (const record of part.records) expect(record.length).toBeGreaterThan(0);
    }
  }
  await reader.finish();
  return kinds;
}

/** What a restored chain has to have of each namespace: one of these states. */
type Expected = ReadonlyMap<string, readonly string[]>;

async function expectRestored(chain: readonly Uint8Array[], expected: Expected, storage?: MemoryStorage) {
  const options = { storage, textIndex: null };
  const restored = await WorldsEngine.restore(
    chain.map((bytes) => pieces(bytes, 777)),
    options,
  );
  const found = new Map<string, string>();
  for (const [name, states] of expected) {
    found.set(name, await namespaceState(restored, name));
    expect(states, name).toContain(found.get(name));
  }
  expect((await restored.check()).problems).toEqual([]);
  await restored.close();
  if (!storage) return;
  const reopened = await WorldsEngine.open({ ...options, storage: new MemoryStorage(storage.contents) });
  for (const [name, state] of found) expect(await namespaceState(reopened, name), name).toBe(state);
  await reopened.close();
}

const now = async (engine: WorldsEngine, ...names: string[]): Promise<Expected> => {
  const states = new Map<string, string[]>();
  for (const name of names) states.set(name, [await namespaceState(engine, name)]);
  return states;
};

/** Two namespaces on storage, and a full backup of them. */
async function filled(storage?: MemoryStorage): Promise<{ engine: WorldsEngine; full: Taken }> {
  const engine = await WorldsEngine.open({ storage, textIndex: null });
  await engine.createWorld({ slug: 'w', namespace: 'a' });
  await engine.createWorld({ slug: 'w', namespace: 'b' });
  await engine.write({ source: 'a/w', insert: [one(1), one(2)] });
  return { engine, full: await taken(engine) };
}

describe('a chain of backups', () => {
  for (const kind of ['none', 'memory', 'file'] as const satisfies StorageKind[]) {
    it(`restores what was there when the last one was taken, while others write: storage ${kind}`, async () => {
      const kinds = new Set<string>();
      for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
        const below = seeded(seed);
        const history = await BackupHistory.begin(kind, below);
        const backups: (Taken & { readonly parent: number })[] = [];
        for (let n = 0; n < 7; n++) {
          for (let steps = below(25); steps > 0; steps--) await history.step();
          // Mostly the one before, sometimes an older one: then there are two chains.
          const parent = n === 0 ? -1 : below(4) === 0 ? below(n) : n - 1;
          const isQuiet = below(3) === 0;
          const first = new Map(Array.from(history.states, ([name, states]) => [name, states.length - 1]));
          history.isReading = true;
          const backup = await taken(history.engine, { since: backups[parent]?.token }, async () => {
            if (!isQuiet && below(4) === 0) await history.step();
          });
          history.isReading = false;
          backups.push({ ...backup, parent });
          const expected = new Map(
            Array.from(history.states, ([name, states]) => [name, states.slice(first.get(name))]),
          );
          const chain: Uint8Array[] = [];
          for (let i = n; i >= 0; i = backups[i].parent) chain.unshift(backups[i].bytes);
          await expectRestored(chain, expected, below(2) === 0 ? new MemoryStorage() : undefined).catch((cause) => {
            throw new Error(`RDF_WORLDS_BACKUP_SEED=${seed}, backup ${n}`, { cause });
          });
          expect(await backupToken(backup.bytes)).toBe(backup.token);
          for (const parts of Object.values(await partsOf(backup.bytes))) kinds.add(parts.join(' '));
        }
        await history.end();
      }
      // The histories are rich enough to need all of them.
      const needed = ['full', 'unchanged', 'gone', ...(kind === 'none' ? [] : ['log'])];
      expect([...kinds]).toEqual(expect.arrayContaining(needed));
    }, 300_000);
  }

  it('has of an unchanged namespace some bytes, and of a changed one its commits', async () => {
    const engine = await WorldsEngine.open({ storage: new MemoryStorage(), textIndex: null });
    await engine.createWorld({ slug: 'w', namespace: 'large' });
    await engine.import({ source: 'large/w', data: Array.from({ length: 10_000 }, (_, n) => one(n)) });
    await engine.createWorld({ slug: 'w', namespace: 'other' });
    const full = await taken(engine);
    expect(full.bytes.length).toBeGreaterThan(100_000);
    await engine.write({ source: 'large/w', insert: [one(10_000)] });
    const changed = await taken(engine, { since: full.token });
    expect(await partsOf(changed.bytes)).toEqual({ large: ['log'], other: ['unchanged'] });
    expect(changed.bytes.length).toBeLessThan(1200);
    const unchanged = await taken(engine, { since: changed.token });
    expect(await partsOf(unchanged.bytes)).toEqual({ large: ['unchanged'], other: ['unchanged'] });
    expect(unchanged.bytes.length).toBeLessThan(700);
    await expectRestored([full.bytes, changed.bytes, unchanged.bytes], await now(engine, 'large', 'other'));
  });

  it('of an engine without storage has a few bytes for unchanged namespaces, and a copy of the others', async () => {
    const { engine, full } = await filled();
    await engine.write({ source: 'b/w', insert: [one(5)] });
    const second = await taken(engine, { since: full.token });
    expect(await partsOf(second.bytes)).toEqual({ a: ['unchanged'], b: ['full'] });
    await engine.deleteNamespace({ namespace: 'a' });
    const third = await taken(engine, { since: second.token });
    expect(await partsOf(third.bytes)).toEqual({ a: ['gone'], b: ['unchanged'] });
    await expectRestored([full.bytes, second.bytes, third.bytes], await now(engine, 'a', 'b'));
    // Of another engine nothing is known.
    const other = await filled();
    const foreign = await taken(other.engine, { since: full.token });
    expect(await partsOf(foreign.bytes)).toEqual({ a: ['full'], b: ['full'] });
  });

  it('has a full copy of a namespace that was recreated, or whose log was truncated', async () => {
    const { engine, full } = await filled(new MemoryStorage());
    await engine.write({ source: 'a/w', delete: [one(1)] });
    await engine.compact({ namespace: 'a', forgetChanges: true });
    await engine.deleteNamespace({ namespace: 'b' });
    await engine.createWorld({ slug: 'w', namespace: 'b' });
    const second = await taken(engine, { since: full.token });
    expect(await partsOf(second.bytes)).toEqual({ a: ['full'], b: ['full'] });
    await expectRestored([full.bytes, second.bytes], await now(engine, 'a', 'b'));
  });

  it('has no row left of a term that a compaction freed between two backups, and that came again', async () => {
    const { engine } = await filled(new MemoryStorage());
    await engine.write({ source: 'a/w', delete: [one(1)] });
    await engine.createWorld({ slug: 'v', namespace: 'a' });
    await engine.write({ source: 'a/v', insert: [one(3)] });
    await engine.deleteWorld({ source: 'a/v' });
    const full = await taken(engine);
    expect(await engine.compact({ namespace: 'a', forgetChanges: true })).toMatchObject({ terms: 4 });
    await engine.write({ source: 'a/w', insert: [one(1), one(3)] });
    const second = await taken(engine, { since: full.token });
    expect((await partsOf(second.bytes))['a']).toEqual(['log']);
    await expectRestored([full.bytes, second.bytes], await now(engine, 'a', 'b'), new MemoryStorage());
  });

  for (const [what, meddle, parts] of [
    [
      'truncated',
      async (engine: WorldsEngine) => void (await engine.compact({ namespace: 'a', forgetChanges: true })),
      ['log', 'full'],
    ],
    ['deleted', (engine: WorldsEngine) => engine.deleteNamespace({ namespace: 'a' }), ['log', 'gone']],
  ] as const) {
    it(`goes on when a log is ${what} while it is read`, async () => {
      const { engine, full } = await filled(new MemoryStorage());
      for (let n = 3; n < 9; n++) await engine.write({ source: 'a/w', insert: [one(n)] });
      await engine.write({ source: 'b/w', insert: [one(0)] });
      // Header, head, log, then two chunks a record.
      const second = await taken(engine, { since: full.token }, async (n) => {
        if (n === 5) await meddle(engine);
      });
      expect((await partsOf(second.bytes))['a']).toEqual(parts);
      await expectRestored([full.bytes, second.bytes], await now(engine, 'a', 'b'), new MemoryStorage());
      const third = await taken(engine, { since: await backupToken(second.bytes) });
      await expectRestored([full.bytes, second.bytes, third.bytes], await now(engine, 'a', 'b'));
    });
  }

  it('brings no namespace into memory but for a full copy', async () => {
    class Counting extends MemoryStorage {
      readonly loaded: string[] = [];
      override namespace(name: string) {
        const real = super.namespace(name);
        const checkpoint = real.checkpoint.bind(real);
        real.checkpoint = () => {
          if (name !== '_') this.loaded.push(name);
          return checkpoint();
        };
        return real;
      }
    }
    const storage = new MemoryStorage();
    const { engine, full } = await filled(storage);
    await engine.write({ source: 'b/w', insert: [one(3)] });
    await engine.createWorld({ slug: 'w', namespace: 'c' });
    const expected = await now(engine, 'a', 'b', 'c');
    await engine.close();
    const counting = new Counting(storage.contents);
    const reopened = await WorldsEngine.open({ storage: counting, textIndex: null });
    const second = await taken(reopened, { since: full.token });
    expect(await partsOf(second.bytes)).toEqual({ a: ['unchanged'], b: ['log'], c: ['full'] });
    expect(counting.loaded).toEqual(['c']);
    await expectRestored([full.bytes, second.bytes], expected);
  });

  it('contains the commits of another engine on the same directory', async () => {
    const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-backup-'));
    const open = () => WorldsEngine.open({ storage: fileStorage({ path }), textIndex: null });
    const [engine, other] = [await open(), await open()];
    for (const namespace of ['a', 'b']) await engine.createWorld({ slug: 'w', namespace });
    const chain = [await taken(engine)];
    for (let n = 0; n < 3; n++) {
      await other.write({ source: 'a/w', insert: [one(n)] });
      chain.push(await taken(n === 2 ? other : engine, { since: chain.at(-1)!.token }));
      expect(await partsOf(chain.at(-1)!.bytes)).toEqual({ a: ['log'], b: ['unchanged'] });
    }
    await other.deleteNamespace({ namespace: 'b' });
    chain.push(await taken(engine, { since: chain.at(-1)!.token }));
    expect(await partsOf(chain.at(-1)!.bytes)).toEqual({ a: ['unchanged'], b: ['gone'] });
    await expectRestored(
      chain.map(({ bytes }) => bytes),
      await now(other, 'a', 'b'),
    );
    for (const each of [engine, other]) await each.close();
    await rm(path, { recursive: true });
  });

  it('is taken while commits are on their way: of each namespace it has a moment that somebody saw', async () => {
    const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-backup-'));
    const engine = await WorldsEngine.open({ storage: fileStorage({ path }), textIndex: null });
    await engine.createWorld({ slug: 'w' });
    // Every commit moves one token: two moments in one backup would have none or two.
    const token = (n: number) => quad(namedNode('urn:token'), namedNode('urn:at'), literal(String(n)));
    await engine.write({ source: 'w', insert: [token(0)] });
    let acknowledged = 0;
    let writing = true;
    const writer = (async () => {
      for (let n = 0; writing; n += 3) {
        const commits = [n, n + 1, n + 2].map((at) =>
          engine.write({ source: 'w', delete: [token(at)], insert: [token(at + 1)] }),
        );
        await Promise.all(commits);
        acknowledged = n + 3;
      }
    })();
    const chain: Taken[] = [];
    for (let round = 0; round < 12; round++) {
      const before = acknowledged;
      chain.push(await taken(engine, { since: chain.at(-1)?.token }));
      const restored = await WorldsEngine.restore(chain.map(({ bytes }) => bytes));
      const rows = await (await restored.select({ query: 'SELECT ?n { <urn:token> <urn:at> ?n }' })).array();
      expect(rows).toHaveLength(1);
      const at = Number(rows[0].get('n')!.value);
      // Whatever was acknowledged before is in it.
      expect(at).toBeGreaterThanOrEqual(before);
      expect((await restored.getWorld({ source: 'w' }))!.revision).toBe(at + 2);
      while (acknowledged === before) await new Promise((resolve) => setImmediate(resolve));
    }
    writing = false;
    await writer;
    const kinds = await Promise.all(chain.map(async ({ bytes }) => (await partsOf(bytes))['default'].join(' ')));
    expect(kinds).toEqual(['full', ...Array(11).fill('log')]);
    await engine.close();
    await rm(path, { recursive: true });
  });

  it('has a full copy of a namespace that diverged: a directory that was restored', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'rdf-worlds-backup-'));
    const open = (name: string) =>
      WorldsEngine.open({ storage: fileStorage({ path: join(directory, name) }), textIndex: null });
    let engine = await open('worlds');
    await engine.createWorld({ slug: 'w', namespace: 'a' });
    const full = await taken(engine);
    await engine.close();
    await cp(join(directory, 'worlds'), join(directory, 'copy'), { recursive: true });
    engine = await open('worlds');
    await engine.write({ source: 'a/w', insert: [one(1)] });
    const second = await taken(engine, { since: full.token });
    expect(await partsOf(second.bytes)).toEqual({ a: ['log'] });
    await engine.close();
    engine = await open('copy');
    for (const n of [2, 3]) {
      await engine.write({ source: 'a/w', insert: [one(n)] });
      const third = await taken(engine, { since: second.token });
      expect(await partsOf(third.bytes)).toEqual({ a: ['full'] });
      await expectRestored([full.bytes, second.bytes, third.bytes], await now(engine, 'a'));
    }
    await engine.close();
    await rm(directory, { recursive: true });
  });

  it('that does not fit is refused, and the message says where', async () => {
    const { engine, full } = await filled(new MemoryStorage());
    const chain = [full];
    for (let n = 3; n < 5; n++) {
      await engine.write({ source: 'a/w', insert: [one(n)] });
      chain.push(await taken(engine, { since: chain.at(-1)!.token }));
    }
    const other = (await filled(new MemoryStorage())).full;
    const [b0, b1, b2] = chain.map(({ bytes }) => bytes);
    for (const [backups, message] of [
      [[], 'at least one backup'],
      [[b1], 'The backup is an incremental backup'],
      [[b1, b0], 'Backup 1 of 2 is an incremental backup'],
      [[b0, b2], 'Backup 2 of 2 does not follow'],
      [[b0, b1, b1], 'Backup 3 of 3 does not follow'],
      [[b0, b2, b1], 'Backup 2 of 3 does not follow'],
      [[b0, b0], 'Backup 2 of 2 is a full backup'],
      [[other.bytes, b1], 'Backup 2 of 2 does not follow'],
      [[b0, Buffer.from('something else')], 'Backup 2 of 2 is not a backup'],
    ] as const) {
      const storage = new MemoryStorage();
      await expect(WorldsEngine.restore(backups, { storage })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining(message),
      });
      // Before anything is written.
      const untouched = await WorldsEngine.open({ storage: new MemoryStorage(storage.contents) });
      expect(await untouched.listNamespaces()).toEqual([]);
    }
    await expectRestored([b0, b1, b2], await now(engine, 'a', 'b'), new MemoryStorage());
  });

  it('cannot follow a backup of version 1', async () => {
    const old = await readFile(new URL('./golden/v1/backup', import.meta.url));
    await expect(backupToken(old)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    const { engine, full } = await filled(new MemoryStorage());
    const second = await taken(engine, { since: full.token });
    await expect(WorldsEngine.restore([old, second.bytes])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('that is damaged, and passed as bytes, is refused before anything is written', async () => {
    const { engine, full } = await filled(new MemoryStorage());
    await engine.write({ source: 'a/w', insert: [one(3)] });
    const { bytes } = await taken(engine, { since: full.token });
    for (const [i, good] of [full.bytes, bytes].entries()) {
      const damaged = Buffer.from(good);
      damaged[good.length - 1] ^= 1;
      const storage = new MemoryStorage();
      const chain = [full.bytes, bytes].with(i, damaged);
      await expect(WorldsEngine.restore(chain, { storage })).rejects.toMatchObject({
        code: 'CORRUPT',
        message: expect.stringContaining(`Backup ${i + 1} of 2 is damaged`),
      });
      const untouched = await WorldsEngine.open({ storage: new MemoryStorage(storage.contents) });
      expect(await untouched.listNamespaces()).toEqual([]);
      const streams = chain.map((one) => pieces(one, 100));
      await expect(WorldsEngine.restore(streams)).rejects.toMatchObject({ code: 'CORRUPT' });
    }
  });

  it('that is damaged anywhere is refused', async () => {
    const { engine, full } = await filled(new MemoryStorage());
    await engine.write({ source: 'a/w', insert: [one(3)], delete: [one(1)] });
    await engine.createWorld({ slug: 'w', namespace: 'c' });
    const { bytes } = await taken(engine, { since: full.token });
    await engine.close();
    const codes = new Set<string>();
    const refused = async (chain: readonly Uint8Array[], where: string) => {
      // As streams, so that what is wrong is met while the namespaces are made.
      const streams = chain.map((bytes) => pieces(bytes, 1 << 16));
      const outcome = await WorldsEngine.restore(streams, { textIndex: null }).catch((cause: unknown) => cause);
      expect(outcome, where).toBeInstanceOf(WorldsError);
      codes.add((outcome as WorldsError).code);
    };
    const chain = [full.bytes, bytes];
    for (const [i, good] of chain.entries()) {
      for (let at = 0; at < good.length; at += STRIDE) {
        const damages = [good.subarray(0, at)];
        for (const change of [1 << (at % 8), 0x80, 0xff]) {
          const changed = Buffer.from(good);
          changed[at] ^= change;
          damages.push(changed);
        }
        for (const damaged of damages) await refused(chain.with(i, damaged), `backup ${i} at byte ${at}`);
      }
      await refused(chain.with(i, Buffer.concat([good, Buffer.alloc(1)])), `a byte behind backup ${i}`);
    }
    codes.delete('UNSUPPORTED');
    expect([...codes].sort()).toEqual(['CORRUPT', 'INVALID_ARGUMENT']);
  }, 300_000);
});

describe('options of a backup', () => {
  it('are checked', async () => {
    const { engine, full } = await filled(new MemoryStorage());
    const refused = async (options: unknown, message: string) =>
      await expect(taken(engine, options as BackupOptions)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining(message),
      });
    await refused({ until: full.token }, 'until');
    await refused({ since: 7 }, 'since');
    await refused(new AbortController().signal, 'there is no field');
    await refused({ since: '' }, 'not the complete token');
    await refused({ since: full.token.slice(0, -1) }, 'not the complete token');
    await refused({ since: full.token.replace('.', '.A') }, 'not the complete token');
    const chunks = engine.backupStream({ signal: AbortSignal.abort() });
    await expect(chunks.next().then(() => chunks.next())).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('a backup into a stream gives the token that its bytes have', async () => {
    const { engine } = await filled(new MemoryStorage());
    const stream = new PassThrough();
    const [{ token }, read] = await Promise.all([engine.backup(stream), backupToken(stream)]);
    expect(token).toBe(read);
    expect(token).toMatch(/^\S+$/);
  });
});
