import assert from 'node:assert/strict';
import { WorldsError } from '@rdf-worlds/core';
import { type Head, NO_HEAD } from '@rdf-worlds/core/plugin';
import {
  all,
  append,
  fails,
  patternBytes,
  pieces,
  record,
  type StorageProbe,
  segment,
  textsOf,
} from './storage-probe.ts';

type Case = (name: string, test: (probe: StorageProbe) => Promise<void>) => void;

const LARGE_BYTES = 5_300_001;

/** Cases for compare-and-swap, order and the bytes of records. */
export function appendCases(it: Case): void {
  it('a namespace that was never written to is empty, and reading it creates nothing', async (probe) => {
    const namespace = probe.namespace();
    assert.deepEqual(await namespace.head(), NO_HEAD);
    assert.deepEqual(await textsOf(namespace), []);
    assert.equal(await namespace.checkpoint(), undefined);
    assert.deepEqual(await namespace.stats(), { logBytes: 0, logRecords: 0, segmentBytes: 0, segments: 0 });
    assert.deepEqual(await probe.namespaces(), []);
  });

  it('an append adds its records to the end of the log and advances the head', async (probe) => {
    const namespace = probe.namespace();
    const first = await namespace.append(NO_HEAD, [record('a')]);
    assert.equal(first.position, 1);
    assert.notEqual(first.incarnation, '');
    const second = await namespace.append(first, [record('b'), record('c')]);
    assert.deepEqual(second, { incarnation: first.incarnation, position: 3, generation: 0 });
    assert.deepEqual(await namespace.head(), second);
    assert.deepEqual(await textsOf(namespace), ['a', 'b', 'c']);
  });

  it('two handles of one name share one namespace', async (probe) => {
    const head = await append(probe.namespace(), 'a');
    assert.deepEqual(await probe.namespace().head(), head);
    await append(probe.namespace(), 'b');
    assert.deepEqual(await textsOf(probe.namespace()), ['a', 'b']);
  });

  it('an append with another head throws CONFLICT and writes nothing', async (probe) => {
    const namespace = probe.namespace();
    await fails('CONFLICT', () => namespace.append({ incarnation: '', position: 1, generation: 0 }, [record('x')]));
    await fails('CONFLICT', () =>
      namespace.append({ incarnation: 'made-up', position: 0, generation: 0 }, [record('x')]),
    );
    assert.deepEqual(await probe.namespaces(), []);
    const head = await append(namespace, 'a', 'b');
    const others: Head[] = [
      NO_HEAD,
      { ...head, position: 1 },
      { ...head, position: 3 },
      { ...head, position: 0 },
      { incarnation: '', position: 2, generation: 0 },
      { incarnation: `${head.incarnation}x`, position: 2, generation: 0 },
    ];
    for (const other of others) await fails('CONFLICT', () => namespace.append(other, [record('x')]));
    assert.deepEqual(await namespace.head(), head);
    assert.deepEqual(await textsOf(namespace), ['a', 'b']);
  });

  it('compare-and-swap uses the head even after the log was truncated', async (probe) => {
    const namespace = probe.namespace();
    const head = await append(namespace, 'a', 'b', 'c');
    await namespace.writeCheckpoint(head, [segment('s', 'abc')]);
    await namespace.truncate(head);
    assert.deepEqual(await namespace.head(), head);
    for (let round = 0; round < 2; round++) {
      for (const other of [NO_HEAD, ...[0, 1, 2, 4].map((position) => ({ ...head, position }))])
        await fails('CONFLICT', () => probe.namespace().append(other, [record('x')]));
      await probe.reopen();
      assert.deepEqual(await probe.namespace().head(), head);
    }
    const after = await probe.namespace().append(head, [record('d')]);
    assert.deepEqual(after, { ...head, position: 4 });
    assert.deepEqual(await textsOf(probe.namespace(), head), ['d']);
  });

  it('a namespace created again is a new incarnation, and heads of the old one throw CONFLICT', async (probe) => {
    const namespace = probe.namespace();
    const old = await append(namespace, 'a', 'b');
    await namespace.drop();
    assert.equal((await namespace.head()).position, 0);
    await fails('CONFLICT', () => namespace.append(old, [record('x')]));
    const head = await append(namespace, 'c', 'd');
    assert.equal(head.position, old.position);
    assert.notEqual(head.incarnation, old.incarnation);
    await fails('CONFLICT', () => namespace.append(old, [record('x')]));
    await probe.reopen();
    await fails('CONFLICT', () => probe.namespace().append(old, [record('x')]));
    assert.deepEqual(await textsOf(probe.namespace()), ['c', 'd']);
  });

  it('of two appends with the same head, one succeeds', async (probe) => {
    const namespace = probe.namespace();
    for (const start of [NO_HEAD, await append(probe.namespace('warm'), 'a')]) {
      const target = start === NO_HEAD ? namespace : probe.namespace('warm');
      const before = (await textsOf(target)).length;
      const outcomes = await Promise.allSettled([
        target.append(start, [record('x')]),
        probe.namespace(start === NO_HEAD ? 'n' : 'warm').append(start, [record('y')]),
      ]);
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      const [lost] = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
      assert.ok(lost.reason instanceof WorldsError && lost.reason.code === 'CONFLICT', `it failed with ${lost.reason}`);
      assert.equal((await textsOf(target)).length, before + 1);
    }
  });

  it('writers that retry until they succeed each write exactly once', async (probe) => {
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let turn = 0; turn < 5; turn++) {
        const mine = record(`${writer}.${turn}`);
        for (;;) {
          const head = await probe.namespace().head();
          const outcome = await probe
            .namespace()
            .append(head, [mine])
            .catch((error: unknown) => error);
          if (!(outcome instanceof Error)) break;
          assert.ok(outcome instanceof WorldsError && outcome.code === 'CONFLICT', `it failed with ${outcome}`);
        }
      }
    });
    await Promise.all(writers);
    const texts = await textsOf(probe.namespace());
    assert.equal(new Set(texts).size, 40);
    assert.equal(texts.length, 40);
    for (let writer = 0; writer < 8; writer++)
      assert.deepEqual(
        texts.filter((text) => text.startsWith(`${writer}.`)),
        [0, 1, 2, 3, 4].map((turn) => `${writer}.${turn}`),
        'the order of one writer',
      );
  });

  it('several appends can be in flight, each with the head that its predecessor will return', async (probe) => {
    const namespace = probe.namespace();
    const start = await append(namespace, 'start');
    const heads = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        namespace.append({ ...start, position: 1 + 2 * at }, [record(`${at}a`), record(`${at}b`)]),
      ),
    );
    assert.deepEqual(
      heads.map(({ position }) => position),
      heads.map((_, at) => 3 + 2 * at),
    );
    await probe.reopen();
    const expected = heads.flatMap((_, at) => [`${at}a`, `${at}b`]);
    assert.deepEqual(await textsOf(probe.namespace(), start), expected);
  });

  it('if an append in flight fails, those that depend on it fail too, and no others', async (probe) => {
    const namespace = probe.namespace();
    const start = await append(namespace, 'start');
    const at = (position: number) => ({ ...start, position });
    const outcomes = await Promise.allSettled([
      namespace.append(at(1), [record('a')]),
      namespace.append(at(5), [record('x')]),
      namespace.append(at(6), [record('x')]),
      namespace.append(at(2), [record('b')]),
      namespace.append(at(3), []),
      namespace.append(at(3), [record('c')]),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(await textsOf(namespace, start), ['a', 'b', 'c']);
  });

  it('an empty list and malformed ids throw INVALID_ARGUMENT and write nothing', async (probe) => {
    const namespace = probe.namespace();
    await fails('INVALID_ARGUMENT', () => namespace.append(NO_HEAD, []));
    for (const id of ['', 'x', '0'.repeat(31), '0'.repeat(33), 'g'.repeat(32), 'A'.repeat(32), `${'0'.repeat(32)}\n`])
      await fails('INVALID_ARGUMENT', () => namespace.append(NO_HEAD, [record('fine'), { id, chunks: [] }]));
    assert.deepEqual(await namespace.head(), NO_HEAD);
    assert.deepEqual(await probe.namespaces(), []);
  });

  it('a record is returned with its id, and its chunks joined', async (probe) => {
    const whole = patternBytes(1_000, 7);
    const records = [
      { id: 'a0'.repeat(16), chunks: [...pieces(whole)] },
      { id: '0b'.repeat(16), chunks: [] },
      { id: 'ff'.repeat(16), chunks: [new Uint8Array(0), new Uint8Array(0)] },
      { id: '00'.repeat(16), chunks: [whole.subarray(13, 14), new Uint8Array(0), whole.subarray(900)] },
    ];
    await probe.namespace().append(NO_HEAD, records);
    for (let round = 0; round < 2; round++) {
      const found = await all(probe.namespace().read(NO_HEAD));
      assert.deepEqual(
        found.map(({ id, data }) => ({ id, data: Buffer.from(data).toString('hex') })),
        records.map(({ id, chunks }) => ({ id, data: Buffer.concat(chunks).toString('hex') })),
      );
      await probe.reopen();
    }
  });

  it('neither modifies nor retains the chunks of an append, and the reader owns the data of a record', async (probe) => {
    const bytes = Buffer.from('before');
    const appended = { ...record(''), chunks: [bytes] };
    await probe.namespace().append(NO_HEAD, [appended]);
    assert.equal(bytes.toString(), 'before');
    bytes.fill('x');
    const [read] = await all(probe.namespace().read(NO_HEAD));
    assert.equal(Buffer.from(read.data).toString(), 'before');
    read.data.fill(0);
    assert.deepEqual(await textsOf(probe.namespace()), ['before']);
  });

  it('large records among small ones are returned complete', async (probe) => {
    const large = [patternBytes(LARGE_BYTES, 1), patternBytes(2 ** 20, 2), patternBytes(2 ** 20 + 1, 3)];
    const head = await append(probe.namespace(), 'small');
    await probe
      .namespace()
      .append(head, [...large.map((bytes) => ({ ...record(''), chunks: [...pieces(bytes)] })), record('small again')]);
    await append(probe.namespace(), 'last');
    for (let round = 0; round < 2; round++) {
      const found = (await all(probe.namespace().read(head))).map(({ data }) => Buffer.from(data));
      assert.equal(found.length, 5);
      for (const [at, bytes] of large.entries()) assert.ok(found[at].equals(bytes), `large record ${at} is another`);
      assert.deepEqual(found.slice(3).map(String), ['small again', 'last']);
      await probe.reopen();
    }
  });
}
