import { WorldsError } from '@rdf-worlds/core';
import { describe, expect, it } from 'vitest';
import { append, memoryFiles, openedStorage, recordOf, segmentOf, segmentTexts, textsOf } from './opened-storage.ts';
import { type Step, steppedFileSystem, systemError } from './stepped-file-system.ts';

/** A storage on files in memory whose steps fail while `fails` says so. */
async function failingStorage(options: { maxLogFileBytes?: number } = {}) {
  const files = memoryFiles();
  const control: { fails: (step: Step) => string | false; steps: string[] } = { fails: () => false, steps: [] };
  const fileSystem = steppedFileSystem(files, (step) => {
    control.steps.push(`${step.moment} ${step.name}`);
    const code = control.fails(step);
    if (code) throw systemError(code);
  });
  const storage = await openedStorage(fileSystem, options);
  const reopened = async () => {
    control.fails = () => false;
    await storage.close();
    return openedStorage(files, options);
  };
  return { files, control, storage, reopened, namespace: storage.namespace('n') };
}

const failure = (message: RegExp, code = 'INTERNAL') =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

const at = (name: string, moment: Step['moment'], code: string) => (step: Step) =>
  step.name === name && step.moment === moment && code;

describe('a full disk', () => {
  it.each(['before', 'half'] as const)(
    'fails the append that hits it (%s of a write); the next one succeeds',
    async (moment) => {
      const { control, namespace, reopened } = await failingStorage();
      const head = await append(namespace, 'a');
      control.fails = at('write log', moment, 'ENOSPC');
      await expect(namespace.append(head, [recordOf('b'.repeat(5000))])).rejects.toEqual(
        failure(/log-0000000000000000.*disk is full: free some space/),
      );
      expect(await namespace.head()).toEqual(head);
      expect(await textsOf(namespace)).toEqual(['a']);
      control.fails = () => false;
      await namespace.append(head, [recordOf('c')]);
      expect(await textsOf(namespace)).toEqual(['a', 'c']);
      const again = await reopened();
      expect(await textsOf(again.namespace('n'))).toEqual(['a', 'c']);
      await again.close();
    },
  );

  it('fails later appends in flight with CONFLICT, because they depend on it', async () => {
    const { control, namespace, storage } = await failingStorage();
    const head = await append(namespace, 'a');
    let writes = 0;
    control.fails = (step) => step.name === 'write log' && step.moment === 'half' && writes++ === 0 && 'ENOSPC';
    const outcomes = await Promise.allSettled(
      [0, 1, 2].map((n) => namespace.append({ ...head, position: 1 + n }, [recordOf(`${n}`)])),
    );
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual([
      'INTERNAL',
      'CONFLICT',
      'CONFLICT',
    ]);
    await append(namespace, 'b');
    expect(await textsOf(namespace)).toEqual(['a', 'b']);
    await storage.close();
  });

  it('accepts a record that just fits', async () => {
    const { control, namespace, storage } = await failingStorage();
    control.fails = (step) => step.name === 'write log' && step.byteLength > 1000 && 'ENOSPC';
    await append(namespace, 'a');
    await append(namespace, 'b');
    expect(await textsOf(namespace)).toEqual(['a', 'b']);
    await storage.close();
  });

  it('is certain that a failed append left nothing if only part of it cannot be truncated; the next append tries again', async () => {
    const { control, namespace, reopened } = await failingStorage();
    const head = await append(namespace, 'a');
    control.fails = (step) =>
      (step.name === 'write log' && step.moment === 'half' && 'ENOSPC') || (step.name === 'truncate log' && 'EIO');
    await expect(namespace.append(head, [recordOf('b'.repeat(1_500_000))])).rejects.toEqual(failure(/disk is full/));
    await expect(append(namespace, 'c')).rejects.toEqual(failure(/disk reported an I\/O error/));
    control.fails = () => false;
    expect(await textsOf(namespace)).toEqual(['a']);
    await append(namespace, 'd');
    expect(await textsOf(namespace)).toEqual(['a', 'd']);
    const again = await reopened();
    expect(await textsOf(again.namespace('n'))).toEqual(['a', 'd']);
    await again.close();
  });

  it('throws IN_DOUBT for a failed append that is complete and cannot be truncated', async () => {
    const { control, namespace, reopened } = await failingStorage();
    const head = await append(namespace, 'a');
    control.fails = (step) => /^(sync|truncate) log/.test(step.name) && 'ENOSPC';
    await expect(namespace.append(head, [recordOf('b')])).rejects.toEqual(
      failure(/disk is full.*It is unknown whether the commit is durable/s, 'IN_DOUBT'),
    );
    await expect(namespace.head()).rejects.toEqual(failure(/Settling a failed append/, 'IN_DOUBT'));
    expect(await textsOf(namespace)).toEqual(['a']);
    control.fails = () => false;
    expect(await namespace.head()).toEqual(head);
    const again = await reopened();
    expect(await textsOf(again.namespace('n'))).toEqual(['a']);
    await again.close();
  });

  it('leaves no partial new namespace; it can begin once there is space', async () => {
    const names = new Set<string>();
    let tookNext = 0;
    for (let failing = 0; failing < 40; failing++) {
      const { control, namespace, storage, reopened } = await failingStorage();
      let step = 0;
      control.fails = ({ name }) => {
        if (step++ !== failing || /^(read|open)/.test(name)) return false;
        names.add(name);
        return 'ENOSPC';
      };
      const outcome = await append(namespace, 'a').catch((error: unknown) => error);
      control.fails = () => false;
      if (outcome instanceof WorldsError) {
        expect(await textsOf(namespace)).toEqual([]);
        const next = await append(namespace, 'b').catch((error: unknown) => error);
        if (!(next instanceof WorldsError)) tookNext++;
      }
      const texts = await textsOf(namespace);
      const again = await reopened();
      // What failed may be there after all, unless it was tried again.
      expect([texts, texts.length === 0 ? ['a'] : texts]).toContainEqual(await textsOf(again.namespace('n')));
      await again.close();
      await storage.close();
    }
    expect(tookNext).toBeGreaterThan(10);
    expect([...names].sort()).toEqual(
      expect.arrayContaining(['make directory', 'write manifest', 'rename log', 'write log']),
    );
  });

  it('keeps the previous checkpoint, and the next one succeeds', async () => {
    const { control, files, namespace, storage } = await failingStorage();
    const head = await append(namespace, 'a');
    await namespace.writeCheckpoint(head, [segmentOf('old', 'old')]);
    for (const name of ['write segment', 'write manifest', 'create segment', 'rename manifest']) {
      control.fails = at(name, 'before', 'ENOSPC');
      await expect(namespace.writeCheckpoint(head, [segmentOf('new', 'new')])).rejects.toEqual(failure(/disk is full/));
      expect(await segmentTexts(namespace)).toEqual(['old']);
    }
    control.fails = () => false;
    const [directory] = await files.list('/data/namespaces');
    const left = (await files.list(`/data/namespaces/${directory}`)).filter((name) => name.startsWith('segment'));
    expect(left).toEqual(['segment-00000001']);
    await namespace.writeCheckpoint(head, [segmentOf('new', 'new')]);
    expect(await segmentTexts(namespace)).toEqual(['new']);
    await storage.close();
  });

  it('does not prevent truncation, which frees space', async () => {
    const { control, namespace, storage, files } = await failingStorage({ maxLogFileBytes: 1 });
    const head = await append(namespace, 'a');
    for (const text of ['b', 'c']) await append(namespace, text);
    const newest = await namespace.head();
    await namespace.writeCheckpoint(newest, []);
    control.fails = (step) =>
      step.path.includes('log-') && step.moment === 'before' && step.name.startsWith('write') && 'ENOSPC';
    await namespace.truncate(newest);
    control.fails = () => false;
    const [directory] = await files.list('/data/namespaces');
    const logs = (await files.list(`/data/namespaces/${directory}`)).filter((name) => /^log-\d+$/.test(name));
    expect(logs).toEqual(['log-0000000000000002']);
    await expect(textsOf(namespace, head)).rejects.toEqual(failure(/does not include/, 'TRUNCATED'));
    await append(namespace, 'd');
    expect(await textsOf(namespace, newest)).toEqual(['d']);
    await storage.close();
  });
});

describe('a failing sync', () => {
  it('of the log: truncates the append, and the next one succeeds', async () => {
    const { control, namespace, reopened } = await failingStorage();
    const head = await append(namespace, 'a');
    let failures = 0;
    control.fails = (step) => at('sync log', 'before', 'EIO')(step) && failures++ === 0 && 'EIO';
    const outcomes = await Promise.allSettled(
      [0, 1].map((n) => namespace.append({ ...head, position: 1 + n }, [recordOf(`${n}`)])),
    );
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual([
      'INTERNAL',
      'CONFLICT',
    ]);
    expect(await namespace.head()).toEqual(head);
    await append(namespace, 'c');
    const again = await reopened();
    expect(await textsOf(again.namespace('n'))).toEqual(['a', 'c']);
    await again.close();
  });

  it('of the log and of the truncation: the append is IN_DOUBT until a sync succeeds', async () => {
    const { control, namespace, reopened } = await failingStorage();
    const head = await append(namespace, 'a');
    control.fails = at('sync log', 'before', 'EIO');
    await expect(namespace.append(head, [recordOf('b')])).rejects.toEqual(failure(/unknown/, 'IN_DOUBT'));
    await expect(namespace.append(head, [recordOf('c')])).rejects.toEqual(failure(/disk reported an I\/O error/));
    control.fails = () => false;
    expect(await textsOf(namespace)).toEqual(['a']);
    await append(namespace, 'd');
    const again = await reopened();
    expect(await textsOf(again.namespace('n'))).toEqual(['a', 'd']);
    await again.close();
  });

  it('of a directory after creating a log file: the log continues in the current file', async () => {
    const { control, namespace, reopened } = await failingStorage({ maxLogFileBytes: 1 });
    const head = await append(namespace, 'a');
    control.fails = at('sync directory', 'before', 'EIO');
    await namespace.append(head, [recordOf('b')]);
    control.fails = () => false;
    await append(namespace, 'c');
    const again = await reopened();
    expect(await textsOf(again.namespace('n'))).toEqual(['a', 'b', 'c']);
    await append(again.namespace('n'), 'd');
    expect(await textsOf(again.namespace('n'))).toEqual(['a', 'b', 'c', 'd']);
    await again.close();
  });

  it('of a directory after writing a manifest: keeps the files of both manifests until the next one is published', async () => {
    const { control, files, namespace, reopened } = await failingStorage();
    const head = await append(namespace, 'a');
    await namespace.writeCheckpoint(head, [segmentOf('old', 'old')]);
    let syncs = 0;
    control.fails = (step) => step.name === 'sync directory' && step.moment === 'before' && syncs++ === 1 && 'EIO';
    await expect(namespace.writeCheckpoint(head, [segmentOf('new', 'new')])).rejects.toEqual(
      failure(/disk reported an I\/O error/),
    );
    control.fails = () => false;
    expect(await segmentTexts(namespace)).toEqual(['old']);
    const [directory] = await files.list('/data/namespaces');
    const segments = async () =>
      (await files.list(`/data/namespaces/${directory}`)).filter((name) => name.startsWith('segment')).sort();
    expect(await segments()).toEqual(['segment-00000001', 'segment-00000002']);
    await append(namespace, 'b');
    await namespace.writeCheckpoint(await namespace.head(), [segmentOf('newest', 'newest')]);
    expect(await segmentTexts(namespace)).toEqual(['newest']);
    const again = await reopened();
    expect(await segmentTexts(again.namespace('n'))).toEqual(['newest']);
    expect(await textsOf(again.namespace('n'))).toEqual(['a', 'b']);
    const after = await append(again.namespace('n'), 'c');
    await again.namespace('n').writeCheckpoint(after, []);
    expect(await segments()).toEqual(['segment-00000003']);
    await again.close();
  });
});

it('retries opening a namespace at its next use', async () => {
  const { control, namespace, storage } = await failingStorage();
  control.fails = at('open manifest', 'before', 'EMFILE');
  await expect(namespace.head()).rejects.toEqual(failure(/too many files open.*ulimit/));
  control.fails = () => false;
  await append(namespace, 'a');
  await storage.close();
});

it('an error of a read names the file', async () => {
  const { control, namespace, storage } = await failingStorage();
  const head = await append(namespace, 'a');
  await namespace.writeCheckpoint(head, [segmentOf('s', 'x')]);
  control.fails = (step) => step.name.startsWith('read ') && 'EIO';
  await expect(textsOf(namespace)).rejects.toEqual(failure(/data\/namespaces\/n-.*disk reported an I\/O error/));
  await expect(segmentTexts(namespace)).rejects.toEqual(failure(/segment-00000001.*disk reported an I\/O error/));
  control.fails = () => false;
  expect(await textsOf(namespace)).toEqual(['a']);
  await storage.close();
});

describe('an abandoned rotation of the log', () => {
  it('leaves an empty file that reads after a later checkpoint skip', async () => {
    const { control, files, namespace, storage } = await failingStorage({ maxLogFileBytes: 300 });
    await append(namespace, 'a'.repeat(300));
    control.fails = at('sync directory', 'before', 'EIO');
    await append(namespace, 'b');
    control.fails = () => false;
    const [directory] = await files.list('/data/namespaces');
    const logs = (await files.list(`/data/namespaces/${directory}`)).filter((name) => name.startsWith('log-'));
    expect(logs).toEqual(['log-0000000000000000', 'log-0000000000000001']);
    const head = await append(namespace, 'c');
    await namespace.writeCheckpoint(head, [segmentOf('s', 'content')]);
    await namespace.append(head, [recordOf('d')]);
    const remains = await namespace.remains!();
    const texts: string[] = [];
    for await (const { data } of remains!.read(remains!.checkpoints[0].at)) texts.push(Buffer.from(data).toString());
    expect(texts).toEqual(['d']);
    await storage.close();
  });
});

describe('a checkpoint', () => {
  it('of a namespace that is dropped while its directory is synced throws CONFLICT', async () => {
    const files = memoryFiles();
    const stepped = steppedFileSystem(files, () => undefined);
    let meanwhile: (() => Promise<void>) | undefined;
    const storage = await openedStorage({
      ...stepped,
      syncDirectory: async (path) => {
        const work = path.includes('/n-') ? meanwhile : undefined;
        if (work) meanwhile = undefined;
        await work?.();
        await stepped.syncDirectory(path);
      },
    });
    const namespace = storage.namespace('n');
    const head = await append(namespace, 'a');
    meanwhile = () => namespace.drop();
    await expect(namespace.writeCheckpoint(head, [segmentOf('s', 'content')])).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(meanwhile).toBeUndefined();
    expect(await files.list('/data/namespaces')).toEqual([]);
    await storage.close();
  });

  it.each(['EFBIG', 'ENOMEM', 'ESTALE', 'ELOOP', 'ENOTDIR'])('that fails with %s reports the path', async (code) => {
    const { control, namespace, storage } = await failingStorage();
    const head = await append(namespace, 'a');
    control.fails = at('write segment', 'before', code);
    await expect(namespace.writeCheckpoint(head, [segmentOf('s', 'content')])).rejects.toEqual(
      failure(/Writing a checkpoint failed at \/data\/namespaces\/n-/),
    );
    control.fails = () => false;
    await namespace.writeCheckpoint(head, [segmentOf('s', 'content')]);
    await storage.close();
  });
});

it.each(['write segment', 'write log', 'rename manifest', 'write manifest', 'replace manifest'])(
  'a rebuild that fails at "%s" leaves no copy, so that repeated attempts do not fill the disk',
  async (step) => {
    const { control, files, namespace, storage } = await failingStorage();
    const head = await append(namespace, 'a');
    for (const which of ['the first', 'the last']) {
      let count = 0;
      // The files are copied under their own names first.
      control.fails = ({ name, moment, path }) =>
        name === step &&
        moment === 'before' &&
        (which === 'the first' || !path.includes('salvaged')) &&
        count++ === 0 &&
        'ENOSPC';
      await expect(namespace.rebuild!(head, [segmentOf('s', 'content')])).rejects.toEqual(failure(/disk is full/));
      control.fails = () => false;
      expect(await files.list('/data/salvaged')).toEqual([]);
      expect(await textsOf(namespace)).toEqual(['a']);
    }
    await namespace.rebuild!(head, [segmentOf('s', 'content')]);
    expect(await files.list('/data/salvaged')).toHaveLength(1);
    await storage.close();
  },
);

it.each(['used again', 'dropped again'])(
  'a drop in doubt keeps its files until it is resolved: the namespace is %s',
  async (settling) => {
    const { control, files, namespace, storage } = await failingStorage();
    await append(namespace, 'a');
    control.fails = at('sync directory', 'before', 'EIO');
    await expect(namespace.drop()).rejects.toEqual(
      failure(/unknown whether the namespace is deleted permanently/, 'IN_DOUBT'),
    );
    const [left] = await files.list('/data/trash');
    expect(await files.list(`/data/trash/${left}`)).toContain('manifest');
    control.fails = () => false;
    if (settling === 'used again') expect((await namespace.head()).position).toBe(0);
    else await namespace.drop();
    expect(await files.list('/data/trash')).toEqual([]);
    await append(namespace, 'b');
    expect(await textsOf(namespace)).toEqual(['b']);
    await storage.close();
  },
);
