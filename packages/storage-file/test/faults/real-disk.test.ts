import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorldsError } from '@rdf-worlds/core';
import { NO_HEAD, type Storage } from '@rdf-worlds/core/plugin';
import { fileStorage } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { segmentOf, segmentTexts, textsOf } from '../opened-storage.ts';
import { recordOf } from '../power-cut/driver-program.ts';
import { NamespaceModel } from './namespace-model.ts';

// REAL_DISK_SEEDS=100 fills a disk and makes it read-only with 100 seeds. The default is 1.
const SEEDS = Number(process.env.REAL_DISK_SEEDS ?? 1);

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' });

/** Why no disk of its own can be mounted here; undefined if it can. */
function reasonAgainst(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-disk-'));
  try {
    run('fallocate', '-l', '8M', join(folder, 'image'));
    run('mkfs.ext4', '-q', join(folder, 'image'));
    run('mkdir', join(folder, 'disk'));
    run('mount', '-o', 'loop', join(folder, 'image'), join(folder, 'disk'));
    run('umount', join(folder, 'disk'));
    return undefined;
  } catch (error) {
    return `no ext4 can be mounted here: ${(error as Error).message.split('\n').slice(0, 2).join(' ')}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const reason = reasonAgainst();

let folder: string;
let disk: string;
beforeAll(async () => {
  if (reason) return;
  folder = await mkdtemp(join(tmpdir(), 'rdf-worlds-disk-'));
  disk = join(folder, 'disk');
  await mkdir(disk);
  run('fallocate', '-l', '8M', join(folder, 'image'));
  run('mkfs.ext4', '-q', '-m', '0', join(folder, 'image'));
  run('mount', '-o', 'loop', join(folder, 'image'), disk);
});
afterAll(async () => {
  if (reason) return;
  run('umount', disk);
  await rm(folder, { recursive: true });
});

/** Undefined, or the error: of the disk, or of an append behind one that failed. */
async function outcomeOf(call: Promise<unknown>): Promise<WorldsError | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof WorldsError && ['INTERNAL', 'IN_DOUBT', 'CONFLICT'].includes(error.code)) return error;
    throw error;
  }
}

/** Fills the disk up to some bytes, by a file of this name. */
async function fill(path: string, leftBytes: number): Promise<void> {
  const free = Number(run('df', '--output=avail', '-B1', disk).toString().split('\n')[1]);
  // ext4 needs some blocks for the extents of the file, too.
  for (let bytes = free - leftBytes; ; bytes -= 16_384) {
    try {
      return void run('fallocate', '-l', String(Math.max(1, bytes)), path);
    } catch (error) {
      if (bytes <= 0) throw error;
    }
  }
}

/** Contents of segments so far: a name stands for one content. */
let made = 0;

/**
 * Works on namespaces; gives how many calls failed. Each failure and success is told to the models.
 */
async function work(storage: Storage, models: Map<string, NamespaceModel>, random: SeededRandom, steps: number) {
  let failures = 0;
  for (let step = 0; step < steps; step++) {
    const name = random.pick([...models.keys()]);
    const model = models.get(name)!;
    const namespace = storage.namespace(name);
    const chance = random.next();
    const size = random.pick([10, 3000, 40_000, 200_000]);
    const settled = await model.settle(namespace).catch((error: unknown) => {
      // What is in doubt cannot be settled while the disk fails.
      if (error instanceof WorldsError && ['INTERNAL', 'IN_DOUBT'].includes(error.code)) return undefined;
      throw error;
    });
    if (!settled) {
      failures++;
      continue;
    }
    let outcome: WorldsError | undefined;
    if (chance < 0.7 || settled.position === 0) {
      const texts = [`${step} `.padEnd(size, 'x')];
      outcome = await outcomeOf(namespace.append(settled.position === 0 ? NO_HEAD : settled, texts.map(recordOf)));
      model.appended(texts, outcome);
    } else if (chance < 0.92) {
      const content = `${++made} `.padEnd(size, 'y');
      const segments = [{ name: `s${made}`, write: () => [Buffer.from(content)] }];
      outcome = await outcomeOf(namespace.writeCheckpoint(settled, segments));
      model.checkpointed(`${settled.position}: ${content}`, outcome);
    } else {
      outcome = await outcomeOf(namespace.drop());
      model.dropped(outcome);
    }
    if (outcome) failures++;
  }
  return failures;
}

/** A storage works, then on a disk that fails, then again; and everything is there after each. */
async function survive(seed: number, begin: () => Promise<void>, end: () => Promise<void>): Promise<number> {
  const random = new SeededRandom(seed);
  const path = join(disk, `data-${seed}`);
  const open = async () => {
    const storage = fileStorage({ path, maxLogFileBytes: 20_000 });
    await storage.open();
    return storage;
  };
  const models = new Map(['one', 'two', 'three'].map((name) => [name, new NamespaceModel()]));
  const before = await open();
  expect(await work(before, models, random, 10)).toBe(0);
  await before.close();
  // Without files open for writing, which keep the kernel from making the disk read-only.
  const storage = await open();
  for (const [name, model] of models) await model.settle(storage.namespace(name));
  await begin();
  const failures = await work(storage, models, random, 40)
    .finally(end)
    .catch((cause: unknown) => {
      throw new Error(`seed ${seed}: ${String((cause as Error).message).slice(0, 500)}`, { cause });
    });
  for (const [name, model] of models) await model.settle(storage.namespace(name));
  expect(await work(storage, models, random, 10)).toBe(0);
  await storage.close();
  const again = await open();
  for (const [name, model] of models) await model.settle(again.namespace(name));
  await again.close();
  await rm(path, { recursive: true });
  return failures;
}

it.skipIf(reason)(
  `keeps acknowledged data on a full disk and continues when there is space (${reason ?? 'ext4'})`,
  async () => {
    let failures = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const ballast = join(disk, 'ballast');
      const left = new SeededRandom(seed).pick([0, 4096, 50_000, 300_000]);
      failures += await survive(
        seed,
        () => fill(ballast, left),
        () => rm(ballast),
      );
    }
    expect(failures).toBeGreaterThan(5 * SEEDS);
  },
  3_600_000,
);

it.skipIf(reason)(
  `keeps acknowledged data when the disk becomes read-only (${reason ?? 'ext4'})`,
  async () => {
    let failures = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      failures += await survive(
        seed + 1000,
        async () => void remount('ro'),
        async () => void remount('rw'),
      );
    }
    expect(failures).toBeGreaterThan(5 * SEEDS);
  },
  3_600_000,
);

const remount = (mode: 'ro' | 'rw') => run('mount', '-o', `remount,${mode}`, disk);

/** A storage of two namespaces with a log and a checkpoint each, closed; gives its path. */
async function filledStorage(): Promise<string> {
  const path = await mkdtemp(join(disk, 'data-'));
  const storage = fileStorage({ path });
  await storage.open();
  for (const name of ['one', 'two']) {
    const namespace = storage.namespace(name);
    const head = await namespace.append(NO_HEAD, ['a', 'b'].map(recordOf));
    await namespace.writeCheckpoint(head, [segmentOf('s', 'content')]);
    await namespace.append(head, [recordOf('c')]);
  }
  await storage.close();
  return path;
}

async function expectAllThere(path: string, options: { readOnly?: boolean } = {}): Promise<void> {
  const storage = fileStorage({ path, ...options });
  await storage.open();
  const names: string[] = [];
  for await (const name of storage.namespaces()) names.push(name);
  expect(names.sort()).toEqual(['one', 'two']);
  for (const name of names) {
    expect(await textsOf(storage.namespace(name))).toEqual(['a', 'b', 'c']);
    expect(await segmentTexts(storage.namespace(name))).toEqual(['content']);
  }
  await storage.close();
}

const names = async (path: string) => (await readdir(path, { recursive: true })).sort();

it.skipIf(reason)(
  `cannot be opened for writing on a full or read-only disk, but for reading (${reason ?? 'ext4'})`,
  async () => {
    const path = await filledStorage();
    const ballast = join(disk, 'ballast');
    const cases = [
      [/The disk is full/, () => fill(ballast, 0), () => rm(ballast)],
      [/The file system is read-only/, async () => void remount('ro'), async () => void remount('rw')],
    ] as const;
    for (const [message, begin, end] of cases) {
      const before = await names(path);
      await begin();
      try {
        for (let tries = 0; tries < 2; tries++)
          await expect(fileStorage({ path }).open()).rejects.toMatchObject({
            code: 'INTERNAL',
            message: expect.stringMatching(message),
          });
        await expectAllThere(path, { readOnly: true });
        expect(await names(path)).toEqual(before);
      } finally {
        await end();
      }
      await expectAllThere(path);
    }
    await rm(path, { recursive: true });
  },
);

/** What an error of the disk makes of ext4 that is mounted so: read-only, whatever is open. */
/**
 * Unmounts the disk, and waits until its file system is gone. A container that another test has
 * started meanwhile holds a copy of the mount until it ends; to mount the image before that would
 * give the old file system, which is read-only.
 */
async function unmount(): Promise<void> {
  run('umount', disk);
  while (run('losetup', '--associated', join(folder, 'image')).toString().trim() !== '') await sleep(20);
}

const errorsSwitch = () => join('/sys/fs/ext4', basename(run('findmnt', '-no', 'SOURCE', disk).toString().trim()));

it.skipIf(reason)(
  `keeps acknowledged data when the disk becomes read-only during appends (${reason ?? 'ext4'})`,
  async ({ skip }) => {
    const image = join(folder, 'image');
    const mount = () => run('mount', '-o', 'loop,errors=remount-ro', image, disk);
    await unmount();
    mount();
    const trigger = join(errorsSwitch(), 'trigger_fs_error');
    if (!existsSync(trigger)) skip('this kernel makes no errors of ext4 on request');
    let readOnly = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = new SeededRandom(seed);
      const path = join(disk, `midst-${seed}`);
      const storage = fileStorage({ path, maxLogFileBytes: 20_000 });
      await storage.open();
      const models = new Map(['one', 'two', 'three'].map((name) => [name, new NamespaceModel()]));
      let left = 5 + random.below(40);
      const write = async (name: string, model: NamespaceModel) => {
        const namespace = storage.namespace(name);
        let head = await namespace.head();
        for (let step = 0; step < 60; step++) {
          const texts = [`${name} ${step} `.padEnd(random.pick([10, 3000, 40_000]), 'x')];
          const outcome = await outcomeOf(
            namespace.append(head, texts.map(recordOf)).then((next) => {
              head = next;
              // With the appends of the other namespaces on their way.
              if (--left === 0) writeFileSync(trigger, '1');
            }),
          );
          model.appended(texts, outcome);
          if (outcome) return outcome;
        }
        return undefined;
      };
      const outcomes = await Promise.all([...models].map(([name, model]) => write(name, model)));
      for (const outcome of outcomes) {
        expect(outcome, `seed ${seed}`).toBeDefined();
        if (/read-only/.test(outcome!.message)) readOnly++;
      }
      // What it has read before is served still; nothing else can be written, not even that it
      // closes.
      await expect(storage.close()).rejects.toMatchObject({ code: expect.stringMatching(/^(INTERNAL|IN_DOUBT)$/) });
      await unmount();
      try {
        run('e2fsck', '-fy', image);
      } catch (error) {
        // 1: it has mended what there was to mend.
        if ((error as { status?: number }).status !== 1) throw error;
      }
      mount();
      const again = fileStorage({ path });
      await again.open();
      for (const [name, model] of models) await model.settle(again.namespace(name));
      expect(await work(again, models, random, 10)).toBe(0);
      await again.close();
      await rm(path, { recursive: true });
    }
    expect(readOnly).toBeGreaterThan(SEEDS);
  },
  3_600_000,
);
