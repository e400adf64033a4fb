import type { FileSystem } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import type { DiskEvent } from '../power-cut/disk-event.ts';
import { DiskModel, type PowerCut } from '../power-cut/disk-model.ts';
import { SimulatedFileSystem } from '../power-cut/simulated-file-system.ts';
import { FAULTS, type Fault, type Operation } from './fault.ts';
import { faultyFileSystem } from './faulty-file-system.ts';

/** How a life ends: orderly, or by a power cut. */
export type Ending = 'close' | PowerCut;
export const ENDINGS: readonly Ending[] = ['close', 'drops all', 'keeps all', 'by chance'];

/** Asked for each call of the file system, by its number. */
export type FaultOf = (call: number, operation: Operation) => Fault | undefined;

export interface FaultyDiskOptions {
  readonly seed: number;
  readonly faultOf: FaultOf;
  readonly ending: Ending;
  /**
   * How many steps of the life follow the first fault before the ending; all of them if missing.
   */
  readonly stepsAfterFault?: number;
}

/** A simulated disk whose calls fail, and what is left of it in the end. */
export class FaultyDisk {
  readonly fileSystem: FileSystem;
  /** The calls so far. */
  calls = 0;
  /** The faults so far, for messages. */
  readonly faults: string[] = [];
  readonly #options: FaultyDiskOptions;
  readonly #disk: SimulatedFileSystem;
  readonly #model = new DiskModel();
  readonly #random: SeededRandom;
  #isQuiet = false;
  #step = 0;
  #lastStep = Number.POSITIVE_INFINITY;

  constructor(options: FaultyDiskOptions) {
    this.#options = options;
    this.#random = new SeededRandom(options.seed + 77);
    this.#disk = new SimulatedFileSystem(
      () => 0,
      (event: DiskEvent) => {
        if (options.ending !== 'close') this.#model.apply(event);
      },
    );
    this.fileSystem = faultyFileSystem(this.#disk, (operation, path) => this.#faultOf(operation, path));
  }

  /** Tells the disk which step of the life begins; true if the life ends before it. */
  readonly begin = (step: number): boolean => {
    this.#step = step;
    return step > this.#lastStep;
  };

  /** Runs work during which nothing fails. */
  readonly quietly = async <T>(work: () => Promise<T>): Promise<T> => {
    this.#isQuiet = true;
    try {
      return await work();
    } finally {
      this.#isQuiet = false;
    }
  };

  /** What the next process finds. */
  left(): FileSystem {
    const { ending } = this.#options;
    this.#isQuiet = true;
    if (ending === 'close') return this.#disk;
    const root = this.#model.afterPowerCut(ending, () => this.#random.next());
    return new SimulatedFileSystem(() => 0, undefined, root, this.#model.lastNode);
  }

  /** An error with what led to it. */
  failure(cause: unknown): Error {
    const { seed, ending } = this.#options;
    return new Error(`seed ${seed}, ${ending}; ${this.faults.slice(-5).join('; ')}: ${(cause as Error).message}`, {
      cause,
    });
  }

  #faultOf(operation: Operation, path: string): Fault | undefined {
    if (this.#isQuiet) return undefined;
    const fault = this.#options.faultOf(this.calls++, operation);
    if (!fault) return undefined;
    this.faults.push(`step ${this.#step}: ${operation} ${path}: ${fault.code} ${fault.effect}`);
    const { stepsAfterFault } = this.#options;
    if (stepsAfterFault !== undefined) this.#lastStep = Math.min(this.#lastStep, this.#step + stepsAfterFault);
    return fault;
  }
}

/**
 * Faults by chance of a seed: rarely or often, and in some lives the disk is broken for a while.
 */
export function randomFaults(seed: number): { faultOf: FaultOf; ending: Ending } {
  const random = new SeededRandom(seed * 31);
  const chance = random.pick([0.002, 0.01, 0.04]);
  const burst = random.pick([1, 1, 5, 40]);
  const ending = random.pick(ENDINGS);
  let left = 0;
  const faultOf: FaultOf = (_, operation) => {
    if (left > 0) left--;
    else if (random.next() < chance / burst) left = random.below(burst) + 1;
    return left > 0 ? random.pick(FAULTS[operation]) : undefined;
  };
  return { faultOf, ending };
}
