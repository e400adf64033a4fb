import type { Answer } from '../../src/sparql/answer.ts';
import type { Peer } from '../../src/sparql/peers.ts';
import type { SparqlStore } from '../../src/sparql/sparql-store.ts';
import type { Task } from '../../src/sparql/task.ts';
import type { Workload } from '../../src/sparql/workload.ts';

export const workload: Workload = {
  input: { name: 'nothing', bytes: Buffer.from(''), contentType: 'application/n-triples' },
  queries: [],
  origin: 'queries',
  expected: new Map(),
};

/** A store that holds nothing but a number of quads; its peers are used by fake tasks only. */
export function fakeStore(quads: () => number = () => 1): SparqlStore {
  const never = async () => {
    throw new Error('A fake task asks no store.');
  };
  const done = async () => undefined;
  return { load: done, query: never, update: never, dump: never, countQuads: async () => quads(), release: done };
}

export function fakePeer(name: string, more: Partial<Peer> = {}): Peer {
  const product = { name, version: () => `${name} 1`, open: async () => fakeStore() };
  return { name, product, delivery: 'terms', language: 'sparql', store: fakeStore(), workload, ...more };
}

/**
 * A task that answers what it is told for a peer, and notes who was asked; undefined: no answer.
 */
export function fakeTask(
  name: string,
  answerOf: (peer: Peer, run: number) => Answer | undefined,
  more: Partial<Task> = {},
): Task & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    name,
    kind: 'query',
    operations: 1,
    anyRows: false,
    isFor: () => true,
    asked,
    prepare: async (peer) => ({
      isRepeatable: false,
      async run() {
        asked.push(peer.name);
        const answer = answerOf(peer, asked.length);
        return answer && (() => answer);
      },
    }),
    ...more,
  };
}
