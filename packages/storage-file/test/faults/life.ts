import { WorldsError } from '@rdf-worlds/core';
import { type Head, type NamespaceStorage, NO_HEAD, type Storage } from '@rdf-worlds/core/plugin';
import { type FileSystem, fileStorage } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import { recordOf, segmentText } from '../power-cut/driver-program.ts';
import { NamespaceModel } from './namespace-model.ts';

const NAMES = ['one', 'two'] as const;

/** So often everything is read while the storage is open. */
const CHECK_EVERY = 25;

export interface LifeOptions {
  readonly fileSystem: FileSystem;
  /** `/data` if missing. */
  readonly path?: string;
  readonly seed: number;
  /** Called before each operation; the life ends early if it returns true. */
  readonly onOperation?: (operation: number) => boolean;
  /** Runs a check, during which nothing fails. */
  readonly quietly: <T>(check: () => Promise<T>) => Promise<T>;
}

/**
 * The operations that somebody asks of a storage one after the other, and what must be there for
 * it.
 */
export class Life {
  readonly models = new Map<string, NamespaceModel>(NAMES.map((name) => [name, new NamespaceModel()]));
  readonly #options: LifeOptions;
  readonly #random: SeededRandom;
  readonly #maxLogFileBytes: number;
  readonly #maxOpenFiles: number;
  #storage: Storage | undefined;

  constructor(options: LifeOptions) {
    this.#options = options;
    this.#random = new SeededRandom(options.seed);
    this.#maxLogFileBytes = this.#random.pick([1, 700, 4000]);
    this.#maxOpenFiles = this.#random.pick([1, 8]);
  }

  async run(operations: number): Promise<void> {
    await this.open();
    for (let at = 0; at < operations; at++) {
      if (this.#options.onOperation?.(at)) return;
      await this.#operation();
      if (at % CHECK_EVERY === 0) await this.check();
    }
  }

  /** Opens the storage; a failure is a failure of that call, and the next one works. */
  async open(): Promise<Storage> {
    for (let left = 200; ; left--) {
      const { fileSystem, path = '/data' } = this.#options;
      const storage = fileStorage({
        path,
        fileSystem,
        maxLogFileBytes: this.#maxLogFileBytes,
        maxOpenFiles: this.#maxOpenFiles,
      });
      try {
        await storage.open();
        this.#storage = storage;
        return storage;
      } catch (error) {
        await storage.close();
        if (left === 0) throw error;
      }
    }
  }

  async close(): Promise<void> {
    await this.#storage?.close();
  }

  /** Checks that each namespace is what it must be, and nothing else is there. */
  async check(storage: Storage = this.#storage!): Promise<void> {
    await this.#options.quietly(async () => {
      const listed: string[] = [];
      for await (const name of storage.namespaces()) listed.push(name);
      for (const [name, model] of this.models) {
        try {
          const { position } = await model.settle(storage.namespace(name));
          if (listed.includes(name) !== position > 0) throw new Error(`it is ${position > 0 ? 'not ' : ''}listed`);
        } catch (error) {
          throw new Error(`namespace ${name}: ${(error as Error).message}`, { cause: error });
        }
      }
    });
  }

  async #operation(): Promise<void> {
    const name = this.#random.pick(NAMES);
    const namespace = this.#storage!.namespace(name);
    const model = this.models.get(name)!;
    const chance = this.#random.next();
    // Each draws what it needs from the seed first, so that a failure changes nothing that comes
    // later.
    if (chance < 0.5) return this.#append(namespace, model, [this.#texts()]);
    if (chance < 0.62) return this.#append(namespace, model, [this.#texts(), this.#texts(), this.#texts()]);
    if (chance < 0.77) return this.#checkpoint(namespace, model, this.#random.pick(['a', 'b', 'c']));
    if (chance < 0.87) return this.#truncate(namespace, model, this.#random.next());
    if (chance < 0.9) return this.#drop(namespace, model);
    if (chance < 0.94) return void (await outcomeOf(namespace.stats()));
    await outcomeOf(this.#storage!.close());
    await this.open();
  }

  #texts(): string[] {
    return Array.from({ length: 1 + this.#random.below(3) }, () =>
      this.#random
        .below(1e6)
        .toString(36)
        .padEnd(this.#random.pick([0, 5, 100, 1500]), 'x'),
    );
  }

  /** Appends that are under way together. */
  async #append(namespace: NamespaceStorage, model: NamespaceModel, appends: readonly string[][]): Promise<void> {
    let head = await this.#options.quietly(() => model.locate(namespace));
    const first = head.position === 0 ? 1 : appends.length; // Nobody knows the incarnation before.
    const running: Promise<unknown>[] = [];
    for (const texts of appends.slice(0, first)) {
      running.push(outcomeOf(namespace.append(head.position === 0 ? NO_HEAD : head, texts.map(recordOf))));
      head = { ...head, position: head.position + texts.length };
    }
    for (const [at, outcome] of (await Promise.all(running)).entries()) model.appended(appends[at], outcome);
  }

  async #checkpoint(namespace: NamespaceStorage, model: NamespaceModel, letter: string): Promise<void> {
    const head = await this.#options.quietly(() => model.locate(namespace));
    if (head.position === 0) return;
    const kept = (await this.#options.quietly(() => namespace.checkpoint()))?.segments[0]?.name;
    const names = [...new Set([...(kept === undefined ? [] : [kept]), `${letter}${head.position}`])].slice(-2);
    const segments = names.map((name) => ({ name, write: () => [Buffer.from(segmentText(name, head))] }));
    const text = `${head.position}: ${names.map((name) => segmentText(name, head)).join(' ')}`;
    model.checkpointed(text, await outcomeOf(namespace.writeCheckpoint(head, segments)));
  }

  async #truncate(namespace: NamespaceStorage, model: NamespaceModel, part: number): Promise<void> {
    const checkpoint = await this.#options.quietly(() => namespace.checkpoint());
    if (!checkpoint) return;
    const upTo: Head = { ...checkpoint.at, position: Math.ceil(part * checkpoint.at.position) };
    model.truncated(upTo.position, await outcomeOf(namespace.truncate(upTo)));
  }

  async #drop(namespace: NamespaceStorage, model: NamespaceModel): Promise<void> {
    await this.#options.quietly(() => model.locate(namespace));
    model.dropped(await outcomeOf(namespace.drop()));
  }
}

/** Undefined, or the error. One that is none of ours is a defect. */
async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof WorldsError && error.code !== 'CORRUPT') return error;
    throw error;
  }
}
