import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { fileStorage } from '@rdf-worlds/storage-file';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ownIdentity } from '../src/process-identity.ts';
import { builtChild, startChild } from './built-child.ts';
import { append, textsOf } from './opened-storage.ts';

let child: string;
beforeAll(async () => {
  child = await builtChild(new URL('./lock-child.ts', import.meta.url));
}, 60_000);
afterAll(() => rm(dirname(child), { recursive: true, force: true }));

let path: string;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'rdf-worlds-directory-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
});

const lockNames = async () => (await readdir(path)).filter((name) => name.startsWith('lock'));

async function opens(): Promise<void> {
  const storage = fileStorage({ path });
  await storage.open();
  await append(storage.namespace('n'), 'a');
  await storage.close();
}

const refusal = (message: RegExp, code = 'CONFLICT') =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

describe('two processes', () => {
  it('the second is rejected with the process and directory of the first, and succeeds once the first was killed', async () => {
    const first = startChild(child, [path]);
    await first.printed('open');
    const error = await fileStorage({ path })
      .open()
      .catch((thrown: unknown) => thrown);
    expect(error).toEqual(refusal(new RegExp(`${path} is in use by process ${first.child.pid} .*lock-1`)));
    first.child.kill('SIGKILL');
    await first.ended;
    await opens();
    expect(await lockNames()).toEqual(['lock-2']);
  });

  it('exactly one of many that start together over a dead holder succeeds', async () => {
    const dead = startChild(child, [path]);
    await dead.printed('open');
    dead.child.kill('SIGKILL');
    await dead.ended;
    const all = Array.from({ length: 6 }, () => startChild(child, [path]));
    await Promise.all(all.map(({ printed }) => Promise.race([printed('open'), printed('refused')])));
    expect(all.filter(({ lines }) => lines[0] === 'open')).toHaveLength(1);
    expect(all.filter(({ lines }) => lines[0].startsWith('refused CONFLICT'))).toHaveLength(5);
    for (const each of all) each.child.kill('SIGKILL');
    await Promise.all(all.map(({ ended }) => ended));
  });
});

describe('a stale lock', () => {
  const own = ownIdentity();

  it.each([
    ['of this very process number, from an earlier start of it', { ...own, started: `${Number(own.started) - 1}` }],
    ['of a number that no process has', { ...own, pid: 2 ** 22 + 1 }],
    ['of a process that ended here, under another host name', { ...own, pid: 2 ** 22 + 1, host: 'elsewhere' }],
  ])('%s is taken over', async (_, holder) => {
    if (process.platform !== 'linux') return; // Elsewhere the system does not tell when a process started.
    await writeFile(join(path, 'lock-7'), JSON.stringify(holder));
    await opens();
    expect(await lockNames()).toEqual(['lock-8']);
  });

  it('of a zombie process is taken over', async () => {
    if (process.platform !== 'linux') return; // Elsewhere the system does not tell.
    // The shell becomes a program that never asks for the exit codes of its children.
    const parent = startChild('-c', ['"$0" "$1" "$2" & exec sleep 1000', process.execPath, child, path], 'sh');
    await parent.printed('open');
    const { pid } = JSON.parse(await readFile(join(path, 'lock-1'), 'utf8'));
    process.kill(pid, 'SIGKILL');
    // Its other threads may end a little later than the first: until then it is not gone.
    const isZombie = async () => {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8');
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' && Number(fields[17]) <= 1;
    };
    await expect.poll(isZombie, { timeout: 20_000 }).toBe(true);
    await opens();
    parent.child.kill('SIGKILL');
    await parent.ended;
  });

  it('that was never completely written is taken over', async () => {
    await writeFile(join(path, 'lock-1'), '');
    await opens();
  });

  it('of this process, held by another thread or another copy of the library, is not stale', async () => {
    const thread = new Worker(child, { argv: [path], stdout: true });
    await new Promise((resolve) => thread.stdout.once('data', resolve));
    await expect(fileStorage({ path }).open()).rejects.toEqual(refusal(/this one, in another thread/));
    await thread.terminate();
  });
});

describe('one process', () => {
  it('can open a directory many times, by any path; the last close releases it', async () => {
    const link = `${path}-link`;
    await symlink(path, link);
    onTestFinished(() => rm(link));
    const one = fileStorage({ path });
    const other = fileStorage({ path: `${link}/../${link.split('/').at(-1)}/` });
    await Promise.all([one.open(), other.open()]);
    expect(other.place).toBe(one.place);
    const head = await append(one.namespace('n'), 'a');
    expect(await other.namespace('n').head()).toEqual(head);
    await expect(other.namespace('n').append({ incarnation: '', position: 0, generation: 0 }, [])).rejects.toThrow();
    await one.close();
    await append(other.namespace('n'), 'b');
    expect(JSON.parse(await readFile(join(path, 'lock-1'), 'utf8'))).toMatchObject({ pid: process.pid });
    await other.close();
    expect(JSON.parse(await readFile(join(path, 'lock-1'), 'utf8'))).toEqual({ released: true });
    const again = fileStorage({ path });
    await again.open();
    expect(await textsOf(again.namespace('n'))).toEqual(['a', 'b']);
    await again.close();
  });

  it('can close and open concurrently', async () => {
    for (let turn = 0; turn < 10; turn++) {
      const storages = [0, 1, 2].map(() => fileStorage({ path }));
      await Promise.all(storages.map((storage) => storage.open().then(() => storage.close())));
    }
    await opens();
  });
});

describe('a path', () => {
  it('that is missing is created, with its parents', async () => {
    path = join(path, 'a/b/c');
    await opens();
    expect(await readdir(path)).toContain('format');
  });

  it('that contains foreign files is rejected, and nothing is written there', async () => {
    await writeFile(join(path, 'notes.txt'), 'mine');
    const error = refusal(
      /contains files of another program, such as "notes.txt".*Choose an empty/,
      'INVALID_ARGUMENT',
    );
    await expect(fileStorage({ path }).open()).rejects.toEqual(error);
    expect(await readdir(path)).toEqual(['notes.txt']);
  });

  it('that contains a foreign file `format` is rejected', async () => {
    await writeFile(join(path, 'format'), 'mine');
    await expect(fileStorage({ path }).open()).rejects.toEqual(refusal(/such as "format"/, 'INVALID_ARGUMENT'));
    expect(await readdir(path)).toEqual(['format']);
  });

  it('that contains worlds keeps foreign files unchanged', async () => {
    await opens();
    await writeFile(join(path, 'notes.txt'), 'mine');
    await opens();
    expect(await readFile(join(path, 'notes.txt'), 'utf8')).toBe('mine');
  });

  it('of an interrupted first opening, or of a new file system, is accepted', async () => {
    for (const name of ['namespaces', 'trash', 'lost+found']) await mkdir(join(path, name));
    for (const name of ['lock-1', 'format.tmp']) await writeFile(join(path, name), '');
    await opens();
  });

  it('that is a file, or below one, is rejected, and nothing is created', async () => {
    const file = join(path, 'file');
    await writeFile(file, '');
    for (const wrong of [file, join(file, 'below'), join(file, 'far/below')])
      await expect(fileStorage({ path: wrong }).open()).rejects.toEqual(
        refusal(/is a file, or below one. Choose another path/, 'INVALID_ARGUMENT'),
      );
    expect(await readdir(path)).toEqual(['file']);
  });

  it('that cannot be created is rejected', async () => {
    if (process.platform !== 'linux') return; // It is /proc that refuses.
    for (const wrong of ['/proc/rdf-worlds', '/proc/rdf/worlds'])
      await expect(fileStorage({ path: wrong }).open()).rejects.toEqual(
        refusal(/^\/proc\/rdf\S* cannot be created: .*Choose another path/, 'INVALID_ARGUMENT'),
      );
  });

  it('without write permission is rejected with a remedy', async () => {
    if (process.getuid?.() === 0) return; // The superuser may write everywhere.
    await mkdir(join(path, 'locked'));
    await chmod(join(path, 'locked'), 0o500);
    await expect(fileStorage({ path: join(path, 'locked') }).open()).rejects.toEqual(
      refusal(/no permission.*choose another path/, 'INTERNAL'),
    );
  });

  it.each(['', 'a\u0000b'])('%j is not a path', (wrong) => {
    expect(() => fileStorage({ path: wrong })).toThrow(refusal(/path of a directory/, 'INVALID_ARGUMENT'));
  });

  it.each([{ maxLogFileBytes: 0 }, { maxLogFileBytes: 1.5 }, { maxOpenFiles: 0 }])('%j is refused', (options) => {
    expect(() => fileStorage({ path, ...options })).toThrow(refusal(/integer of at least 1/, 'INVALID_ARGUMENT'));
  });

  it.each([
    [{ leaseMs: 99 }, /leaseMs must be an integer of milliseconds from 100 to 3600000, not 99/],
    [{ leaseMs: 1000.5 }, /leaseMs/],
    [{ leaseMs: Number.POSITIVE_INFINITY }, /leaseMs/],
    [{ takeOver: 'yes' as never }, /takeOver must be true or false, not "yes"/],
    [{ takeover: true }, /did you mean takeOver\?/],
  ])('%j is refused', (options, message) => {
    expect(() => fileStorage({ path, ...options })).toThrow(refusal(message, 'INVALID_ARGUMENT'));
  });
});

it('opening a directory removes the files of dropped namespaces', async () => {
  await opens();
  await mkdir(join(path, 'trash/left'), { recursive: true });
  await writeFile(join(path, 'trash/left/manifest'), 'x');
  await opens();
  expect(await readdir(join(path, 'trash'))).toEqual([]);
});
