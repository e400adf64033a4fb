import { WorldsError } from '@rdf-worlds/core';
import { type NamespaceStorage, NO_HEAD } from '@rdf-worlds/core/plugin';
import { SeededRandom } from '@rdf-worlds/testkit';
import { expect, it } from 'vitest';
import { append, openedStorage, recordOf, segmentOf, textsOf } from './opened-storage.ts';
import { SimulatedFileSystem } from './power-cut/simulated-file-system.ts';
import { steppedFileSystem } from './stepped-file-system.ts';

const SEEDS = 12;

/** Calls that nobody waits for before the storage closes. */
const CALLS: Readonly<Record<string, (namespace: NamespaceStorage) => Promise<unknown>>> = {
  'the first append': (namespace) => namespace.append(NO_HEAD, [recordOf('late')]),
  'an append': async (namespace) => {
    const head = await append(namespace, 'a');
    return () => namespace.append(head, [recordOf('late')]);
  },
  truncating: async (namespace) => {
    await append(namespace, 'a');
    const head = await append(namespace, 'b');
    await namespace.writeCheckpoint(head, [segmentOf('s', 'content')]);
    return () => namespace.truncate(head);
  },
  'a checkpoint': async (namespace) => {
    const head = await append(namespace, 'a');
    return () => namespace.writeCheckpoint(head, [segmentOf('s', 'content')]);
  },
  'a drop': async (namespace) => {
    await append(namespace, 'a');
    return () => namespace.drop();
  },
  'a rebuild': async (namespace) => {
    const head = await append(namespace, 'a');
    return () => namespace.rebuild!(head, [segmentOf('s', 'content')]);
  },
};

it.each(Object.keys(CALLS))('closing waits for %s in progress, and nothing changes afterwards', async (name) => {
  const outcomes = { done: 0, refused: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = new SeededRandom(seed);
    const files = new SimulatedFileSystem(() => random.next());
    let isClosed = false;
    const late: string[] = [];
    const fileSystem = steppedFileSystem(files, (step) => {
      if (isClosed) late.push(`${step.moment} ${step.name}`);
    });
    const storage = await openedStorage(fileSystem);
    const namespace = storage.namespace('n');
    const isFirst = name === 'the first append';
    const call = isFirst ? () => CALLS[name](namespace) : ((await CALLS[name](namespace)) as () => Promise<unknown>);
    let outcome: 'done' | 'refused' | undefined;
    const calling = call().then(
      () => {
        outcome = 'done';
      },
      (error: unknown) => {
        if (!(error instanceof WorldsError)) throw error;
        outcome = 'refused';
      },
    );
    for (let turns = random.below(8); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
    await storage.close();
    isClosed = true;
    // One turn: what is over may still be on its way to its caller.
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcome, `seed ${seed}`).toBeDefined();
    outcomes[outcome!]++;
    await calling;
    for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(late, `seed ${seed}`).toEqual([]);
    const again = await openedStorage(files);
    const texts = await textsOf(again.namespace('n')).catch((error: WorldsError) => error.code);
    if (isFirst && outcome === 'done') expect(texts).toEqual(['late']);
    await again.close();
  }
  expect(outcomes.done).toBeGreaterThan(0);
});

it('a listing in progress loads no namespace once the storage is closing', async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = new SeededRandom(seed);
    const filled = new SimulatedFileSystem(() => random.next());
    const first = await openedStorage(filled);
    for (const name of ['one', 'two', 'three']) await append(first.namespace(name), 'a');
    // Their manifests do not say yet that they have a record: the log is looked at.
    const files = filled.afterKill();
    let isClosed = false;
    const late: string[] = [];
    const storage = await openedStorage(
      steppedFileSystem(files, ({ name }) => {
        if (isClosed && !/^(open|read)/.test(name)) late.push(name);
      }),
    );
    const listing = (async () => {
      for await (const _ of storage.namespaces());
    })().catch((error: unknown) => error);
    for (let turns = random.below(20); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
    await storage.close();
    isClosed = true;
    const outcome = await listing;
    if (outcome !== undefined) expect(outcome).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(late, `seed ${seed}`).toEqual([]);
    await first.close();
  }
});
