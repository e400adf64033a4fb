import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { defaultMemoryLimits, machineMemory, processMemoryPool } from '../../../src/engine/memory-default.ts';
import { dataFactory, MemoryStorage, WorldsEngine, type WorldsEngineOptions } from '../../../src/index.ts';

const { quad, namedNode, literal } = dataFactory;
const MIB = 1 << 20;
const one = (n: number) => quad(namedNode(`urn:subject-${n}`), namedNode('urn:p'), literal(`object ${n}`));

// Made once for the process: of the machine's memory, not of the little that some tests pretend.
beforeAll(() => void processMemoryPool());

describe('the default of maxMemoryBytes', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is half of the memory of the machine or of its cgroup, and a third of the heap', () => {
    const machine = { totalBytes: 1000, constrainedBytes: undefined, heapBytes: 300 };
    expect(defaultMemoryLimits(machine)).toEqual({ maxBytes: 500, maxHeapBytes: 100 });
    expect(defaultMemoryLimits({ ...machine, constrainedBytes: 400 }).maxBytes).toBe(200);
    // What Node says where there is no limit.
    for (const constrainedBytes of [0, 2 ** 64]) {
      expect(defaultMemoryLimits({ ...machine, constrainedBytes }).maxBytes).toBe(500);
    }
  });

  it('has no figure for the heap in a host without node:v8', () => {
    expect(machineMemory().heapBytes).toBeLessThan(Number.POSITIVE_INFINITY);
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    expect(machineMemory().heapBytes).toBe(Number.POSITIVE_INFINITY);
  });

  for (const kind of ['memory', 'storage']) {
    it(`is taken from the cgroup, and can be turned off, with ${kind}`, async () => {
      const open = (options: WorldsEngineOptions = {}) =>
        WorldsEngine.open({
          storage: kind === 'storage' ? new MemoryStorage() : undefined,
          textIndex: null,
          ...options,
        });
      vi.spyOn(process, 'constrainedMemory').mockReturnValue(2 * MIB);
      const limited = await open();
      const unlimited = await open({ maxMemoryBytes: Number.POSITIVE_INFINITY });
      const data = Array.from({ length: 20_000 }, (_, n) => one(n));
      for (const engine of [limited, unlimited]) await engine.createWorld({ slug: 'w' });
      await expect(limited.import({ source: 'w', data })).rejects.toMatchObject({
        code: 'LIMIT_EXCEEDED',
        message: expect.stringContaining('more than the 1048576 of maxMemoryBytes'),
      });
      expect((await unlimited.import({ source: 'w', data })).inserted).toBe(20_000);
    });
  }

  it.each([0, -1, Number.NaN, '5' as unknown as number])('refuses %s', async (maxMemoryBytes) => {
    await expect(WorldsEngine.open({ maxMemoryBytes })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('without storage', () => {
  it('the limit is for all namespaces together; deleting makes room', async () => {
    const maxMemoryBytes = 4 * MIB;
    const engine = await WorldsEngine.open({ storage: undefined, textIndex: null, maxMemoryBytes });
    let namespaces = 0;
    const fill = async () => {
      for (; ; namespaces++) {
        await engine.createWorld({ namespace: `n${namespaces}`, slug: 'w' });
        for (let n = 0; n < 500; n += 10) {
          const insert = Array.from({ length: 10 }, (_, i) => one(namespaces * 1000 + n + i));
          await engine.write({ source: `n${namespaces}/w`, insert });
        }
      }
    };
    await expect(fill()).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('The engine would take'),
    });
    const full = await engine.stats();
    expect(full.memoryBytes).toBeGreaterThan(maxMemoryBytes * 0.8);
    expect(full.memoryBytes).toBeLessThan(maxMemoryBytes * 1.1);
    const filled = namespaces;
    for (let n = 0; n < 5; n++) await engine.deleteNamespace({ namespace: `n${n}` });
    await expect(fill()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(namespaces).toBeGreaterThan(filled + 2);
  });

  it('a write that is refused leaves nothing, nor does a world in a new namespace', async () => {
    const engine = await WorldsEngine.open({ storage: undefined, textIndex: null, maxMemoryBytes: MIB });
    await engine.createWorld({ slug: 'w', description: 'x'.repeat(MIB / 2 - 200_000) });
    const insert = Array.from({ length: 9000 }, (_, n) => one(n));
    await expect(engine.write({ source: 'w', insert })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect((await engine.stats()).quads).toBe(0);
  });
});

describe('an import that does not fit', () => {
  for (const kind of ['memory', 'storage']) {
    it(`is refused while it is read, and leaves nothing, with ${kind}`, async () => {
      const engine = await WorldsEngine.open({
        storage: kind === 'storage' ? new MemoryStorage() : undefined,
        textIndex: null,
        maxMemoryBytes: 8 * MIB,
      });
      await engine.createWorld({ slug: 'w' });
      let given = 0;
      let isOver = false;
      const endless = async function* () {
        try {
          for (;;) yield one(given++);
        } finally {
          isOver = true;
        }
      };
      await expect(engine.import({ source: 'w', data: endless() })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
      expect(isOver).toBe(true);
      expect(given).toBeGreaterThan(5000);
      // 8 MiB at 52 bytes a quad, without any term.
      expect(given).toBeLessThan((8 * MIB) / 52);
      const text = async function* () {
        for (let n = 0; ; n++) yield new TextEncoder().encode(`<urn:s${n}> <urn:p> "${'x'.repeat(1000)}${n}" .\n`);
      };
      await expect(engine.import({ source: 'w', data: text() })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
      const stats = await engine.stats();
      expect([stats.quads, stats.terms]).toEqual([0, (await emptyStats()).terms]);
      // What they had taken is free again.
      const data = Array.from({ length: 5000 }, (_, n) => one(n));
      expect((await engine.import({ source: 'w', data })).inserted).toBe(5000);
    });
  }

  it('counts together with the others that are under way', async () => {
    const engine = await WorldsEngine.open({ storage: undefined, textIndex: null, maxMemoryBytes: 8 * MIB });
    await engine.createWorld({ slug: 'w' });
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    let stand = (): void => undefined;
    const stands = new Promise<void>((resolve) => {
      stand = resolve;
    });
    const waiting = async function* (from: number) {
      for (let n = 0; n < 25_000; n++) yield one(from + n);
      stand();
      await gate;
    };
    const first = engine.import({ source: 'w', data: waiting(0) });
    await stands;
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    await expect(engine.import({ source: 'w', data: waiting(100_000) })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
    go();
    expect((await first).inserted).toBe(25_000);
  });
});

async function emptyStats() {
  const engine = await WorldsEngine.open({ storage: undefined, textIndex: null });
  await engine.createWorld({ slug: 'w' });
  return engine.stats();
}

describe('a process with little memory', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rdf-worlds-memory-'));
    await build({
      entryPoints: [fileURLToPath(new URL('memory-process.ts', import.meta.url))],
      outfile: join(folder, 'memory-process.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'bundle',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      logLevel: 'error',
    });
  });
  afterAll(() => rm(folder, { recursive: true }));

  // 2^28 bytes for the process stand for a cgroup.
  // LONG_TESTS=1 runs all; an import into a storage fills what the other two of 256 MB fill.
  it.each([
    ['worlds', 'memory', '--max-old-space-size=64'],
    ['worlds', 'storage', '--max-old-space-size=64'],
    ['namespaces', 'memory', '--max-old-space-size=64'],
    ...(process.env['LONG_TESTS']
      ? ['quads', 'import'].map((what) => [what, 'memory', '--max-old-space-size=256'])
      : []),
    ['import', 'storage', '--max-old-space-size=256'],
  ])('refuses %s that do not fit in %s rather than dies', (what, kind, flag) => {
    const process = spawnSync(globalThis.process.execPath, [flag, join(folder, 'memory-process.mjs'), what, kind], {
      encoding: 'utf8',
    });
    expect(process.stderr).toBe('');
    expect(process.signal).toBeNull();
    const { code, done, rssBytes } = JSON.parse(process.stdout);
    expect(code).toBe('LIMIT_EXCEEDED');
    expect(done).toBeGreaterThan(100);
    expect(rssBytes).toBeLessThan(2 ** 28 + 2 ** 27);
  });
});
