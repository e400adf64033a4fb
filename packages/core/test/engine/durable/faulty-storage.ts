import { MemoryStorage } from '../../../src/index.ts';
import type { Head, LogRecord, NamespaceStorage, Storage } from '../../../src/plugin.ts';
import { Pending } from '../pending.ts';

/**
 * What becomes of an append: it works, fails without a trace, fails and is there all the same, or
 * fails and nobody can read what is there.
 */
export type AppendFate = 'works' | 'fails' | 'fails, but is there' | 'fails, and nobody knows';

export class BrokenDisk extends Error {}

/**
 * A storage in memory of which a test says what becomes of each append and checkpoint, and when.
 */
export class FaultyStorage extends MemoryStorage implements Storage {
  /** Asked for each append. */
  fate: () => AppendFate = () => 'works';
  /** Waited for before each append. */
  delay: () => Promise<void> | undefined = () => undefined;
  checkpointFails = false;
  /** How many records each append had. */
  readonly appends: number[] = [];
  /** Told of each step that would change what is kept, before it is done. */
  step: () => Promise<void> | void = () => undefined;
  /** Settles with {@link die}. */
  readonly death = new Pending();
  /** Number of checkpoints that succeed before they start to fail. */
  checkpointFailsFrom = Number.POSITIVE_INFINITY;
  unreadable = 0;
  private isDead = false;

  /** From now on nothing that its engine does has an effect: the process is gone. */
  die(): void {
    this.isDead = true;
    this.death.resolve();
  }

  private alive(): Promise<void> | undefined {
    return this.isDead ? new Promise(() => undefined) : undefined;
  }

  override namespace(name: string): NamespaceStorage {
    const real = super.namespace(name);
    const faulty: NamespaceStorage = Object.create(real);
    faulty.append = async (expected: Head, records: readonly LogRecord[]) => {
      await this.delay();
      await this.step();
      await this.alive();
      const fate = this.fate();
      this.appends.push(records.length);
      if (fate === 'fails') throw new BrokenDisk('The disk is broken.');
      if (fate === 'works') return real.append(expected, records);
      await real.append(expected, records);
      if (fate === 'fails, and nobody knows') this.unreadable = 1;
      throw new BrokenDisk('The disk is broken.');
    };
    faulty.read = (after, signal) => {
      if (this.unreadable-- > 0) throw new BrokenDisk('The disk cannot be read.');
      return real.read(after, signal);
    };
    faulty.head = () => real.head();
    faulty.checkpoint = () => real.checkpoint();
    faulty.writeCheckpoint = async (at, segments, confirm) => {
      if (this.checkpointFails || this.checkpointFailsFrom-- <= 0) throw new BrokenDisk('The disk is broken.');
      const { alive } = this;
      const guarded = async function* (storage: FaultyStorage) {
        for await (const segment of segments) {
          await storage.step();
          await alive.call(storage);
          yield segment;
        }
        await storage.step();
        await alive.call(storage);
      };
      return real.writeCheckpoint(at, guarded(this), confirm);
    };
    faulty.truncate = async (upTo) => {
      await this.step();
      await this.alive();
      return real.truncate(upTo);
    };
    faulty.stats = () => real.stats();
    faulty.drop = (expected) => real.drop(expected);
    faulty.remains = () => real.remains!();
    faulty.rebuild = (at, segments) => real.rebuild!(at, segments);
    return faulty;
  }
}
