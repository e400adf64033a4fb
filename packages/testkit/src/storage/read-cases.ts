import assert from 'node:assert/strict';
import { type Head, NO_HEAD } from '@rdf-worlds/core/plugin';
import { all, append, fails, type StorageProbe, segment, textsOf } from './storage-probe.ts';

type Case = (name: string, test: (probe: StorageProbe) => Promise<void>) => void;

/** Cases for reading the log and truncating its beginning. */
export function readCases(it: Case): void {
  it('reads after any head, in log order', async (probe) => {
    const head = await append(probe.namespace(), 'a', 'b', 'c', 'd');
    for (let position = 0; position <= 4; position++) {
      const expected = ['a', 'b', 'c', 'd'].slice(position);
      assert.deepEqual(await textsOf(probe.namespace(), { ...head, position }), expected, `behind ${position}`);
    }
    const records = await all(probe.namespace().read(NO_HEAD));
    assert.deepEqual(
      records.map((found) => found.head),
      [1, 2, 3, 4].map((position) => ({ ...head, position })),
    );
  });

  it('throws TRUNCATED for positions beyond the head and for another incarnation', async (probe) => {
    const never: Head = { incarnation: 'made-up', position: 0, generation: 0 };
    await fails('TRUNCATED', () => textsOf(probe.namespace(), never));
    await fails('TRUNCATED', () => textsOf(probe.namespace(), { incarnation: '', position: 1, generation: 0 }));
    const head = await append(probe.namespace(), 'a', 'b');
    for (const after of [
      never,
      { ...head, position: 3 },
      { incarnation: 'made-up', position: 2, generation: 0 },
      { incarnation: '', position: 1, generation: 0 },
    ])
      await fails('TRUNCATED', () => textsOf(probe.namespace(), after));
  });

  it('ends at the head at which it began', async (probe) => {
    await append(probe.namespace(), 'a', 'b', 'c');
    const texts: string[] = [];
    for await (const { data } of probe.namespace().read(NO_HEAD)) {
      texts.push(Buffer.from(data).toString());
      await append(probe.namespace(), `after ${texts.length}`);
    }
    assert.deepEqual(texts, ['a', 'b', 'c']);
  });

  it('concurrent readers do not affect each other, and one may stop early', async (probe) => {
    const texts = Array.from({ length: 50 }, (_, at) => `${at}`);
    await append(probe.namespace(), ...texts);
    const first = async () => {
      for await (const { data } of probe.namespace().read(NO_HEAD)) return Buffer.from(data).toString();
      return undefined;
    };
    const [one, other, third] = await Promise.all([textsOf(probe.namespace()), first(), textsOf(probe.namespace())]);
    assert.deepEqual([one, other, third], [texts, '0', texts]);
    await probe.namespace().drop();
  });

  it('throws ABORTED when the signal fires, before the first record and between two', async (probe) => {
    await append(probe.namespace(), 'a', 'b', 'c');
    await fails('ABORTED', () => all(probe.namespace().read(NO_HEAD, AbortSignal.abort())));
    const abort = new AbortController();
    const read: number[] = [];
    await fails('ABORTED', async () => {
      for await (const { head } of probe.namespace().read(NO_HEAD, abort.signal)) {
        read.push(head.position);
        if (head.position === 2) abort.abort();
      }
    });
    assert.deepEqual(read, [1, 2]);
  });

  it('truncation deletes records and keeps the head and the others', async (probe) => {
    const head = await append(probe.namespace(), 'a', 'b', 'c', 'd');
    const at = (position: number) => ({ ...head, position });
    await probe.namespace().writeCheckpoint(at(3), [segment('s', 'abc')]);
    await probe.namespace().truncate(at(2));
    for (let round = 0; round < 2; round++) {
      assert.deepEqual(await probe.namespace().head(), head);
      for (const after of [NO_HEAD, at(0), at(1)]) await fails('TRUNCATED', () => textsOf(probe.namespace(), after));
      assert.deepEqual(await textsOf(probe.namespace(), at(2)), ['c', 'd']);
      assert.deepEqual(await textsOf(probe.namespace(), at(4)), []);
      await probe.reopen();
    }
  });

  it('truncating again, or to an earlier position, changes nothing', async (probe) => {
    const head = await append(probe.namespace(), 'a', 'b', 'c');
    const at = (position: number) => ({ ...head, position });
    await probe.namespace().writeCheckpoint(head, [segment('s', 'abc')]);
    await probe.namespace().truncate(at(0));
    assert.deepEqual(await textsOf(probe.namespace()), ['a', 'b', 'c']);
    for (const position of [2, 2, 1, 0]) await probe.namespace().truncate(at(position));
    assert.deepEqual(await textsOf(probe.namespace(), at(2)), ['c']);
  });

  it('records after the newest checkpoint cannot be truncated', async (probe) => {
    const head = await append(probe.namespace(), 'a', 'b', 'c');
    const at = (position: number) => ({ ...head, position });
    await fails('INVALID_ARGUMENT', () => probe.namespace().truncate(at(1)));
    await probe.namespace().writeCheckpoint(at(2), [segment('s', 'ab')]);
    for (const position of [3, 4]) await fails('INVALID_ARGUMENT', () => probe.namespace().truncate(at(position)));
    await fails('CONFLICT', () => probe.namespace().truncate({ incarnation: 'made-up', position: 1, generation: 0 }));
    assert.deepEqual(await textsOf(probe.namespace()), ['a', 'b', 'c']);
    await probe.namespace().truncate(at(2));
  });

  it('the log continues after it was truncated completely', async (probe) => {
    const head = await append(probe.namespace(), 'a', 'b');
    await probe.namespace().writeCheckpoint(head, [segment('s', 'ab')]);
    await probe.namespace().truncate(head);
    assert.equal((await probe.namespace().stats()).logRecords, 0);
    await probe.reopen();
    assert.deepEqual(await textsOf(probe.namespace(), head), []);
    await append(probe.namespace(), 'c');
    await probe.reopen();
    await append(probe.namespace(), 'd');
    assert.deepEqual(await textsOf(probe.namespace(), head), ['c', 'd']);
  });

  it('a reader whose records are truncated or dropped meanwhile returns the right ones or throws', async (probe) => {
    for (const forget of ['truncate', 'drop'] as const) {
      const namespace = probe.namespace(forget);
      const texts = Array.from({ length: 20 }, (_, at) => `${at}`);
      const head = await append(namespace, ...texts);
      await namespace.writeCheckpoint(head, [segment('s', 'x')]);
      const read: string[] = [];
      const reading = async () => {
        for await (const { data } of namespace.read(NO_HEAD)) {
          read.push(Buffer.from(data).toString());
          if (read.length === 3) await (forget === 'drop' ? namespace.drop() : namespace.truncate(head));
        }
      };
      const outcome = await reading().catch((error: unknown) => error);
      assert.deepEqual(read, texts.slice(0, read.length));
      if (read.length < texts.length) await fails('TRUNCATED', () => Promise.reject(outcome));
    }
  });
}
