import fs from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@rdf-worlds/core/plugin';
import { type FileStorageOptions, fileStorage, nodeFileSystem } from '@rdf-worlds/storage-file';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ownIdentity } from '../src/process-identity.ts';
import { append, recordOf, segmentOf, textsOf } from './opened-storage.ts';

/** Long enough for a slow machine to renew in time. */
const LONG_MS = 60_000;
const SHORT_MS = 200;

const own = ownIdentity();
/** A process that cannot be looked at from here, with a lock that it could renew. */
const stranger = { ...own, pid: 17, host: 'elsewhere', boot: 'another', leaseMs: SHORT_MS, beat: '000000000000' };

let path: string;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'rdf-worlds-lease-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
});

const lockText = (number: number) => readFile(join(path, `lock-${number}`), 'utf8');
const writeLock = (number: number, content: object) => writeFile(join(path, `lock-${number}`), JSON.stringify(content));
/** As a process that takes the lock over does it, before it reads anything. */
const takeOver = async (number: number) => {
  await writeLock(number, stranger);
  await unlink(join(path, `lock-${number - 1}`));
};
const named = async (prefix: string) => (await readdir(path)).filter((name) => name.startsWith(prefix));

async function opened(options: Partial<FileStorageOptions> = {}): Promise<Storage> {
  const storage = fileStorage({ path, ...options });
  // The last words of one that was superseded may be CONFLICT.
  onTestFinished(() => storage.close().catch(() => undefined));
  await storage.open();
  return storage;
}

/** What the directory holds once it is opened; it is closed again. */
async function contentOf(options: Partial<FileStorageOptions> = {}): Promise<string[]> {
  const storage = await opened(options);
  const texts = await textsOf(storage.namespace('n'));
  await storage.close();
  return texts;
}

/** Renews the lock of the stranger until the opening ends. */
async function renewedUntilEnd<T>(opening: Promise<T>): Promise<T> {
  let beat = 0;
  const timer = setInterval(() => {
    fs.writeFileSync(join(path, 'lock-1'), JSON.stringify({ ...stranger, beat: String(++beat).padStart(12, '0') }));
  }, 50);
  return opening.finally(() => clearInterval(timer));
}

async function listed(storage: Storage): Promise<string[]> {
  const names: string[] = [];
  for await (const name of storage.namespaces()) names.push(name);
  return names;
}

async function filled(): Promise<void> {
  const storage = await opened();
  await append(storage.namespace('n'), 'a');
  await storage.close();
}

const conflict = (message: RegExp) =>
  expect.objectContaining({ code: 'CONFLICT', message: expect.stringMatching(message) });

describe('a lock whose holder cannot be inspected', () => {
  it('is taken over if it was not renewed for the lease time, and the root directory is renamed', async () => {
    await filled();
    await writeLock(2, stranger);
    expect(await contentOf({ leaseMs: SHORT_MS })).toEqual(['a']);
    expect(await named('lock')).toEqual(['lock-3']);
    expect(await named('namespaces')).toEqual(['namespaces-3']);
    // The next holder knows that the one before has ended.
    expect(await contentOf()).toEqual(['a']);
    expect(await named('lock')).toEqual(['lock-4']);
    expect(await named('namespaces')).toEqual(['namespaces-3']);
  });

  it('is taken over after the lease time in its file, if that is longer', async () => {
    await writeLock(1, { ...stranger, leaseMs: LONG_MS });
    const opening = opened({ leaseMs: SHORT_MS }).catch((error: unknown) => error);
    // At least ten short leases: the opener is still waiting when the holder resumes.
    await new Promise((resolve) => setTimeout(resolve, 10 * SHORT_MS));
    expect(await named('lock')).toEqual(['lock-1']);
    expect(await renewedUntilEnd(opening)).toEqual(conflict(/in use by process 17/));
  });

  it('is respected as soon as it is renewed', async () => {
    await writeLock(1, stranger);
    const opening = opened({ leaseMs: LONG_MS }).catch((error: unknown) => error);
    expect(await renewedUntilEnd(opening)).toEqual(
      conflict(
        /is in use by process 17 of machine or container elsewhere, which renews its lock \(.*lock-1\)\. Close it/,
      ),
    );
    expect(await named('')).toEqual(['lock-1']);
  });

  it('is acquired if it is released meanwhile', async () => {
    await writeLock(1, stranger);
    const opening = opened({ leaseMs: LONG_MS });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await writeLock(1, { released: true });
    await opening;
    expect(await named('namespaces')).toEqual(['namespaces']);
  });

  it('is handed back if the holder renews it during the takeover', async () => {
    await writeLock(1, stranger);
    const { open } = fs.promises;
    vi.spyOn(fs.promises, 'open').mockImplementation(async (...args) => {
      const file = await open(...args);
      if (args[1] === 'wx') await writeLock(1, { ...stranger, beat: '000000000001' });
      return file;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    await expect(opened({ leaseMs: SHORT_MS })).rejects.toEqual(conflict(/process 17 .*renews its lock/));
    expect(await named('')).toEqual(['lock-1']);
  });

  it('is not acquired if another process takes it over and ends before removing it', async () => {
    if (process.platform !== 'linux') return; // A process that has ended is known by its boot id.
    await writeLock(1, { ...stranger, leaseMs: LONG_MS });
    const opening = opened({ leaseMs: LONG_MS });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await writeLock(2, { ...own, pid: 2 ** 22 + 1, requiredEpoch: 2 });
    await opening;
    expect(await named('lock')).toEqual(['lock-3']);
  });

  it('is taken over by exactly one of many processes', async () => {
    await writeLock(1, stranger);
    // Other file systems, so that they do not share one lock in this process.
    const openings = Array.from({ length: 5 }, () => opened({ leaseMs: SHORT_MS, fileSystem: { ...nodeFileSystem } }));
    const outcomes = await Promise.allSettled(openings);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toEqual(conflict(/in use/));
  });
});

describe('takeOver', () => {
  it('does not wait', async () => {
    await filled();
    await writeLock(2, { ...stranger, leaseMs: 3_600_000 });
    expect(await contentOf({ takeOver: true })).toEqual(['a']);
    expect(await named('namespaces')).toEqual(['namespaces-3']);
  });

  it('is rejected while the process is known to be running', async () => {
    await writeLock(1, own);
    await expect(opened({ takeOver: true })).rejects.toEqual(conflict(/this one, in another thread/));
  });

  it('is needed for a lock of an earlier release, which has no lease', async () => {
    await filled();
    await writeLock(3, { ...stranger, leaseMs: undefined });
    await expect(opened({ leaseMs: SHORT_MS })).rejects.toEqual(
      conflict(/process 17 of machine or container elsewhere.*earlier release.*lock-3.*takeOver: true.*--take-over/),
    );
    expect(await contentOf({ takeOver: true })).toEqual(['a']);
    expect(await named('namespaces')).toEqual(['namespaces-4']);
  });
});

describe('an interrupted takeover', () => {
  const ended = { ...own, pid: 2 ** 22 + 1 };

  it('is repeated after its lock was written, because the old holder may still be running', async () => {
    if (process.platform !== 'linux') return; // A process that has ended is known by its boot id.
    await filled();
    await writeLock(2, { ...ended, requiredEpoch: 2 });
    expect(await contentOf()).toEqual(['a']);
    expect(await named('namespaces')).toEqual(['namespaces-3']);
  });

  it('is repeated if its lock was only partly written', async () => {
    await filled();
    await writeFile(join(path, 'lock-2'), '');
    expect(await contentOf()).toEqual(['a']);
    expect(await named('namespaces')).toEqual(['namespaces-3']);
  });

  it('is not repeated after its rename', async () => {
    if (process.platform !== 'linux') return;
    await filled();
    await rename(join(path, 'namespaces'), join(path, 'namespaces-2'));
    await writeLock(2, { ...ended, requiredEpoch: 2 });
    expect(await contentOf()).toEqual(['a']);
    expect(await named('namespaces')).toEqual(['namespaces-2']);
  });

  it('whose lock was lost in a power cut, but not its rename, never reuses a number', async () => {
    await filled();
    await rename(join(path, 'namespaces'), join(path, 'namespaces-2'));
    await writeLock(1, stranger);
    expect(await contentOf({ leaseMs: SHORT_MS })).toEqual(['a']);
    expect(await named('lock')).toEqual(['lock-3']);
    expect(await named('namespaces')).toEqual(['namespaces-3']);
  });

  it('is repeated if its lock was released before the rename', async () => {
    await filled();
    await writeLock(2, { released: true, requiredEpoch: 2 });
    expect(await contentOf()).toEqual(['a']);
    expect(await named('namespaces')).toEqual(['namespaces-3']);
  });
});

describe('a directory without lock files', () => {
  it('may belong to a running process, so the root directory is renamed', async () => {
    await filled();
    await unlink(join(path, 'lock-1'));
    expect(await contentOf()).toEqual(['a']);
    expect(await named('namespaces')).toEqual(['namespaces-1']);
  });
});

describe('a holder', () => {
  it('renews its lock and states its lease time', async () => {
    await opened({ leaseMs: 400 });
    const first = await lockText(1);
    expect(JSON.parse(first)).toMatchObject({ pid: process.pid, leaseMs: 400, beat: '000000000000', requiredEpoch: 0 });
    await expect.poll(() => lockText(1), { timeout: 30_000 }).not.toBe(first);
    expect(await lockText(1)).toHaveLength(first.length);
  });

  it('whose renewals fail keeps the directory until another process takes it over', async () => {
    const storage = await opened({ leaseMs: SHORT_MS });
    const renewal = vi.spyOn(fs.promises, 'readdir').mockRejectedValue(new Error('as the test wants it'));
    onTestFinished(() => void vi.restoreAllMocks());
    await expect.poll(() => renewal.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(1);
    vi.restoreAllMocks();
    await append(storage.namespace('n'), 'a');
    await takeOver(2);
    await expect(append(storage.namespace('n'), 'b')).rejects.toEqual(conflict(/taken over/));
  });
});

describe('a superseded holder', () => {
  const superseded = conflict(
    /was taken over by process 17 of machine or container elsewhere \(.*lock-2\).*Acknowledged commits are kept.*Close this storage/,
  );

  it('acknowledges no write, and can still read what it has', async () => {
    const storage = await opened({ leaseMs: LONG_MS });
    const namespace = storage.namespace('n');
    const head = await append(namespace, 'a');
    await takeOver(2);
    await expect(namespace.append(head, [recordOf('b')])).rejects.toEqual(superseded);
    await expect(namespace.writeCheckpoint(head, [segmentOf('s', 'content')])).rejects.toEqual(superseded);
    await expect(namespace.truncate(head)).rejects.toEqual(superseded);
    await expect(namespace.drop()).rejects.toEqual(superseded);
    expect(await textsOf(namespace)).toEqual(['a']);
    await storage.close();
  });

  it('stays superseded even if the other lock is removed', async () => {
    const storage = await opened({ leaseMs: LONG_MS });
    const namespace = storage.namespace('n');
    const head = await append(namespace, 'a');
    await takeOver(2);
    await expect(namespace.append(head, [recordOf('b')])).rejects.toEqual(superseded);
    await unlink(join(path, 'lock-2'));
    await expect(namespace.append(head, [recordOf('b')])).rejects.toEqual(superseded);
  });

  it('notices at its next renewal', async () => {
    const storage = await opened({ leaseMs: SHORT_MS });
    await writeLock(7, { ...stranger, host: 'later' });
    const error = conflict(/process 17 of machine or container later \(.*lock-7\)/);
    const refused = async () => append(storage.namespace('n'), 'a').then(String, (thrown: unknown) => thrown);
    await expect.poll(refused, { timeout: 30_000 }).toEqual(error);
  });

  it('notices if only a later lock is left', async () => {
    const storage = await opened({ leaseMs: LONG_MS });
    await writeLock(3, stranger);
    await unlink(join(path, 'lock-1'));
    await expect(append(storage.namespace('n'), 'a')).rejects.toEqual(conflict(/elsewhere \(.*lock-3\)/));
  });

  it('notices if its lock file was deleted', async () => {
    const storage = await opened({ leaseMs: LONG_MS });
    await unlink(join(path, 'lock-1'));
    await expect(append(storage.namespace('n'), 'a')).rejects.toEqual(conflict(/its lock file .*lock-1 is missing/));
    await storage.close();
    expect(await named('lock')).toEqual([]);
  });

  it('neither recreates the old root directory nor treats missing files as an empty storage', async () => {
    const storage = await opened({ leaseMs: LONG_MS });
    const namespace = storage.namespace('n');
    const head = await append(namespace, 'a');
    await namespace.writeCheckpoint(head, [segmentOf('s', 'content')]);
    const checkpoint = await namespace.checkpoint();
    await append(storage.namespace('other'), 'a');
    await takeOver(2);
    await rename(join(path, 'namespaces'), join(path, 'namespaces-2'));
    const before = await fs.promises.readdir(path, { recursive: true });

    await expect(textsOf(namespace)).rejects.toEqual(superseded);
    await expect(checkpoint!.segments[0].read()).rejects.toEqual(superseded);
    await expect(storage.namespace('not loaded yet').head()).rejects.toEqual(superseded);
    await expect(append(storage.namespace('new'), 'a')).rejects.toEqual(superseded);
    await expect(listed(storage)).rejects.toEqual(superseded);
    await expect(namespace.writeCheckpoint(head, [segmentOf('t', 'content')])).rejects.toEqual(superseded);
    await expect(namespace.drop()).rejects.toEqual(superseded);
    await storage.close().catch((error: unknown) => expect(error).toEqual(superseded));
    expect(await fs.promises.readdir(path, { recursive: true })).toEqual(before);
  });
});
