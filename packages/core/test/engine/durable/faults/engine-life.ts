import assert from 'node:assert/strict';
import { type FileSystem, fileStorage } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import { WorldsEngine, WorldsError } from '../../../../src/index.ts';
import { contentOf, textOf } from '../crash/crash-expectation.ts';
import { type Content, type Scale, stepOf, WORKERS } from '../crash/crash-program.ts';
import { smallTextIndex } from '../small-text-index.ts';

const SCALE: Scale = { quads: 60, many: 25, some: 4 };

export interface EngineLifeOptions {
  readonly fileSystem: FileSystem;
  readonly seed: number;
  /** Called before each step; the life ends early if it returns true. */
  readonly onStep?: (step: number) => boolean;
  /** Runs a check, during which nothing fails. */
  readonly quietly: <T>(check: () => Promise<T>) => Promise<T>;
}

/**
 * What somebody does with an engine step by step, and what each world may hold: an acknowledged
 * call leaves one possibility, a rejected one what there was, and one that is IN_DOUBT leaves both
 * until the next call that succeeds in the namespace.
 */
export class EngineLife {
  readonly possible: Content[][];
  readonly #options: EngineLifeOptions;
  #engine: WorldsEngine | undefined;

  constructor(options: EngineLifeOptions, possible: Content[][] = WORKERS.map(() => [null])) {
    this.#options = options;
    this.possible = possible;
  }

  async run(steps: number): Promise<void> {
    await this.open();
    const random = new SeededRandom(this.#options.seed + 5);
    for (let at = 0; at < steps; at++) {
      if (this.#options.onStep?.(at)) return;
      const worker = random.below(WORKERS.length);
      const chance = random.next();
      if (chance < 0.08) await this.#reopen();
      else if (chance < 0.18) await outcomeOf(this.#engine!.checkpoint());
      else if (chance < 0.24) await outcomeOf(this.#engine!.compact());
      else if (chance < 0.3) await this.#backup();
      else if (chance < 0.4) await outcomeOf(this.#engine!.search({ query: 'group7' }));
      else await this.#step(worker, at);
      if (at % 4 === 0) await this.check();
    }
  }

  async open(): Promise<WorldsEngine> {
    const random = new SeededRandom(this.#options.seed);
    const options = { maxLogFileBytes: random.pick([1, 1500, 6000]), maxOpenFiles: random.pick([1, 256]) };
    const checkpointLogBytes = random.pick([3000, 10_000, 20_000]);
    const retainChangesBytes = random.pick([0, 4000]);
    for (let left = 200; ; left--) {
      try {
        this.#engine = await WorldsEngine.open({
          storage: fileStorage({ path: '/data', fileSystem: this.#options.fileSystem, ...options }),
          textIndex: smallTextIndex(),
          ...{ checkpointLogBytes, retainChangesBytes },
          // Failures of the background are what this is about.
          logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
        });
        return this.#engine;
      } catch (error) {
        if (left === 0 || !(error instanceof WorldsError) || error.code === 'CORRUPT') throw error;
      }
    }
  }

  async close(): Promise<void> {
    await this.#engine?.close();
  }

  /** Checks that each world is what it may be, and that the engine finds nothing wrong. */
  async check(engine = this.#engine!): Promise<void> {
    await this.#options.quietly(async () => {
      for (const [worker, source] of WORKERS.entries()) await this.#found(engine, worker, source);
      assert.deepEqual((await engine.check()).problems, []);
    });
  }

  /** What a world is, which must be one of the possibilities. */
  async #found(engine: WorldsEngine, worker: number, source: string): Promise<Content> {
    const found = await contentOf(engine, source);
    const one = this.possible[worker].find((each) => textOf(each) === textOf(found));
    const texts = this.possible[worker].map((each) => textOf(each)?.slice(0, 400));
    assert.ok(one !== undefined, `${source} is ${textOf(found)?.slice(0, 400)}, not ${texts.join(' or ')}`);
    return one;
  }

  async #step(worker: number, at: number): Promise<void> {
    const source = WORKERS[worker];
    const step = stepOf(this.#options.seed, worker, at, SCALE);
    const engine = this.#engine!;
    const isThere = await this.#options.quietly(async () => (await contentOf(engine, source)) !== null);
    const before = this.possible[worker].filter((each) => (each !== null) === isThere);
    const outcome = await outcomeOf(step.run(engine, source, isThere));
    if (outcome !== undefined) {
      if (isInDoubt(outcome)) this.possible[worker] = [...this.possible[worker], ...before.map(step.apply)];
      return;
    }
    this.possible[worker] = before.map(step.apply);
    // What was in doubt in the namespace is settled.
    const [namespace] = source.split('/');
    await this.#options.quietly(async () => {
      for (const [other, name] of WORKERS.entries())
        if (name.startsWith(`${namespace}/`)) this.possible[other] = [await this.#found(engine, other, name)];
    });
  }

  async #reopen(): Promise<void> {
    await outcomeOf(this.#engine!.close());
    await this.open();
  }

  async #backup(): Promise<void> {
    const backup = async (): Promise<void> => {
      for await (const _ of this.#engine!.backupStream());
    };
    await outcomeOf(backup());
  }
}

const isInDoubt = (error: unknown): boolean => error instanceof WorldsError && error.code === 'IN_DOUBT';

/** Undefined, or the error. One that is none of ours, and damage, are defects. */
async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof WorldsError && error.code !== 'CORRUPT') return error;
    throw error;
  }
}
