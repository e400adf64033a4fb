import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installedPeer } from '../../src/search/installed-peer.ts';
import { checkAnswers } from '../../src/sparql/check-answers.ts';
import { wantsAnyRows } from '../../src/sparql/named-query.ts';
import { PEER_KINDS, type Peer, type PeerKind, WORLDS } from '../../src/sparql/peers.ts';
import { openWorkload, type Workload } from '../../src/sparql/workload.ts';
import { WORKLOAD_NAMES } from '../../src/workloads/workloads.ts';

const PERCENT = 1;
const hasDuckDb = (await installedPeer('@duckdb/node-api', undefined)).isThere;
if (!hasDuckDb) console.warn('DuckDB is not installed (npm run bench:peers): its answers are not compared.');

describe.each(WORKLOAD_NAMES)('%s', (name) => {
  let workload: Workload;
  const peers: Peer[] = [];
  beforeAll(async () => {
    workload = await openWorkload({ workload: name, percent: PERCENT, quads: 0, seed: 1, size: '1m' });
    const kinds: PeerKind[] = [WORLDS, PEER_KINDS.oxigraph];
    if (hasDuckDb) kinds.push(PEER_KINDS.duckdb, PEER_KINDS['duckdb-ids']);
    for (const kind of kinds) {
      const store = await kind.product.open(0);
      await store.prepare?.(workload.input);
      await store.load(workload.input);
      peers.push({ ...kind, store, workload });
    }
  });
  afterAll(async () => {
    for (const { store } of peers) await store.release();
  });

  it('every store holds the same number of quads', async () => {
    const counts = await Promise.all(peers.map(({ store }) => store.countQuads()));
    expect(new Set(counts).size).toBe(1);
    expect(counts[0]).toBeGreaterThan(7000);
  });

  it('every query has a non-empty answer, the same in every store', async () => {
    const answers = await checkAnswers(workload.queries, peers, () => undefined);
    expect(answers.length).toBe(workload.queries.length * peers.length);
    const empty = answers.filter(({ checksum }) => checksum.startsWith('0 rows')).map(({ query }) => query);
    expect(new Set(empty)).toEqual(new Set());
    expect(workload.queries.filter(wantsAnyRows)).toEqual([]);
  });
});
