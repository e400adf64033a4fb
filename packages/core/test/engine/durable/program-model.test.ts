import { fileStorage } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SimulatedFileSystem } from '../../../../storage-file/test/power-cut/simulated-file-system.ts';
import { WorldsEngine, WorldsError } from '../../../src/index.ts';
import { ChangesReplica } from './changes-replica.ts';
import { contentOf, expectContents, textOf } from './crash/crash-expectation.ts';
import { type Content, makeShared, type Scale, stepOf, WORKERS } from './crash/crash-program.ts';

const SCALE: Scale = { quads: 80, many: 30, some: 5 };
const RUNS = Number(process.env.DURABLE_MODEL_RUNS ?? 15);
const SEED = Number(process.env.DURABLE_MODEL_SEED ?? 6);

const worker = fc.nat(WORKERS.length - 1);
const step = fc.record({ worker, n: fc.nat(1e6) });
const operation = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant('step' as const), step }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('steps at once' as const),
      steps: fc.uniqueArray(step, { minLength: 2, maxLength: 5, selector: ({ worker }) => worker }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('write to another revision' as const), worker }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('search' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('follow' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('checkpoint' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('compact' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('back up and restore' as const), step, goesOn: fc.boolean() }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;

/** A durable engine, and what it must hold. */
class Tested {
  engine!: WorldsEngine;
  contents: Content[] = WORKERS.map(() => null);
  replica = new ChangesReplica();
  #files: SimulatedFileSystem;
  readonly #random: SeededRandom;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
    this.#files = new SimulatedFileSystem(() => this.#random.next());
  }

  async open(): Promise<void> {
    this.engine = await WorldsEngine.open(this.#options(this.#files));
    await makeShared(this.engine);
  }

  async do(one: Operation): Promise<void> {
    switch (one.do) {
      case 'step':
        await this.#steps([one.step]);
        break;
      case 'steps at once':
        await this.#steps(one.steps);
        break;
      case 'write to another revision':
        await this.#writeToAnotherRevision(WORKERS[one.worker]);
        break;
      case 'search':
        await expectContents(this.engine, this.contents, 2);
        break;
      case 'follow':
        await this.replica.follow(this.engine, this.contents);
        break;
      case 'checkpoint':
        await this.engine.checkpoint();
        break;
      case 'compact':
        await this.engine.compact();
        break;
      case 'close':
        await this.engine.close();
        await this.open();
        break;
      case 'crash':
        this.#files = this.#files.afterKill();
        await this.open();
        break;
      case 'back up and restore':
        await this.#restored(one.step, one.goesOn);
        break;
    }
  }

  #options(fileSystem: SimulatedFileSystem) {
    return {
      storage: fileStorage({ path: '/data', fileSystem, maxLogFileBytes: this.#random.pick([1, 3000, 100_000]) }),
      checkpointLogBytes: this.#random.pick([5000, 100_000]),
      retainChangesBytes: this.#random.pick([0, 3000, 100_000]),
      maxMemoryBytes: this.#random.pick([undefined, 2_000_000]),
    };
  }

  async #steps(steps: readonly { worker: number; n: number }[]): Promise<void> {
    await Promise.all(
      steps.map(async ({ worker, n }) => {
        const step = stepOf(SEED, worker, n, SCALE);
        await step.run(this.engine, WORKERS[worker], this.contents[worker] !== null);
        this.contents[worker] = step.apply(this.contents[worker]);
      }),
    );
  }

  async #writeToAnotherRevision(source: string): Promise<void> {
    const world = await this.engine.getWorld({ source });
    if (!world) return;
    const query = 'DROP ALL ; INSERT DATA { <urn:not> <urn:to-be> "key0 there" }';
    const update = this.engine.update({ sources: [source], query, ifRevision: world.revision + 1 });
    await expect(update).rejects.toMatchObject({ code: 'CONFLICT' });
  }

  /** A step is made while the backup is read: it may be in it or not. */
  async #restored(one: { worker: number; n: number }, goesOn: boolean): Promise<void> {
    const { worker } = one;
    const before = this.contents[worker];
    const [backup] = await Promise.all([bytesOf(this.engine.backupStream()), this.#steps([one])]);
    const files = new SimulatedFileSystem(() => this.#random.next());
    const copy = await WorldsEngine.restore(backup, this.#options(files));
    const found = await contentOf(copy, WORKERS[worker]);
    expect([textOf(before), textOf(this.contents[worker])]).toContain(textOf(found));
    await expectContents(copy, this.contents.with(worker, found), 2);
    if (!goesOn) {
      await copy.close();
      return;
    }
    await this.engine.close();
    this.engine = copy;
    this.#files = files;
    this.contents[worker] = found;
    // Changes of a backup have no past.
    this.replica = new ChangesReplica();
  }
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(Buffer.from(chunk));
  return Buffer.concat(all);
}

let commitsFollowed = 0;

it('an engine on files is its model: through all kinds of changes, crashes, checkpoints, compactions, backups and searches', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40 }), fc.nat(), async (operations, seed) => {
      const tested = new Tested(seed);
      await tested.open();
      for (const one of operations) {
        await tested.do(one).catch((cause) => {
          throw cause instanceof WorldsError ? new Error(`${one.do}: ${cause.code}: ${cause.stack}`, { cause }) : cause;
        });
        await expectContents(tested.engine, tested.contents, 0);
      }
      await tested.replica.follow(tested.engine, tested.contents);
      commitsFollowed += tested.replica.commits;
      await tested.engine.close();
    }),
    { numRuns: RUNS, seed: SEED },
  );
  expect(commitsFollowed).toBeGreaterThan(RUNS);
}, 7_200_000);
