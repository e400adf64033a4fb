import assert from 'node:assert/strict';
import { append, type StorageProbe, segment } from './storage-probe.ts';

type Case = (name: string, test: (probe: StorageProbe) => Promise<void>) => void;

/** Longer than any case takes. */
const LONG_MS = 600_000;

/** Cases for claims of checkpoints, which a storage need not have. */
export function claimCases(it: Case): void {
  const ifClaiming = (name: string, test: (probe: StorageProbe) => Promise<void>): void =>
    it(name, async (probe) => {
      if (probe.namespace().claimCheckpoint) await test(probe);
    });

  ifClaiming('one handle at a time has the claim, and all learn of the newest checkpoint', async (probe) => {
    const [mine, other] = [probe.namespace(), probe.namespace()];
    const head = await append(mine, 'a', 'b');
    const claim = await mine.claimCheckpoint!(LONG_MS);
    assert.equal(claim.newest, 0);
    assert.ok(claim.release, 'a claim without another was not granted');
    assert.deepEqual(await other.claimCheckpoint!(LONG_MS), { newest: 0, release: undefined });
    assert.ok((await mine.claimCheckpoint!(LONG_MS)).release, 'the claim was not prolonged');
    await mine.writeCheckpoint(head, [segment('s', 'x')]);
    assert.deepEqual(await other.claimCheckpoint!(LONG_MS), { newest: 2, release: undefined });
    await claim.release();
    const taken = await other.claimCheckpoint!(LONG_MS);
    assert.equal(taken.newest, 2);
    assert.ok(taken.release, 'a claim that was released was not granted');
  });

  ifClaiming('a claim ends when its time is over, and hinders no checkpoint', async (probe) => {
    const [mine, other] = [probe.namespace(), probe.namespace()];
    const head = await append(mine, 'a');
    await mine.claimCheckpoint!(1);
    for (let taken = await other.claimCheckpoint!(LONG_MS); !taken.release; )
      taken = await other.claimCheckpoint!(LONG_MS);
    await mine.writeCheckpoint(head, [segment('s', 'x')]);
    assert.equal((await mine.claimCheckpoint!(LONG_MS)).newest, 1);
  });
}
