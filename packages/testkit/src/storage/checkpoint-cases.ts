import assert from 'node:assert/strict';
import { NO_HEAD, type Segment } from '@rdf-worlds/core/plugin';
import {
  append,
  checkpointText,
  fails,
  kept,
  patternBytes,
  pieces,
  type StorageProbe,
  segment,
  textsOf,
} from './storage-probe.ts';

type Case = (name: string, test: (probe: StorageProbe) => Promise<void>) => void;

const LARGE_BYTES = 5_300_001;

/** Cases for checkpoints: atomicity and reuse of segments. */
export function checkpointCases(it: Case): void {
  it('a checkpoint has its segments, complete and in order', async (probe) => {
    const head = await append(probe.namespace(), 'a', 'b');
    await probe
      .namespace()
      .writeCheckpoint(head, [
        segment('z.last-1_X', 'first', '', ' of all'),
        segment('a', ''),
        { name: 'nothing', write: () => [] },
        segment('x'.repeat(128), 'long name'),
      ]);
    for (let round = 0; round < 2; round++) {
      assert.deepEqual((await probe.namespace().checkpoint())!.at, head);
      const expected = `2: z.last-1_X=first of all a= nothing= ${'x'.repeat(128)}=long name`;
      assert.equal(await checkpointText(probe.namespace()), expected);
      await probe.reopen();
    }
  });

  it('names that differ only in case, names with dots and reserved words are distinct segments', async (probe) => {
    const head = await append(probe.namespace(), 'a');
    const names = [
      'A',
      'a',
      '.',
      '..',
      '...',
      'con',
      'CON',
      'nul.txt',
      'manifest',
      'log',
      'a.tmp',
      '-',
      '_',
      '0',
      '00',
    ];
    await probe.namespace().writeCheckpoint(
      head,
      names.map((name) => segment(name, `of ${name}`)),
    );
    await probe.reopen();
    const expected = names.map((name) => `${name}=of ${name}`).join(' ');
    assert.equal(await checkpointText(probe.namespace()), `1: ${expected}`);
  });

  it('a checkpoint can be empty, and at any position', async (probe) => {
    const head = await append(probe.namespace(), 'a', 'b');
    await probe.namespace().writeCheckpoint({ ...head, position: 1 }, []);
    assert.equal(await checkpointText(probe.namespace()), '1:');
    await probe.reopen();
    assert.equal(await checkpointText(probe.namespace()), '1:');
  });

  it('accepts segments and pieces asynchronously, and pieces in one reused buffer', async (probe) => {
    const head = await append(probe.namespace(), 'a');
    const buffer = Buffer.alloc(3);
    async function* segments(): AsyncIterable<Segment> {
      for (const name of ['one', 'two']) {
        yield {
          name,
          async *write() {
            for (const text of [name, 'and', 'end']) {
              await Promise.resolve();
              buffer.write(text);
              yield buffer;
            }
          },
        };
      }
    }
    await probe.namespace().writeCheckpoint(head, segments());
    assert.equal(await checkpointText(probe.namespace()), '1: one=oneandend two=twoandend');
  });

  it('large segments are returned complete, in buffers of their own', async (probe) => {
    const head = await append(probe.namespace(), 'a');
    const bytes = patternBytes(LARGE_BYTES, 5);
    await probe
      .namespace()
      .writeCheckpoint(head, [{ name: 'large', write: () => pieces(bytes) }, segment('s', 'small')]);
    for (let round = 0; round < 2; round++) {
      const [large] = (await probe.namespace().checkpoint())!.segments;
      assert.equal(large.byteLength, LARGE_BYTES);
      const read = await large.read();
      assert.ok(Buffer.from(bytes).equals(read), 'the large segment is another');
      read.fill(0);
      assert.ok(Buffer.from(bytes).equals(await large.read()), 'what was read was not the reader’s own');
      await probe.reopen();
    }
  });

  it('readers see the previous checkpoint while a new one is written', async (probe) => {
    const head = await append(probe.namespace(), 'a', 'b');
    await probe.namespace().writeCheckpoint({ ...head, position: 1 }, [segment('old', '1')]);
    const seen: (string | undefined)[] = [];
    async function* segments(): AsyncIterable<Segment> {
      yield segment('new', '2');
      seen.push(await checkpointText(probe.namespace()));
      yield segment('newer', '3');
      seen.push(await checkpointText(probe.namespace()));
    }
    await probe.namespace().writeCheckpoint(head, segments());
    assert.deepEqual(seen, ['1: old=1', '1: old=1']);
    assert.equal(await checkpointText(probe.namespace()), '2: new=2 newer=3');
  });

  it('a checkpoint that fails midway leaves the previous one', async (probe) => {
    const head = await append(probe.namespace(), 'a', 'b');
    await probe.namespace().writeCheckpoint({ ...head, position: 1 }, [segment('old', '1')]);
    const failing: Segment = {
      name: 'failing',
      *write() {
        yield Buffer.from('half');
        throw new Error('the disk of the source');
      },
    };
    const before = await probe.namespace().stats();
    for (const segments of [[failing], [segment('new', '2'), failing]])
      await assert.rejects(probe.namespace().writeCheckpoint(head, segments));
    assert.equal(await checkpointText(probe.namespace()), '1: old=1');
    assert.deepEqual(await probe.namespace().stats(), before, 'what a failed checkpoint leaves behind');
    await probe.namespace().writeCheckpoint(head, [segment('failing', 'not now'), segment('new', '3')]);
    await probe.reopen();
    assert.equal(await checkpointText(probe.namespace()), '2: failing=not now new=3');
  });

  it('a segment of the newest checkpoint is reused, not written again', async (probe) => {
    const head = await append(probe.namespace(), 'a', 'b', 'c');
    const at = (position: number) => ({ ...head, position });
    await probe.namespace().writeCheckpoint(at(1), [segment('x', '1'), segment('y', '2')]);
    await probe.namespace().writeCheckpoint(at(2), [kept('y'), segment('z', '3'), kept('x')]);
    assert.equal(await checkpointText(probe.namespace()), '2: y=2 z=3 x=1');
    await probe.reopen();
    await probe.namespace().writeCheckpoint(at(2), [kept('z')]);
    await probe.namespace().writeCheckpoint(at(3), [kept('z'), segment('w', '4')]);
    await probe.namespace().writeCheckpoint(at(3), [kept('w'), kept('z')]);
    await probe.reopen();
    assert.equal(await checkpointText(probe.namespace()), '3: w=4 z=3');
  });

  it('keeps two checkpoints; a name that is no longer in them is written again', async (probe) => {
    const head = await append(probe.namespace(), 'a');
    for (const name of ['x', 'y', 'z', 'x', 'y', 'x']) {
      await probe.namespace().writeCheckpoint(head, [segment(name, `of ${name}`)]);
      assert.equal(await checkpointText(probe.namespace()), `1: ${name}=of ${name}`);
    }
    assert.ok((await probe.namespace().stats()).segments <= 2, 'more than two checkpoints are kept');
  });

  it('an older checkpoint throws CONFLICT, one beyond the head INVALID_ARGUMENT, and neither changes anything', async (probe) => {
    const head = await append(probe.namespace(), 'a', 'b', 'c');
    const at = (position: number) => ({ ...head, position });
    await probe.namespace().writeCheckpoint(at(2), [segment('s', '2')]);
    await fails('CONFLICT', () => probe.namespace().writeCheckpoint(at(1), [segment('t', '1')]));
    await fails('INVALID_ARGUMENT', () => probe.namespace().writeCheckpoint(at(4), [segment('t', '4')]));
    await fails('CONFLICT', () => probe.namespace().writeCheckpoint({ ...at(3), incarnation: 'made-up' }, []));
    await fails('CONFLICT', () => probe.namespace('other').writeCheckpoint(at(1), []));
    assert.equal(await checkpointText(probe.namespace()), '2: s=2');
    assert.deepEqual(await probe.namespaces(), ['n']);
  });

  it('of two checkpoints written concurrently, the one with the higher position is the newest', async (probe) => {
    const head = await append(probe.namespace(), 'a', 'b');
    const older = probe.namespace().writeCheckpoint({ ...head, position: 1 }, [segment('one', '1'), segment('s', 'x')]);
    const newer = probe.namespace().writeCheckpoint(head, [segment('two', '2'), segment('s', 'x')]);
    await Promise.allSettled([older, newer]);
    await newer;
    assert.equal(await checkpointText(probe.namespace()), '2: two=2 s=x');
    await probe.reopen();
    assert.equal(await checkpointText(probe.namespace()), '2: two=2 s=x');
  });

  it('malformed and duplicate names throw INVALID_ARGUMENT', async (probe) => {
    const head = await append(probe.namespace(), 'a');
    for (const name of ['', 'x'.repeat(129), 'a/b', 'a\\b', 'ä', 'a b', 'a\n', 'a\u0000'])
      await fails('INVALID_ARGUMENT', () => probe.namespace().writeCheckpoint(head, [segment(name, 'x')]));
    await fails('INVALID_ARGUMENT', () =>
      probe.namespace().writeCheckpoint(head, [segment('s', 'x'), segment('t', 'y'), segment('s', 'x')]),
    );
    assert.equal(await probe.namespace().checkpoint(), undefined);
  });

  it('segments of the previous checkpoint stay readable', async (probe) => {
    const head = await append(probe.namespace(), 'a', 'b');
    await probe.namespace().writeCheckpoint({ ...head, position: 1 }, [segment('old', 'old'), segment('both', 'both')]);
    const { segments } = (await probe.namespace().checkpoint())!;
    await probe.namespace().writeCheckpoint(head, [segment('new', 'new'), kept('both')]);
    await probe.namespace().truncate(head);
    assert.deepEqual(await Promise.all(segments.map(async (stored) => Buffer.from(await stored.read()).toString())), [
      'old',
      'both',
    ]);
  });

  it('appends continue while a checkpoint is written', async (probe) => {
    const namespace = probe.namespace();
    const head = await append(namespace, 'a');
    async function* segments(): AsyncIterable<Segment> {
      await append(namespace, 'b');
      yield segment('s', 'a');
      await append(namespace, 'c');
    }
    await namespace.writeCheckpoint(head, segments());
    await namespace.truncate(head);
    await probe.reopen();
    assert.equal(await checkpointText(probe.namespace()), '1: s=a');
    assert.deepEqual(await textsOf(probe.namespace(), head), ['b', 'c']);
  });

  it('a checkpoint whose namespace is dropped meanwhile throws CONFLICT and leaves nothing', async (probe) => {
    for (const again of [false, true]) {
      const namespace = probe.namespace(`again ${again}`);
      const head = await append(namespace, 'a');
      async function* segments(): AsyncIterable<Segment> {
        yield segment('one', '1');
        await namespace.drop();
        if (again) await append(namespace, 'b');
        yield segment('two', '2');
      }
      await fails('CONFLICT', () => namespace.writeCheckpoint(head, segments()));
      assert.equal(await namespace.checkpoint(), undefined);
      assert.equal((await namespace.stats()).segments, 0);
      assert.deepEqual(await textsOf(namespace), again ? ['b'] : []);
    }
  });

  it('reading a segment of a dropped namespace throws TRUNCATED', async (probe) => {
    await probe.namespace().writeCheckpoint(await append(probe.namespace(), 'a'), [segment('s', 'x')]);
    const [stored] = (await probe.namespace().checkpoint())!.segments;
    await probe.namespace().drop();
    await fails('TRUNCATED', () => stored.read());
    await append(probe.namespace(), 'a');
    await fails('TRUNCATED', () => stored.read());
    assert.deepEqual(await textsOf(probe.namespace(), NO_HEAD), ['a']);
  });
}
