import { MemoryPool, WorldsEngine, type WorldsEngineOptions } from '@rdf-worlds/core';
import type { Storage } from '@rdf-worlds/core/plugin';
import { SeededRandom } from '../seeded-random.ts';
import type { StoragePlace } from '../storage/storage-probe.ts';
import { ProcessScope } from './process-scope.ts';
import type { SimulatedNetwork } from './simulated-network.ts';
import { SimulatedStorage } from './simulated-storage.ts';
import type { SimulatedTurns } from './simulated-turns.ts';
import { describe, isExplained, type SimulationOracle } from './simulation-oracle.ts';
import type { SimulationTrace } from './simulation-trace.ts';
import { EPOCH_MS } from './virtual-globals.ts';
import { type VirtualEvent, VirtualTime } from './virtual-time.ts';

/** Time before a process that could not start tries again, in milliseconds. */
const START_AGAIN_MS = 100;
const POOL_BYTES = 256 << 20;

/** What all processes of a run share. */
export interface SimulatedWorld {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly network: SimulatedNetwork;
  readonly oracle: SimulationOracle;
  readonly trace: SimulationTrace;
  readonly place: StoragePlace;
  /** Whether several processes may write to the storage. */
  readonly isShared: boolean;
  /** The reservations of the storage; undefined if it has none. */
  readonly turns: SimulatedTurns | undefined;
  /** Changes the storage of a process, to plant a fault. */
  readonly changeStorage: (storage: Storage) => Storage;
  readonly engineOptions: WorldsEngineOptions;
}

/** The scope of a crashed process, as the outcome of a call. */
export const CRASHED: unique symbol = Symbol('crashed');

/** A process with an engine, which crashes and starts again. */
export class SimulatedProcess {
  readonly number: number;
  private readonly world: SimulatedWorld;
  /** Milliseconds by which its clock is wrong. */
  private readonly skewMs: number;
  private starts = 0;
  private current: ProcessScope<VirtualEvent>;
  private running: WorldsEngine | undefined;
  private starting: Promise<void> | undefined;
  /** The storages that it has opened, of which crashes have left some open. */
  private readonly storages: Storage[] = [];

  constructor(number: number, world: SimulatedWorld) {
    this.number = number;
    this.world = world;
    this.skewMs = world.random.below(10_000) - 5000;
    this.current = new ProcessScope(number, 0);
  }

  get scope(): ProcessScope<VirtualEvent> {
    return this.current;
  }

  /** The engine; undefined while the process is starting. */
  get engine(): WorldsEngine | undefined {
    return this.running;
  }

  /** Starts the process, unless it is running. */
  start(): Promise<void> {
    this.starting ??= this.startAgain();
    return this.starting;
  }

  private async startAgain(): Promise<void> {
    const { time, trace, oracle } = this.world;
    for (;;) {
      const scope = new ProcessScope<VirtualEvent>(this.number, ++this.starts);
      this.current = scope;
      trace.add(`${time.nowMs.toFixed(2)} ${scope.name} starts`);
      const opening = time.within({ scope }, () => WorldsEngine.open(this.options()));
      try {
        const opened = await Promise.race([opening, scope.died.then(() => undefined)]);
        if (!opened) return;
        this.running = opened;
        return;
      } catch (error) {
        if (!isExplained(error)) oracle.violate('errors', `A process could not start: ${describe(error)}`);
        scope.kill();
        await time.sleep(START_AGAIN_MS);
      }
    }
  }

  private options(): WorldsEngineOptions {
    const { network, oracle, place, time, trace, isShared, turns, changeStorage, engineOptions } = this.world;
    const random = new SeededRandom(this.world.random.below(2 ** 32));
    const inner = place.make();
    this.storages.push(inner);
    return {
      compaction: 'manual',
      maxMemoryBytes: Number.POSITIVE_INFINITY,
      // A crash leaves what it had claimed of a pool that is shared.
      memoryPool: new MemoryPool(POOL_BYTES),
      ...engineOptions,
      storage: changeStorage(new SimulatedStorage(inner, network, oracle, { isShared, turns })),
      clock: () => {
        const now = EPOCH_MS + this.skewMs + Math.floor(time.nowMs);
        const operation = VirtualTime.context?.operation;
        return operation === undefined ? now : oracle.stamp(now, operation);
      },
      random: (length) => Uint8Array.from({ length }, () => random.below(256)),
      onBackgroundError: (error, { activity }) => {
        trace.add(`${this.current.name} ${activity} fails`);
        if (!isExplained(error) && !isRefusal(error))
          oracle.violate('errors', `${activity} has failed without a reason: ${describe(error)}`);
      },
    };
  }

  /** Ends the process: nothing that it was doing continues. */
  crash(): void {
    const { time, trace, network } = this.world;
    const { current } = this;
    trace.add(`${time.nowMs.toFixed(2)} ${current.name} crashes`);
    this.running = undefined;
    this.starting = undefined;
    network.crashed(current);
    current.kill();
  }

  /**
   * Calls the engine in the name of an operation. Returns {@link CRASHED} if the process ends
   * before it answers.
   */
  async call<Result>(
    run: (engine: WorldsEngine) => Promise<Result>,
    operation?: number,
  ): Promise<Result | typeof CRASHED> {
    const { time } = this.world;
    const { scope, engine } = this;
    if (!engine) return CRASHED;
    const answered = async () => {
      try {
        return await time.within({ scope, operation }, () => run(engine));
      } finally {
        await time.awake(scope);
      }
    };
    return Promise.race([answered(), scope.died.then((): typeof CRASHED => CRASHED)]);
  }

  /** Closes what the engines have left open in real time. */
  async dispose(): Promise<void> {
    for (const storage of this.storages) await storage.close();
  }
}

/**
 * Background work may be refused by what another engine has written. A process that was paused may
 * have waited too long for its turn.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && REFUSALS.has(String(error.code));
}

const REFUSALS: ReadonlySet<string> = new Set(['CONFLICT', 'TRUNCATED', 'OVERLOADED']);
