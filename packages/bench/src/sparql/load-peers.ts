import { becomeIdle } from '../idle.ts';
import { type Lap, Stopwatch } from '../stopwatch.ts';
import type { Peer, PeerKind, Product } from './peers.ts';
import type { QueryStore } from './sparql-store.ts';
import { roundName, type TaskResult, WARM_ROUNDS } from './task-rounds.ts';
import type { Workload } from './workload.ts';

export interface LoadedPeers {
  /** The peers with the stores of the last round. */
  readonly peers: readonly Peer[];
  readonly result: TaskResult;
}

/**
 * Loads the document with every product in turn, round after round, and keeps the stores of the
 * last round. Throws if they differ in their number of quads.
 */
export async function loadPeers(
  kinds: readonly PeerKind[],
  workload: Workload,
  { rounds, answerMs, from }: { readonly rounds: number; readonly answerMs: number; readonly from?: string },
  progress: (message: string) => void,
): Promise<LoadedPeers> {
  const products = [...new Set(kinds.map(({ product }) => product))];
  const stores = new Map<Product, QueryStore>();
  const laps = new Map<Product, Lap[]>(products.map((product) => [product, []]));
  for (let round = -WARM_ROUNDS; round < rounds; round++) {
    progress(`loading, ${roundName(round, rounds)}`);
    for (let turn = 0; turn < products.length; turn++) {
      const product = products[(turn + round + WARM_ROUNDS) % products.length];
      // One store per product at a time, because a peer may need most of the memory for it.
      await stores.get(product)?.release();
      const store = await product.open(answerMs, from);
      stores.set(product, store);
      await store.prepare?.(workload.input);
      await becomeIdle();
      const watch = new Stopwatch();
      await store.load(workload.input);
      const lap = watch.lap();
      if (round >= 0) laps.get(product)!.push(lap);
      await store.clean?.();
    }
  }
  const peers = kinds.map((kind) => ({ ...kind, workload, store: stores.get(kind.product)! }));
  const [first, ...others] = await Promise.all(peers.map(({ store }) => store.countQuads()));
  for (const [other, quads] of others.entries()) {
    if (quads !== first) throw new Error(`${peers[other + 1].name} holds ${quads} quads, ${peers[0].name} ${first}.`);
  }
  return {
    peers,
    result: {
      task: { name: 'load', anyRows: false },
      answers: kinds.map(() => ({ rows: first, chars: 0 })),
      laps: kinds.map(({ product }, at) =>
        kinds.findIndex((kind) => kind.product === product) === at ? laps.get(product)! : 'shared store',
      ),
    },
  };
}
