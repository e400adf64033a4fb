import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as browser from '../../src/platform/browser.ts';
import * as node from '../../src/platform/node.ts';

// Each must be usable where the other is.
const platforms: readonly (typeof node)[] = [node, browser as unknown as typeof node];

async function* chunksOf(...values: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* values;
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const bytes = fc.uint8Array({ maxLength: 300 });

it('both platforms have the same names', () => {
  expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort());
});

it('the package chooses Node for everything that has its modules', () => {
  const { imports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(Object.keys(imports['#platform'])).toEqual(['node', 'workerd', 'browser', 'default']);
});

describe('in browsers as in Node', () => {
  it('hashes and checksums are the same, at once or in parts', () => {
    fc.assert(
      fc.property(bytes, fc.string({ unit: 'binary' }), fc.nat(300), (data, text, cut) => {
        for (const name of ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const) {
          const [theirs, ours] = platforms.map(({ createHash }) => {
            const hash = createHash(name).update(text, 'utf8').update(data.subarray(0, cut));
            const copy = hash.copy();
            return [hash.update(data.subarray(cut)).digest('hex'), [...copy.digest()]];
          });
          expect(ours).toEqual(theirs);
        }
        const [first, rest] = [data.subarray(0, cut), data.subarray(cut)];
        expect(browser.crc32(rest, browser.crc32(first))).toBe(node.crc32(data));
      }),
    );
  });

  it('the same bytes are UTF-8', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          bytes,
          fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
        ),
        (data) => {
          expect(browser.isUtf8(data)).toBe(node.isUtf8(data));
        },
      ),
    );
  });

  it('random UUIDs are of version 4', () => {
    const uuids = new Set(Array.from({ length: 100 }, () => browser.randomUUID()));
    expect(uuids.size).toBe(100);
    for (const uuid of uuids) expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('tasks run later, in order, and other events between them', async () => {
    const seen: string[] = [];
    await new Promise<void>((resolve) => {
      browser.setImmediate(() => {
        seen.push('first');
        browser.setImmediate(resolve);
      });
      browser.setImmediate(() => seen.push('second'));
      browser.nextTick(() => seen.push('now'));
      seen.push('before');
    });
    expect(seen).toEqual(['before', 'now', 'first', 'second']);
  });

  it('memory is a figure or unknown', () => {
    for (const read of Object.values(browser.memory)) expect([undefined, expect.any(Number)]).toContainEqual(read());
  });
});

describe.each([
  ['Node', platforms[0]],
  ['browsers', platforms[1]],
])('streams of %s', (_, platform) => {
  it('gzip data are decompressed, in chunks of any size', async () => {
    const text = 'a line of text\n'.repeat(5000);
    const data = gzipSync(text);
    const parts = Array.from({ length: Math.ceil(data.length / 7) }, (_, i) => data.subarray(i * 7, i * 7 + 7));
    const chunks = await collected(platform.gunzip(chunksOf(...parts), 1 << 16));
    expect(Buffer.concat(chunks).toString()).toBe(text);
  });

  it.each([
    ['truncated', gzipSync('some text').subarray(0, 15)],
    ['damaged', gzipSync('some text').map((byte, i) => (i === 14 ? byte ^ 0xff : byte))],
  ])('%s gzip data are a GzipError', async (_, data) => {
    await expect(collected(platform.gunzip(chunksOf(data), 100))).rejects.toThrow(platform.GzipError);
  });

  it('an error of what is decompressed is passed on', async () => {
    const failure = new TypeError('no more');
    const chunks = (async function* () {
      yield gzipSync('some text').subarray(0, 12);
      throw failure;
    })();
    await expect(collected(platform.gunzip(chunks, 100))).rejects.toBe(failure);
  });

  it('chunks are written to a web stream, with errors of either side', async () => {
    const written: number[][] = [];
    const sink = (fails = false, aborted: unknown[] = []) =>
      new WritableStream<Uint8Array>({
        write(chunk) {
          if (fails) throw new Error('full');
          written.push([...chunk]);
        },
        close: () => void written.push([]),
        abort: (reason) => void aborted.push(reason),
      });
    await platform.pipeToWeb(chunksOf(Uint8Array.of(1), Uint8Array.of(2, 3)), sink());
    expect(written).toEqual([[1], [2, 3], []]);
    await expect(platform.pipeToWeb(chunksOf(Uint8Array.of(1)), sink(true))).rejects.toThrow('full');
    const failure = new Error('no more');
    const failing = (async function* () {
      yield Uint8Array.of(4);
      throw failure;
    })();
    const aborted: unknown[] = [];
    await expect(platform.pipeToWeb(failing, sink(false, aborted))).rejects.toBe(failure);
    expect(aborted).toEqual([failure]);
  });

  it('items come by events, by reading and by iteration', async () => {
    const items = Array.from({ length: 50 }, (_, i) => ({ i }));
    const stream = () => platform.objectStream(Readable.from(items));
    const byEvents = await new Promise((resolve, reject) => {
      const seen: unknown[] = [];
      stream()
        .on('data', (item) => seen.push(item))
        .on('end', () => resolve(seen))
        .on('error', reject);
    });
    const byReading = await new Promise((resolve) => {
      const seen: unknown[] = [];
      const readable = stream();
      readable.on('readable', () => {
        for (let item = readable.read(); item !== null; item = readable.read()) seen.push(item);
      });
      readable.on('end', () => resolve(seen));
    });
    const byIteration = await collected(stream());
    const again = await collected(platform.itemsOf(stream()));
    expect([byEvents, byReading, byIteration, again]).toEqual([items, items, items, items]);
  });

  it('a stream that is left closes its source', async () => {
    let isClosed = false;
    const source = (async function* () {
      try {
        for (let i = 0; ; i++) yield i;
      } finally {
        isClosed = true;
      }
    })();
    for await (const item of platform.objectStream(source)) if (item === 3) break;
    await expect.poll(() => isClosed).toBe(true);
  });

  it('a stream paused gives nothing until it is resumed', async () => {
    const stream = platform.objectStream(Readable.from([1, 2, 3]));
    const seen: unknown[] = [];
    stream.on('data', (item) => {
      seen.push(item);
      if (item === 1) stream.pause();
    });
    await expect.poll(() => seen.length).toBe(1);
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([1]);
    stream.resume();
    await once(stream as Readable, 'end');
    expect(seen).toEqual([1, 2, 3]);
  });

  it('an error of the source is one of the stream', async () => {
    const failure = new Error('no more');
    const failing = () =>
      (async function* () {
        yield 1;
        throw failure;
      })();
    const heard = new Promise((resolve) => platform.objectStream(failing()).on('error', resolve).resume());
    expect(await heard).toBe(failure);
    await expect(collected(platform.objectStream(failing()))).rejects.toBe(failure);
    await expect(collected(platform.itemsOf(platform.objectStream(failing())))).rejects.toBe(failure);
  });

  it('listeners are called in order, once or until they are removed', () => {
    const emitter = new platform.EventEmitter();
    const seen: string[] = [];
    const listener = (value: string) => seen.push(`on ${value}`);
    emitter.on('x', listener).once('x', (value) => seen.push(`once ${value}`));
    expect(emitter.emit('x', 'a')).toBe(true);
    emitter.emit('x', 'b');
    expect(emitter.listenerCount('x')).toBe(1);
    emitter.off('x', listener);
    expect(emitter.emit('x', 'c')).toBe(false);
    expect(seen).toEqual(['on a', 'once a', 'on b']);
    expect(() => emitter.emit('error', new Error('nobody listens'))).toThrow('nobody listens');
    emitter.addListener('error', () => seen.push('heard')).removeAllListeners();
    expect(() => emitter.emit('error', new Error('nobody listens'))).toThrow('nobody listens');
  });
});

describe('what browsers lack', () => {
  it('is refused in words', async () => {
    await expect(browser.readFile(new URL('file:///x')).next()).rejects.toThrow(/browsers read no files/);
    await expect(browser.pipeToNode()).rejects.toThrow(/WritableStream/);
    expect(await browser.workerThreads()).toBeUndefined();
  });
});
