import assert from 'node:assert/strict';
import { type NamespaceStorage, NO_HEAD, type Remains } from '@rdf-worlds/core/plugin';
import { append, checkpointText, fails, type StorageProbe, segment, textsOf } from './storage-probe.ts';

type Case = (name: string, test: (probe: StorageProbe) => Promise<void>) => void;

/**
 * Cases for reading what remains of a namespace and rebuilding it from one checkpoint, for storages
 * that support both.
 */
export function salvageCases(it: Case): void {
  const itSalvages = (name: string, test: (probe: StorageProbe) => Promise<void>): void =>
    it(name, async (probe) => {
      const { remains, rebuild } = probe.namespace();
      assert.equal(remains === undefined, rebuild === undefined, 'remains and rebuild come together');
      if (remains) await test(probe);
    });

  itSalvages('nothing remains of a namespace that was never written to, or was dropped', async (probe) => {
    assert.equal(await probe.namespace().remains!(), undefined);
    await append(probe.namespace(), 'a');
    await probe.namespace().drop();
    assert.equal(await probe.namespace().remains!(), undefined);
    assert.deepEqual(await probe.namespaces(), []);
  });

  itSalvages('the last two checkpoints remain, newest first, with the log after each', async (probe) => {
    const namespace = probe.namespace();
    const heads = [];
    for (const text of ['a', 'b', 'c']) {
      const head = await append(namespace, text);
      await namespace.writeCheckpoint(head, [segment('shared', 'same'), segment(`of-${text}`, text)]);
      heads.push(head);
    }
    const head = await append(namespace, 'd', 'e');
    await namespace.truncate(heads[0]);
    for (let round = 0; round < 2; round++) {
      const left = await leftOf(probe.namespace());
      assert.deepEqual(left.logStart, heads[0]);
      assert.deepEqual(
        left.checkpoints.map(({ at }) => at),
        [heads[2], heads[1]],
      );
      assert.deepEqual(await Promise.all(left.checkpoints.map(textsIn)), [
        ['shared=same', 'of-c=c'],
        ['shared=same', 'of-b=b'],
      ]);
      assert.deepEqual(await textsBehind(left, 2), ['c', 'd', 'e']);
      assert.deepEqual(await textsBehind(left, 3), ['d', 'e']);
      assert.deepEqual(await textsBehind(left, head.position), []);
      await fails('TRUNCATED', () => textsBehind(left, 0));
      await probe.reopen();
    }
  });

  itSalvages(
    'a rebuild replaces everything by one checkpoint; the head stays, and the log continues',
    async (probe) => {
      const namespace = probe.namespace();
      await namespace.writeCheckpoint(await append(namespace, 'a', 'b'), [segment('old', 'x')]);
      const head = await append(namespace, 'c');
      await namespace.rebuild!(head, [segment('old', 'another'), segment('new', 'y')]);
      for (let round = 0; round < 2; round++) {
        assert.deepEqual(await probe.namespace().head(), head);
        assert.equal(await checkpointText(probe.namespace()), '3: old=another new=y');
        assert.deepEqual((await leftOf(probe.namespace())).checkpoints.length, 1);
        await fails('TRUNCATED', () => textsOf(probe.namespace()));
        await probe.reopen();
      }
      await append(probe.namespace(), 'd');
      assert.deepEqual(await textsOf(probe.namespace(), head), ['d']);
      await probe.namespace().writeCheckpoint(await probe.namespace().head(), [segment('old', 'never written')]);
      await probe.reopen();
      assert.equal(await checkpointText(probe.namespace()), '4: old=another');
    },
  );

  itSalvages('a rebuild at another position than the head is rejected and changes nothing', async (probe) => {
    const namespace = probe.namespace();
    const first = await append(namespace, 'a');
    const head = await append(namespace, 'b');
    const rebuild = (at: typeof head) => namespace.rebuild!(at, [segment('s', 'x')]);
    await assert.rejects(rebuild(first));
    await assert.rejects(rebuild({ ...head, position: 3 }));
    await assert.rejects(rebuild({ ...head, incarnation: 'other' }));
    await assert.rejects(rebuild(NO_HEAD));
    await assert.rejects(namespace.rebuild!(head, failing()), /of the source/);
    assert.deepEqual(await probe.namespace().head(), head);
    assert.equal(await probe.namespace().checkpoint(), undefined);
    assert.deepEqual(await textsOf(probe.namespace()), ['a', 'b']);
  });
}

function* failing() {
  yield segment('s', 'x');
  throw new Error('A failure of the source.');
}

async function leftOf(namespace: NamespaceStorage): Promise<Remains> {
  const left = await namespace.remains!();
  assert.ok(left, 'something is left');
  return left;
}

async function textsIn({ segments }: Remains['checkpoints'][number]): Promise<string[]> {
  return Promise.all(segments.map(async ({ name, read }) => `${name}=${Buffer.from(await read()).toString()}`));
}

async function textsBehind(left: Remains, position: number): Promise<string[]> {
  const texts: string[] = [];
  for await (const { data } of left.read({ ...left.logStart, position })) texts.push(Buffer.from(data).toString());
  return texts;
}
