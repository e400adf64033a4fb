import { WorldsError } from '@rdf-worlds/core';
import { NO_HEAD } from '@rdf-worlds/core/plugin';
import type { FileSystem, OpenFile } from '@rdf-worlds/storage-file';
import { describe, expect, it } from 'vitest';
import { LOG_HEADER_BYTES } from '../src/log-file-header.ts';
import { FRAME_HEADER_BYTES } from '../src/log-frame.ts';
import { append, memoryFiles, openedStorage, recordOf, textsOf } from './opened-storage.ts';
import { type Step, steppedFileSystem, systemError } from './stepped-file-system.ts';

/** What looking at the lock throws. */
const LOST = new WorldsError('CONFLICT', 'The directory was taken over.');
const UNKNOWN = new WorldsError('INTERNAL', 'The lock cannot be looked at.');

/** A storage whose lock and whose steps fail as a test says. */
async function storageWithLock(number = 1, files = memoryFiles()) {
  const control: { lockFailure?: WorldsError; onStep: (step: Step) => void } = { onStep: () => undefined };
  const stepped = steppedFileSystem(files, (step) => control.onStep(step));
  const fileSystem: FileSystem = {
    ...stepped,
    lock: async () => ({
      number,
      requiredEpoch: number > 1 ? number : 0,
      check: () => {
        if (control.lockFailure) throw control.lockFailure;
      },
      release: async () => undefined,
    }),
  };
  const storage = await openedStorage(fileSystem);
  return { files, control, storage, namespace: storage.namespace('n') };
}

const failing = (pattern: RegExp) => (step: Step) => {
  if (step.moment === 'before' && pattern.test(step.name)) throw systemError('EIO');
};

describe('a holder that is superseded while it truncates a failed append', () => {
  it('throws IN_DOUBT, because the next holder may have found the record', async () => {
    const { files, control, namespace, storage } = await storageWithLock();
    const head = await append(namespace, 'a');
    let found: string[] | undefined;
    control.onStep = (step) => {
      failing(/^sync log/)(step);
      if (step.name !== 'truncate log' || step.moment !== 'before') return;
      control.onStep = () => undefined;
      control.lockFailure = LOST;
      const next = files.afterKill();
      reading = openedStorage(next).then(async (other) => {
        found = await textsOf(other.namespace('n'));
        await other.close();
      });
    };
    let reading: Promise<void> | undefined;
    await expect(namespace.append(head, [recordOf('b')])).rejects.toMatchObject({ code: 'IN_DOUBT' });
    await reading;
    expect(found).toEqual(['a', 'b']);
    await expect(namespace.append(head, [recordOf('c')])).rejects.toMatchObject({ code: 'CONFLICT' });
    await storage.close().catch(() => undefined); // It was superseded.
  });

  it('does not resolve an earlier doubt', async () => {
    const { control, namespace, storage } = await storageWithLock();
    const head = await append(namespace, 'a');
    control.onStep = failing(/^(sync|truncate) log/);
    await expect(namespace.append(head, [recordOf('b')])).rejects.toMatchObject({ code: 'IN_DOUBT' });
    control.onStep = (step) => {
      if (step.name === 'truncate log') control.lockFailure = LOST;
    };
    for (let tries = 0; tries < 2; tries++)
      await expect(namespace.head()).rejects.toMatchObject({ code: expect.stringMatching(/^(CONFLICT|IN_DOUBT)$/) });
    await storage.close().catch(() => undefined); // It was superseded.
  });
});

describe('a lock that is temporarily unreadable', () => {
  it.each([
    ['before the write', /^never/],
    ['after the write', /^sync log/],
  ])('fails the append (%s), and the next one succeeds', async (_, steps) => {
    const { files, control, namespace, storage } = await storageWithLock();
    const head = await append(namespace, 'a');
    control.onStep = (step) => {
      if (step.name !== 'sync log') return;
      control.lockFailure = UNKNOWN;
      failing(steps)(step);
    };
    if (String(steps).includes('never')) control.lockFailure = UNKNOWN;
    const failure = await namespace.append(head, [recordOf('b')]).catch((error: WorldsError) => error);
    expect(failure).toMatchObject({ code: expect.stringMatching(/^(INTERNAL|IN_DOUBT)$/) });
    control.onStep = () => undefined;
    control.lockFailure = undefined;
    expect(await namespace.head()).toEqual(head);
    await namespace.append(head, [recordOf('c')]);
    await storage.close();
    const again = await openedStorage(files);
    expect(await textsOf(again.namespace('n'))).toEqual(['a', 'c']);
    await again.close();
  });
});

it('a superseded holder that truncates its log while the next holder opens it damages nothing', async () => {
  const files = memoryFiles();
  const first = await storageWithLock(1, files);
  const head = await append(first.namespace, 'a');
  // Left in full, of unknown outcome.
  first.control.onStep = failing(/^(sync|truncate) log/);
  await expect(first.namespace.append(head, [recordOf('b')])).rejects.toMatchObject({ code: 'IN_DOUBT' });
  const [directory] = await files.list('/data/namespaces');
  const old: OpenFile = await files.open(`/data/namespaces/${directory}/log-0000000000000000`, 'write');
  let size = LOG_HEADER_BYTES;
  for await (const { data } of first.namespace.read(NO_HEAD)) size += FRAME_HEADER_BYTES + data.byteLength;
  const second = await storageWithLock(2, files);
  second.control.onStep = ({ name, moment }) => {
    if (name !== 'replace log' || moment !== 'before') return;
    // The old holder was paused after its last check of the lock, and resumes now.
    second.control.onStep = () => undefined;
    void old.truncate(size);
  };
  const texts = await textsOf(second.namespace);
  const next = await append(second.namespace, 'c');
  expect(await textsOf(second.namespace)).toEqual([...texts, 'c']);
  expect(next.position).toBe(texts.length + 1);
  await second.storage.close();
  const third = await openedStorage(files);
  expect(await textsOf(third.namespace('n'))).toEqual([...texts, 'c']);
  await third.close();
  await first.storage.close().catch(() => undefined); // It was superseded.
});
