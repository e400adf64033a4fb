import type { Head, NamespaceStorage, Storage } from '@rdf-worlds/core/plugin';
import { SeededRandom } from '@rdf-worlds/testkit';
import { expect, it } from 'vitest';
import { append, memoryFiles, openedStorage, recordOf, segmentOf, segmentTexts, textsOf } from './opened-storage.ts';

// FOLLOW_SEEDS=5000 for a campaign.
const SEEDS = Number(process.env.FOLLOW_SEEDS ?? 40);

/** A read of the log, or why there is none. */
async function readFrom(namespace: NamespaceStorage, head: Head): Promise<string[] | string> {
  return textsOf(namespace, head).catch((error: { code: string }) => error.code);
}

it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
  'a read-only storage agrees with the one that writes, whatever that does: seed %i',
  async (seed) => {
    const random = new SeededRandom(seed);
    const files = memoryFiles();
    const options = { maxLogFileBytes: 200 + random.below(1500) };
    let writing = await openedStorage(files, options);
    const followers: Storage[] = [];
    const heads: Head[] = [];
    let made = 0;
    for (let step = 0; step < 60; step++) {
      const one = writing.namespace('one');
      const head = await one.head();
      const kind = random.below(12);
      if (kind < 6) {
        const texts = Array.from({ length: 1 + random.below(3) }, () => `${++made}${'x'.repeat(random.below(300))}`);
        await append(one, ...texts);
      } else if (kind === 6 && head.position > 0) {
        await one.writeCheckpoint(head, [segmentOf(`s${++made}`, `${made}`)]);
      } else if (kind === 7 && head.position > 0) {
        // One that omits terms.
        await one.writeCheckpoint(head, [segmentOf(`s${++made}`, `${made}`)], async () => head);
      } else if (kind === 8) {
        const newest = await one.checkpoint();
        if (newest) await one.truncate({ ...head, position: random.below(newest.at.position + 1) });
      } else if (kind === 9 && random.below(4) === 0) {
        await one.drop();
      } else if (kind === 10) {
        await writing.close();
        writing = await openedStorage(files, options);
      } else if (followers.length < 2) {
        followers.push(await openedStorage(files, { readOnly: true }));
      }
      const now = writing.namespace('one');
      heads.push(await now.head());
      const from = heads[random.below(heads.length)];
      for (const follower of followers) {
        // One of them looks rarely, so that much has happened.
        if (follower === followers[1] && random.below(8) > 0) continue;
        const seen = follower.namespace('one');
        const where = `seed ${seed}, step ${step}`;
        expect(await seen.head(), where).toEqual(await now.head());
        expect(await readFrom(seen, from), where).toEqual(await readFrom(now, from));
        expect((await seen.checkpoint())?.at, where).toEqual((await now.checkpoint())?.at);
        expect(await segmentTexts(seen), where).toEqual(await segmentTexts(now));
      }
    }
    await writing.close();
  },
);

it('records that the writer has taken back raise the generation, so that who has applied them loads again', async () => {
  const files = memoryFiles();
  const writing = await openedStorage(files);
  const one = writing.namespace('one');
  await append(one, 'a');
  const follower = (await openedStorage(files, { readOnly: true })).namespace('one');
  const before = await follower.head();

  const { open } = files;
  let seen: Head | undefined;
  let isFailing = true;
  files.open = async (path, mode) => {
    const file = await open.call(files, path, mode);
    const { sync } = file;
    if (mode === 'write') {
      file.sync = async () => {
        if (!isFailing) return sync.call(file);
        isFailing = false;
        // What was written can be read; then it turns out that it cannot be made durable.
        seen = await follower.head();
        throw Object.assign(new Error('EIO: the disk failed'), { code: 'EIO' });
      };
    }
    return file;
  };
  // The file is opened again for it.
  await writing.close();
  const again = await openedStorage(files);
  isFailing = false;
  const reopened = again.namespace('one');
  const head = await reopened.head();
  isFailing = true;
  await expect(reopened.append(head, [recordOf('never')])).rejects.toMatchObject({ code: expect.any(String) });
  expect(seen).toEqual({ ...before, position: 2 });

  expect(await follower.head()).toEqual({ ...before, generation: before.generation + 1 });
  expect(await textsOf(follower)).toEqual(['a']);
  await append(reopened, 'b');
  expect(await follower.head()).toEqual({ ...before, position: 2, generation: before.generation + 1 });
  expect(await textsOf(follower)).toEqual(['a', 'b']);
  await again.close();
});

it('tells of each movement, without being asked, until it is stopped', async () => {
  const files = memoryFiles();
  const writing = await openedStorage(files);
  const one = writing.namespace('one');
  await append(one, 'a');
  const storage = await openedStorage(files, { readOnly: true });
  const stopping = new AbortController();
  const told = storage.namespace('one').watch!(stopping.signal)[Symbol.asyncIterator]();
  expect((await told.next()).value).toEqual(await one.head());
  for (const change of [() => append(one, 'b'), () => one.drop(), () => append(one, 'c')]) {
    await change();
    expect((await told.next()).value).toEqual(await one.head());
  }
  const next = told.next();
  stopping.abort();
  await expect(next).rejects.toMatchObject({ code: 'ABORTED' });

  const closed = storage.namespace('one').watch!(new AbortController().signal)[Symbol.asyncIterator]();
  await closed.next();
  const last = closed.next();
  await storage.close();
  await expect(last).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  await writing.close();
});
