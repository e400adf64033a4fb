import assert from 'node:assert/strict';
import { type Head, NO_HEAD } from '@rdf-worlds/core/plugin';
import { append, checkpointText, fails, record, type StorageProbe, segment, textsOf } from './storage-probe.ts';

type Case = (name: string, test: (probe: StorageProbe) => Promise<void>) => void;

/** Cases for the generation: checkpoints that omit terms, and who may write after them. */
export function generationCases(it: Case): void {
  it('the generation is 0, and only a checkpoint with a confirmation raises it, by one, in every head', async (probe) => {
    const namespace = probe.namespace();
    const head = await append(namespace, 'a', 'b');
    assert.equal(head.generation, 0);
    await namespace.writeCheckpoint(head, [segment('plain', '0')]);
    assert.deepEqual(await namespace.head(), head);
    for (const generation of [1, 2]) {
      const at = { ...head, generation: generation - 1 };
      await probe.namespace().writeCheckpoint(at, [segment('omits', `${generation}`)], async () => at);
      for (let round = 0; round < 2; round++) {
        assert.deepEqual(await probe.namespace().head(), { ...head, generation });
        assert.deepEqual((await probe.namespace().checkpoint())!.at, { ...head, generation });
        for await (const { head: after } of probe.namespace().read(NO_HEAD)) assert.equal(after.generation, generation);
        await probe.reopen();
      }
    }
    assert.deepEqual(await append(probe.namespace(), 'c'), { ...head, position: 3, generation: 2 });
  });

  it('an append and a checkpoint of an earlier generation throw CONFLICT and write nothing; reading continues', async (probe) => {
    const namespace = probe.namespace();
    const old = await append(namespace, 'a', 'b');
    await namespace.writeCheckpoint(old, [segment('s', 'x')], async () => old);
    const now = { ...old, generation: 1 };
    await fails('CONFLICT', () => probe.namespace().append(old, [record('c')]));
    await fails('CONFLICT', () => probe.namespace().writeCheckpoint(old, [segment('t', 'y')]));
    await fails('CONFLICT', () => probe.namespace().writeCheckpoint(old, [segment('t', 'y')], async () => old));
    await fails('CONFLICT', () => probe.namespace().append({ ...old, generation: 2 }, [record('c')]));
    assert.deepEqual(await probe.namespace().head(), now);
    assert.equal(await checkpointText(probe.namespace()), '2: s=x');
    assert.deepEqual(await textsOf(probe.namespace(), { ...old, position: 1 }), ['b']);
    assert.equal((await probe.namespace().append(now, [record('c')])).position, 3);
    await probe.namespace().writeCheckpoint({ ...now, position: 3 }, [segment('t', 'y')]);
    assert.equal(await checkpointText(probe.namespace()), '3: t=y');
  });

  it('a checkpoint asks for the head again as long as it has moved, with all segments stored', async (probe) => {
    const namespace = probe.namespace();
    const head = await append(namespace, 'a');
    let stored = 0;
    const asked: Head[] = [];
    const segments = ['one', 'two'].map((name) => ({
      name,
      *write() {
        yield Buffer.from(name);
        stored++;
      },
    }));
    await namespace.writeCheckpoint(head, segments, async () => {
      assert.equal(stored, 2, 'asked before the segments were stored');
      const known = await namespace.head();
      asked.push(known);
      if (asked.length < 4) await append(namespace, `${asked.length}`);
      return known;
    });
    assert.deepEqual(
      asked.map(({ position }) => position),
      [1, 2, 3, 4],
    );
    assert.equal(stored, 2, 'segments were written again');
    assert.deepEqual(await namespace.head(), { ...head, position: 4, generation: 1 });
    assert.equal(await checkpointText(namespace), '1: one=one two=two');
    assert.deepEqual(await textsOf(namespace, head), ['1', '2', '3']);
  });

  it('a checkpoint that is not confirmed changes nothing and leaves nothing', async (probe) => {
    const namespace = probe.namespace();
    const head = await append(namespace, 'a', 'b');
    await namespace.writeCheckpoint(head, [segment('old', '1')]);
    const before = await namespace.stats();
    const refusal = new Error('not now');
    await assert.rejects(
      namespace.writeCheckpoint(head, [segment('new', '2')], async () => {
        throw refusal;
      }),
      refusal,
    );
    assert.deepEqual(await namespace.head(), head);
    assert.equal(await checkpointText(namespace), '2: old=1');
    assert.deepEqual(await namespace.stats(), before);
    assert.equal((await append(namespace, 'c')).generation, 0);
  });

  it('of two checkpoints that omit terms, confirmed at the same head, one is refused', async (probe) => {
    const head = await append(probe.namespace(), 'a');
    const outcomes = await Promise.allSettled(
      ['x', 'y'].map((name) => probe.namespace().writeCheckpoint(head, [segment(name, name)], async () => head)),
    );
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal((await probe.namespace().head()).generation, 1);
  });

  it('a namespace that was dropped continues in the generation of its head, and the next drop raises that', async (probe) => {
    let head = await append(probe.namespace(), 'a');
    await probe.namespace().writeCheckpoint(head, [segment('s', 'x')], async () => head);
    for (let round = 0; round < 3; round++) {
      await probe.namespace().drop();
      await probe.reopen();
      const missing = await probe.namespace().head();
      assert.deepEqual({ ...missing, generation: 0 }, NO_HEAD);
      if (probe.storage.capabilities.shared) assert.ok(missing.generation > head.generation);
      // Dropping a namespace that does not exist changes nothing.
      await probe.namespace().drop();
      await probe.namespace().drop(missing);
      assert.deepEqual(await probe.namespace().head(), missing);
      head = await probe.namespace().append(missing, [record('b')]);
      assert.equal(head.generation, missing.generation);
      assert.deepEqual(await probe.namespace().head(), head);
    }
  });

  it('on a shared storage, a first append from before the whole life of a namespace throws CONFLICT', async (probe) => {
    if (!probe.storage.capabilities.shared) return;
    const late = await probe.namespace().head();
    await append(probe.namespace(), 'a');
    await probe.namespace().drop();
    await fails('CONFLICT', () => probe.namespace().append(late, [record('late')]));
    assert.deepEqual(await textsOf(probe.namespace()), []);
    await append(probe.namespace(), 'b');
    await fails('CONFLICT', () => probe.namespace().append(late, [record('late')]));
    assert.deepEqual(await textsOf(probe.namespace()), ['b']);
  });

  it('a drop at another head throws CONFLICT and deletes nothing', async (probe) => {
    const namespace = probe.namespace();
    const head = await append(namespace, 'a', 'b');
    for (const other of [
      NO_HEAD,
      { ...head, position: 1 },
      { ...head, generation: 1 },
      { ...head, incarnation: 'other' },
    ])
      await fails('CONFLICT', () => namespace.drop(other));
    assert.deepEqual(await textsOf(probe.namespace()), ['a', 'b']);
    await namespace.drop(head);
    await fails('CONFLICT', () => namespace.drop(head));
    const missing = await namespace.head();
    assert.equal(missing.position, 0);
    await namespace.drop(missing);
    assert.deepEqual(await namespace.head(), missing);
    await probe.reopen();
    assert.deepEqual(await probe.namespace().head(), missing);
  });
}
