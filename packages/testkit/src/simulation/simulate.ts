import { MemoryContents, MemoryStorage, type WorldsEngineOptions } from '@rdf-worlds/core';
import type { Storage } from '@rdf-worlds/core/plugin';
import { SeededRandom } from '../seeded-random.ts';
import type { MakeStoragePlace, StoragePlace } from '../storage/storage-probe.ts';
import { loadEngine } from './load-engine.ts';
import { SimulatedAccidents } from './simulated-accidents.ts';
import { SimulatedClients } from './simulated-clients.ts';
import { SimulatedFeed } from './simulated-feed.ts';
import { LATE_MS, SimulatedNetwork } from './simulated-network.ts';
import type { ReadOperation } from './simulated-operation.ts';
import { CRASHED, SimulatedProcess, type SimulatedWorld } from './simulated-process.ts';
import * as reads from './simulated-reads.ts';
import { SimulatedTurns } from './simulated-turns.ts';
import { NO_FAULTS, randomFaults, type SimulationFaults } from './simulation-faults.ts';
import { describe, SimulationOracle, type SimulationViolation } from './simulation-oracle.ts';
import { SimulationTrace } from './simulation-trace.ts';
import { crowded, randomWorkload, type SimulationWorkload } from './simulation-workload.ts';
import { installVirtualGlobals } from './virtual-globals.ts';
import { VirtualTime } from './virtual-time.ts';

/** Virtual time within which everything must end after the last fault. */
const DEADLINE_MS = 15 * 60_000;
/** Virtual time within which engines must see all commits without being asked. */
const CONVERGENCE_MS = 4000;
/** A run stops after this many violations. */
const MAX_VIOLATIONS = 20;

/** Options of {@link simulate}. */
export interface SimulationOptions {
  /** Seed of all random choices. */
  readonly seed: number;
  /**
   * Makes the storage that all processes share; each process opens an instance of its own. Default:
   * `MemoryStorage` over one `MemoryContents`.
   */
  readonly makePlace?: MakeStoragePlace | undefined;
  /** Overrides the faults that the seed chooses. */
  readonly faults?: Partial<SimulationFaults> | undefined;
  /** Overrides the operations of clients that the seed chooses. */
  readonly workload?: Partial<SimulationWorkload> | undefined;
  /** Number of processes. Default: 2 to 4, by the seed. */
  readonly processes?: number | undefined;
  /** Number of operations of all clients together. Default: 80, or 120, by the seed. */
  readonly operations?: number | undefined;
  /** Whether the storage has reservations (`NamespaceStorage.reserve`). Default: by the seed. */
  readonly hasTurns?: boolean | undefined;
  /**
   * Whether several processes may write to the storage. Otherwise it belongs to one process, which
   * neither crashes nor pauses, and whose calls are slow or fail without an effect. Default: true.
   */
  readonly isShared?: boolean | undefined;
  /** Further options of the engines. */
  readonly engine?: WorldsEngineOptions | undefined;
  /** Wraps the storage of each process, to plant a fault that a check must notice. */
  readonly changeStorage?: ((storage: Storage) => Storage) | undefined;
  /** Receives each line of the trace. */
  readonly onTrace?: ((line: string) => void) | undefined;
}

/** Counts of turns, over all processes. */
export interface SimulatedTurnCounts {
  /** Turns that their holders have noticed. */
  readonly taken: number;
  /** Turns that others ended after their deadline. */
  readonly expired: number;
  /** Appends that were held up by the turn of another process. */
  readonly heldUp: number;
}

/** The result of a simulation. */
export interface SimulationReport {
  readonly seed: number;
  /** Hash of everything that happened: equal for equal runs. */
  readonly traceHash: string;
  /** The checks that failed; empty if all passed. */
  readonly violations: readonly SimulationViolation[];
  /** The end of the trace. */
  readonly trace: readonly string[];
  readonly faults: SimulationFaults;
  /** Number of events of virtual time. */
  readonly events: number;
  /** Number of commits that took effect. */
  readonly commits: number;
  /** Number of answers that were compared with the model. */
  readonly judged: number;
  /** The turns of processes to append; undefined if the storage has no reservations. */
  readonly turns: SimulatedTurnCounts | undefined;
  /** Virtual time at the end, in milliseconds. */
  readonly virtualMs: number;
}

/** Simulations of one real process run one after the other, since they replace its timers. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs several engines over one shared storage, in virtual time and with faults, and compares what
 * they do with a sequential model. The same seed gives the same run, if the storage does nothing at
 * random. Never throws for what an engine does wrong: see `violations`.
 */
export function simulate(options: SimulationOptions): Promise<SimulationReport> {
  const run = last.then(() => new Simulation(options).run());
  last = run.catch(() => undefined);
  return run;
}

class Simulation {
  private readonly options: SimulationOptions;
  private readonly random: SeededRandom;
  private readonly trace: SimulationTrace;
  private readonly time: VirtualTime;
  private readonly oracle: SimulationOracle;
  private readonly network: SimulatedNetwork;
  private readonly faults: SimulationFaults;
  private readonly turns: SimulatedTurns | undefined;
  /** Whether the clients write so often that processes overtake each other again and again. */
  private readonly isCrowded: boolean;
  private readonly isShared: boolean;
  private processes: SimulatedProcess[] = [];
  private feeds: SimulatedFeed[] = [];
  private world!: SimulatedWorld;
  private clients!: SimulatedClients;
  /** Virtual time at which the run must have ended. */
  private limitMs = Number.POSITIVE_INFINITY;
  private isDone = false;
  private step = 'starting';

  constructor(options: SimulationOptions) {
    this.options = options;
    this.random = new SeededRandom(options.seed);
    this.trace = new SimulationTrace(options.onTrace);
    // Uses a random sequence of its own, so that the other choices of a seed do not depend on it.
    const random = new SeededRandom(~options.seed);
    this.isCrowded = random.chance(0.4);
    const { isShared = true } = options;
    const crowd = this.isCrowded ? { delayMs: random.pick([10, 40]) } : {};
    this.isShared = isShared;
    const faults = randomFaults(this.branch());
    const { delayMs, slow, failure } = faults;
    const own = isShared ? faults : { ...NO_FAULTS, delayMs, slow, failure };
    this.faults = { ...own, ...crowd, ...options.faults };
    this.time = new VirtualTime();
    this.oracle = new SimulationOracle((text) => this.trace.add(text), { isShared });
    this.network = new SimulatedNetwork(this.time, this.branch(), this.trace, this.faults);
    const hasTurns = isShared && (options.hasTurns ?? random.chance(0.7));
    this.turns = hasTurns ? new SimulatedTurns(this.time) : undefined;
  }

  /** Returns a random sequence for one part of the simulation, so that parts are independent. */
  private branch(): SeededRandom {
    return new SeededRandom(this.random.below(2 ** 32));
  }

  async run(): Promise<SimulationReport> {
    const { options, time, oracle, trace } = this;
    await loadEngine();
    const place = await (options.makePlace ?? memoryPlace)();
    const undo = installVirtualGlobals(time);
    try {
      this.world = {
        ...{ time, oracle, trace, place, network: this.network, turns: this.turns, random: this.branch() },
        isShared: this.isShared,
        changeStorage: options.changeStorage ?? ((storage) => storage),
        engineOptions: { ...this.engineOptions(), ...options.engine },
      };
      let failure: unknown;
      void this.script().then(
        () => {
          this.isDone = true;
        },
        (error: unknown) => {
          failure = error;
          this.isDone = true;
        },
      );
      const isDone = () => this.isDone || oracle.violations.length >= MAX_VIOLATIONS;
      const limitMs = () => this.limitMs;
      if (!(await time.run(isDone, limitMs))) this.hangs();
      if (failure) throw failure;
    } finally {
      for (const { scope } of this.processes) scope.kill();
      await time.drain();
      undo();
      for (const process of this.processes) await process.dispose();
      await place.dispose?.();
    }
    const { violations, commits, judged } = oracle;
    const { turns } = this;
    return {
      seed: options.seed,
      traceHash: trace.end(),
      ...{ violations, commits, judged, trace: trace.tail, faults: this.faults },
      turns: turns && { taken: turns.taken, expired: turns.expired, heldUp: turns.heldUp },
      events: time.events,
      virtualMs: time.nowMs,
    };
  }

  private hangs(): void {
    const running = [...(this.clients?.running.values() ?? [])];
    this.oracle.violate('hang', `${this.step} does not end: ${running.join('; ') || 'nothing is running'}.`);
  }

  /** Engine settings by which runs differ. */
  private engineOptions(): WorldsEngineOptions {
    const random = this.branch();
    return {
      checkpointLogBytes: random.pick([undefined, undefined, 20_000, 60_000]),
      retainChangesBytes: random.pick([undefined, undefined, 4096, 0]),
      retainChangesMs: random.pick([undefined, undefined, 2000]),
      history: random.pick([undefined, { keepRevisions: 20 }, { keepRevisions: 5, keepMs: 3000 }]),
    };
  }

  private async script(): Promise<void> {
    const { options, time, oracle, world } = this;
    const random = this.branch();
    const chosen = randomWorkload(random);
    const workload = { ...(this.isCrowded ? crowded(chosen) : chosen), ...options.workload };
    const count = this.isShared ? (options.processes ?? 2 + random.below(3)) : 1;
    const clientsEach = random.pick([1, 1, 2, 4]);
    this.processes = Array.from({ length: count }, (_, number) => new SimulatedProcess(number, world));
    this.clients = new SimulatedClients(world, workload);
    const { clients, processes } = this;
    await Promise.all(processes.map((process) => process.start()));
    await clients.createWorlds(processes[0], random);
    const accidents = new SimulatedAccidents(processes, world, this.branch());
    accidents.start();
    this.feeds = processes.flatMap((process) =>
      workload.namespaces
        .filter(() => random.chance(0.6))
        .map((namespace) => new SimulatedFeed(process, namespace, world)),
    );
    const following = this.feeds.map((feed) => feed.run());
    this.step = 'the work of the clients';
    const operations = Math.ceil((options.operations ?? (this.isCrowded ? 120 : 80)) / (count * clientsEach));
    const working = processes.flatMap((process) =>
      Array.from({ length: clientsEach }, () => clients.run(process, this.branch(), operations)),
    );
    // Operations that hang because of a fault are released some time after the last fault.
    const isOver = Promise.all(working);
    await Promise.race([isOver, time.sleep(DEADLINE_MS)]);

    this.step = 'healing';
    accidents.stop();
    const { pollMs, lostNotice, delayMs } = this.faults;
    this.network.faults = { ...NO_FAULTS, pollMs, lostNotice, delayMs };
    this.limitMs = time.nowMs + DEADLINE_MS;
    await isOver;
    await Promise.all(processes.map((process) => process.start()));
    // Appends that were lost may still take effect; from then on, nothing changes.
    await time.sleep(LATE_MS);
    await time.sleep(CONVERGENCE_MS);
    this.step = 'comparing the engines with the model';
    for (const process of processes) await this.compare(process, workload.namespaces, 'bounded');
    for (const feed of this.feeds) this.compareFeed(feed);

    // After the comparison: a write makes its engine look.
    this.step = 'writing once more';
    for (const process of processes) await clients.writeOnceMore(process, random);
    this.step = 'closing';
    for (const feed of this.feeds) feed.stop();
    await Promise.all(processes.map((process) => process.call((engine) => engine.close())));
    await Promise.all(following);
    this.step = 'reading the storage again';
    const reader = new SimulatedProcess(count, world);
    processes.push(reader);
    await reader.start();
    await this.compare(reader, workload.namespaces, 'latest');
    await reader.call((engine) => engine.close());
    if (oracle.commits === 0 && oracle.judged === 0) throw new Error('The simulation has done nothing.');
  }

  /** Compares everything that an engine has with the newest state of the model. */
  private async compare(
    process: SimulatedProcess,
    namespaces: readonly string[],
    consistency: 'bounded' | 'latest',
  ): Promise<void> {
    const { oracle } = this;
    for (const namespace of namespaces) {
      const state = oracle.stateOf(namespace);
      const target = { id: 0, namespace, slug: '*', consistency };
      const all: ReadOperation[] = [
        reads.listRead(target),
        reads.searchRead(target, 'common', true),
        reads.joinRead(target),
      ];
      for (const slug of state.keys()) {
        const one = { ...target, slug };
        all.push(
          reads.exportRead(one),
          reads.recordRead(one),
          reads.selectRead(one),
          reads.searchRead(one, 'odd', false),
        );
      }
      for (const operation of all) {
        const seen = await process.call((engine) => operation.run(engine)).catch((error: unknown) => describe(error));
        const expected = operation.observe(state);
        if (seen !== expected)
          oracle.violate(
            'replicas',
            `${operation.text} of process ${process.number} sees ${String(seen)}, not ${expected}.`,
          );
      }
    }
    const checked = await process
      .call((engine) => engine.check())
      .catch((error: unknown) => ({ problems: [describe(error)] }));
    if (checked === CRASHED) return;
    for (const problem of checked.problems)
      oracle.violate('replicas', `The check of process ${process.number} finds: ${JSON.stringify(problem)}`);
  }

  private compareFeed(feed: SimulatedFeed): void {
    const { oracle } = this;
    const { namespace, reached } = feed;
    if (oracle.stateOf(namespace).size === 0) return;
    const head = oracle.headRevision(namespace);
    if (reached !== head) oracle.violate('feeds', `${feed.text} has stopped at revision ${reached}, not ${head}.`);
  }
}

function memoryPlace(): StoragePlace {
  const contents = new MemoryContents();
  return { make: () => new MemoryStorage(contents) };
}
