import assert from 'node:assert/strict';
import { WorldsError } from '@rdf-worlds/core';
import { append, record, type StorageProbe, textsOf } from './storage-probe.ts';

type Case = (name: string, test: (probe: StorageProbe) => Promise<void>) => void;

/** Longer than any case takes. */
const LONG_MS = 600_000;

/** Cases for reservations, which a storage need not have. */
export function reservationCases(it: Case): void {
  const ifReserving = (name: string, test: (probe: StorageProbe) => Promise<void>): void =>
    it(name, async (probe) => {
      if (probe.namespace().reserve) await test(probe);
    });

  ifReserving('who has reserved the next appends makes them; others wait or throw CONFLICT', async (probe) => {
    const [mine, other] = [probe.namespace(), probe.namespace()];
    const head = await append(mine, 'a');
    const release = await mine.reserve!(LONG_MS);
    const refused = other.append(head, [record('other')]).then(
      () => assert.fail('an append of another handle was accepted'),
      (error: unknown) => assert.ok(error instanceof WorldsError && error.code === 'CONFLICT', String(error)),
    );
    const next = await mine.append(await mine.append(head, [record('b')]), [record('c')]);
    await refused;
    await release();
    await other.append(next, [record('d')]);
    assert.deepEqual(await textsOf(probe.namespace()), ['a', 'b', 'c', 'd']);
  });

  ifReserving('an append that waits for a reservation succeeds if that ends without an append', async (probe) => {
    const [mine, other] = [probe.namespace(), probe.namespace()];
    const head = await append(mine, 'a');
    const release = await mine.reserve!(LONG_MS);
    const appended = (async () => {
      for (;;) {
        try {
          return await other.append(head, [record('b')]);
        } catch (error) {
          if (!(error instanceof WorldsError && error.code === 'CONFLICT')) throw error;
        }
      }
    })();
    await release();
    await appended;
    assert.deepEqual(await textsOf(probe.namespace()), ['a', 'b']);
  });

  ifReserving('turns come in the order of the calls', async (probe) => {
    const handles = Array.from({ length: 4 }, () => probe.namespace());
    await append(handles[0], 'first');
    const order: number[] = [];
    const release = await handles[0].reserve!(LONG_MS);
    const turns: Promise<void>[] = [];
    for (const [at, handle] of handles.entries()) {
      if (at === 0) continue;
      let isReserved = false;
      const turn = handle.reserve!(LONG_MS).then(async (end) => {
        isReserved = true;
        order.push(at);
        await append(handle, `${at}`);
        await end();
      });
      turns.push(turn);
      // Long enough for the request to have arrived.
      for (let round = 0; round < 10; round++) await probe.namespace().head();
      assert.ok(!isReserved, 'two reservations at the same time');
    }
    await release();
    await Promise.all(turns);
    assert.deepEqual(order, [1, 2, 3]);
    assert.deepEqual(await textsOf(probe.namespace()), ['first', '1', '2', '3']);
  });

  ifReserving('a reservation whose holder has died ends when its time is over', async (probe) => {
    const head = await append(probe.namespace(), 'a');
    await probe.namespace().reserve!(1);
    const release = await probe.namespace().reserve!(1);
    await probe.namespace().append(head, [record('b')]);
    await release();
    assert.deepEqual(await textsOf(probe.namespace()), ['a', 'b']);
  });

  ifReserving('a reservation of a namespace that does not exist hinders nobody', async (probe) => {
    await probe.namespace().reserve!(LONG_MS);
    await append(probe.namespace(), 'a');
    assert.deepEqual(await textsOf(probe.namespace()), ['a']);
  });
}
