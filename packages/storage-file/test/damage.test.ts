import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { WorldsError } from '@rdf-worlds/core';
import { describe, expect, it } from 'vitest';
import { append, memoryFiles, openedStorage, segmentOf, segmentTexts, textsOf } from './opened-storage.ts';
import type { SimulatedFileSystem } from './power-cut/simulated-file-system.ts';

const TEXTS = ['first', 'second '.repeat(30), 'third', 'last'];
const SEGMENTS = ['a segment', 'b'.repeat(300)];

/**
 * Files of a namespace with records and a checkpoint. `close: false` leaves them as a process that
 * was killed would.
 */
async function filledFiles({ close = true, maxLogFileBytes = 2 ** 24 } = {}) {
  const files = memoryFiles();
  const storage = await openedStorage(files, { maxLogFileBytes });
  const namespace = storage.namespace('n');
  for (const text of TEXTS.slice(0, 3)) await append(namespace, text);
  await namespace.writeCheckpoint(
    await namespace.head(),
    SEGMENTS.map((text, at) => segmentOf(`s${at}`, text)),
  );
  await append(namespace, TEXTS[3]);
  const directory = `/data/namespaces/${(await files.list('/data/namespaces'))[0]}`;
  if (close) {
    await storage.close();
    return { files, directory };
  }
  return { files: await copyOf(files, directory), directory };
}

async function copyOf(files: SimulatedFileSystem, directory: string): Promise<SimulatedFileSystem> {
  const copy = memoryFiles();
  for (const path of ['/data', '/data/namespaces', '/data/trash', directory]) await copy.makeDirectory(path);
  const paths = ['/data/format', ...(await files.list(directory)).map((name) => `${directory}/${name}`)];
  for (const path of paths) await write(copy, path, await read(files, path));
  return copy;
}

async function read(files: SimulatedFileSystem, path: string): Promise<Buffer> {
  const file = await files.open(path, 'read');
  const bytes = Buffer.alloc(await file.size());
  await file.read(bytes, 0);
  return bytes;
}

async function write(files: SimulatedFileSystem, path: string, bytes: Uint8Array): Promise<void> {
  const file = await files.open(path, 'replace');
  await file.write(bytes, 0);
  await file.close();
}

/** All that the storage says is there, or the error that it gives. */
async function contentOf(files: SimulatedFileSystem): Promise<string[] | WorldsError> {
  let storage: Awaited<ReturnType<typeof openedStorage>> | undefined;
  try {
    storage = await openedStorage(files);
    const namespace = storage.namespace('n');
    return [...(await textsOf(namespace)), ...(await segmentTexts(namespace))];
  } catch (error) {
    if (error instanceof WorldsError) return error;
    throw error;
  } finally {
    await storage?.close();
  }
}

const WHOLE = [...TEXTS, ...SEGMENTS];

const damageOf = (path: string, code = 'CORRUPT') =>
  expect.objectContaining({ code, message: expect.stringMatching(new RegExp(`${path}.*(backup|release)`, 's')) });

describe('a flipped bit', () => {
  it.each(['log-0000000000000000', 'manifest', 'segment-00000001', 'segment-00000002', 'format'])(
    'anywhere in %s is CORRUPT and the error names the file',
    async (name) => {
      const { files, directory } = await filledFiles();
      const path = name === 'format' ? '/data/format' : `${directory}/${name}`;
      const whole = await read(files, path);
      for (let at = 0; at < whole.byteLength; at++) {
        const flipped = Buffer.from(whole);
        flipped[at] ^= 1 << (at % 8);
        // Opening does not change the files, so that each flip is the only one.
        await write(files, path, flipped);
        const found = await contentOf(files);
        expect(found, `byte ${at}`).toBeInstanceOf(WorldsError);
        expect(['CORRUPT', 'UNSUPPORTED']).toContain((found as WorldsError).code);
        expect((found as WorldsError).message).toContain(name);
      }
      await write(files, path, whole);
      expect(await contentOf(files)).toEqual(WHOLE);
    },
  );

  it('in the log of a killed process is CORRUPT, except in the last write, which may be unfinished', async () => {
    const { files, directory } = await filledFiles({ close: false });
    const path = `${directory}/log-0000000000000000`;
    const whole = await read(files, path);
    const lastAt = whole.lastIndexOf(Buffer.from('RWF2'));
    const endAt = whole.lastIndexOf(Buffer.from('last')) + 4;
    for (let at = 0; at < endAt; at++) {
      const flipped = Buffer.from(whole);
      flipped[at] ^= 0x10;
      await write(files, path, flipped);
      const found = await contentOf(files);
      if (at < lastAt) expect(found, `byte ${at}`).toEqual(damageOf('log-0000000000000000'));
      else expect(found, `byte ${at}`).toEqual([...TEXTS.slice(0, 3), ...SEGMENTS]);
    }
  });
});

describe('a file cut short', () => {
  it.each(['log-0000000000000000', 'manifest', 'segment-00000001', 'segment-00000002'])(
    'anywhere in %s is CORRUPT',
    async (name) => {
      const { files, directory } = await filledFiles();
      const path = `${directory}/${name}`;
      const whole = await read(files, path);
      for (let length = 0; length < whole.byteLength; length++) {
        await write(files, path, whole.subarray(0, length));
        expect(await contentOf(files), `length ${length}`).toEqual(damageOf(name));
      }
    },
  );
});

describe('a missing file', () => {
  it('is CORRUPT, whichever file it is', async () => {
    const { files, directory } = await filledFiles({ maxLogFileBytes: 1 });
    const names = (await files.list(directory)).map((name) => `${directory}/${name}`);
    expect(names.length).toBe(7);
    for (const path of [...names, '/data/format']) {
      const whole = await read(files, path);
      await files.unlink(path);
      expect(await contentOf(files), path).toEqual(damageOf(basename(path)));
      await write(files, path, whole);
      expect(await contentOf(files)).toEqual(WHOLE);
    }
  });
});

it('a damaged namespace does not affect the others', async () => {
  const { files, directory } = await filledFiles();
  const storage = await openedStorage(files);
  await append(storage.namespace('other'), 'fine');
  await storage.close();
  await write(files, `${directory}/manifest`, Buffer.from('not a manifest'));
  const again = await openedStorage(files);
  await expect(again.namespace('n').head()).rejects.toEqual(damageOf('manifest'));
  expect(await textsOf(again.namespace('other'))).toEqual(['fine']);
  const listed: string[] = [];
  const listing = (async () => {
    for await (const name of again.namespaces()) listed.push(name);
  })();
  await expect(listing).rejects.toEqual(damageOf('manifest'));
  expect(listed).toEqual(['other']);
  await append(again.namespace('other'), 'and works');
  await again.close();
});

it('files of another namespace or another incarnation are CORRUPT', async () => {
  const { files, directory } = await filledFiles();
  const storage = await openedStorage(files);
  const other = storage.namespace('other');
  for (const text of TEXTS) await append(other, text);
  await storage.close();
  const otherDirectory = (await files.list('/data/namespaces')).find((name) => name.startsWith('other'));
  for (const name of ['manifest', 'log-0000000000000000']) {
    const own = await read(files, `${directory}/${name}`);
    await write(files, `${directory}/${name}`, await read(files, `/data/namespaces/${otherDirectory}/${name}`));
    expect(await contentOf(files)).toEqual(damageOf(name));
    await write(files, `${directory}/${name}`, own);
  }
});

describe('a newer format', () => {
  const newer = damageOf('has format version 3; this release reads up to 2', 'UNSUPPORTED');

  /** Sets the version, and the checksum of the header which covers it. */
  function newerVersion(whole: Buffer, crcAt: number): Buffer {
    const changed = Buffer.from(whole);
    changed.writeUInt32LE(3, 8);
    changed.writeUInt32LE(crc32(changed.subarray(0, crcAt)), crcAt);
    return changed;
  }

  it.each([
    ['log-0000000000000000', 60],
    ['manifest', 20],
    ['segment-00000001', 60],
  ])('of %s is UNSUPPORTED', async (name, crcAt) => {
    const { files, directory } = await filledFiles();
    const path = `${directory}/${name}`;
    await write(files, path, newerVersion(await read(files, path), crcAt));
    expect(await contentOf(files)).toEqual(newer);
  });

  it('of the directory is UNSUPPORTED', async () => {
    const { files } = await filledFiles();
    await write(files, '/data/format', Buffer.from('rdf-worlds-storage 3\n'));
    expect(await contentOf(files)).toEqual(newer);
  });
});
