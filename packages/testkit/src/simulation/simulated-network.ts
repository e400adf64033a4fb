import { WorldsError } from '@rdf-worlds/core';
import { type Head, throwIfAborted } from '@rdf-worlds/core/plugin';
import type { SeededRandom } from '../seeded-random.ts';
import type { ProcessScope } from './process-scope.ts';
import type { SimulationFaults } from './simulation-faults.ts';
import type { SimulationTrace } from './simulation-trace.ts';
import { type SimulatedContext, type VirtualEvent, VirtualTime } from './virtual-time.ts';

type Scope = ProcessScope<VirtualEvent>;

/** A call of the storage, on its way from a process. */
export interface StorageCall<Result> {
  /** Method and namespace, for the trace. */
  readonly what: string;
  /** Runs it in the storage. */
  readonly apply: () => Promise<Result>;
  readonly signal?: AbortSignal | undefined;
  /** Whether it may be lost, or its answer. Default: true. */
  readonly mayFail?: boolean;
  /** For an append: the doubts of its process about this namespace. */
  readonly doubts?: Set<Doubt>;
}

/** An append of unknown outcome, which may still take effect. */
export interface Doubt {
  /** Set once the process has learnt the head: from then on it has no effect. */
  isSettled: boolean;
}

/** A process that is told about the head of a namespace. */
interface Watcher {
  readonly context: SimulatedContext;
  readonly namespace: string;
  readonly notice: (head: Head) => void;
}

/** A process that waits until something happens to a namespace. */
interface Waiter {
  readonly context: SimulatedContext;
  readonly namespace: string;
  readonly wake: () => void;
}

/** Longest time after which a lost append takes effect, in milliseconds. */
export const LATE_MS = 10_000;
/** Time after which a process gives a call up that it cannot make, in milliseconds. */
const GIVE_UP_MS = 2000;

/** Time after which a message that a partition stops is sent again, in milliseconds. */
const SEND_AGAIN_MS = 1000;

/** Text of all errors that the simulation makes. */
export const SIMULATED = 'simulated failure';

/**
 * Carries the calls of processes to the storage, and what it answers, with delays, losses and
 * partitions.
 */
export class SimulatedNetwork {
  faults: SimulationFaults;
  readonly random: SeededRandom;
  private readonly time: VirtualTime;
  private readonly trace: SimulationTrace;
  /** Calls that have not reached the storage. */
  private readonly underWay = new Set<{ readonly scope: Scope; isLost: boolean }>();
  private readonly watchers = new Set<Watcher>();
  private readonly waiters = new Set<Waiter>();

  constructor(time: VirtualTime, random: SeededRandom, trace: SimulationTrace, faults: SimulationFaults) {
    this.time = time;
    this.random = random;
    this.trace = trace;
    this.faults = faults;
  }

  /** The clock of the storage, in milliseconds. */
  get nowMs(): number {
    return this.time.nowMs;
  }

  /** Calls the storage from a process. */
  call<Result>(call: StorageCall<Result>): Promise<Result> {
    const { time, random, trace } = this;
    const { context } = VirtualTime;
    if (!context) return time.call(call.apply);
    const { scope } = context;
    const { what, signal, mayFail = true } = call;
    return new Promise((resolve, reject) => {
      const answer = (outcome: string, settle: () => void) => {
        this.deliver(context, mayFail, settle, () => reject(this.unreachable(call)), `${what} ${outcome}`);
      };
      const fail = (error: Error) => answer('failed', () => reject(error));
      if (signal) onAbort(signal, reject);
      const fault = mayFail ? this.faultOf(call) : undefined;
      const flight = { scope, isLost: false };
      this.underWay.add(flight);
      const arrive = () => {
        if (time.nowMs < scope.partitionedUntilMs) {
          if (!mayFail || random.chance(0.5)) {
            time.schedule(Math.min(scope.partitionedUntilMs - time.nowMs, SEND_AGAIN_MS) + this.delay(), arrive);
            return;
          }
          this.underWay.delete(flight);
          if (call.doubts && random.chance(0.5)) this.landLater(call, call.doubts);
          time.schedule(GIVE_UP_MS * random.next(), () => reject(this.unreachable(call)), { context });
          return;
        }
        this.underWay.delete(flight);
        if (flight.isLost) return;
        if (fault === 'failure') {
          fail(new WorldsError('INTERNAL', `${what}: ${SIMULATED} before it took effect.`));
          return;
        }
        if (fault === 'late' || fault === 'never') {
          if (fault === 'late') this.landLater(call, call.doubts!);
          fail(doubtful(what));
          return;
        }
        trace.add(`${time.nowMs.toFixed(2)} ${scope.name} ${what}${fault ? ` (${fault})` : ''}`);
        time.call(call.apply).then(
          (result) => {
            if (fault === 'lostAnswer') fail(new WorldsError('INTERNAL', `${what}: ${SIMULATED} of the answer.`));
            else if (fault === 'landed') fail(doubtful(what));
            else answer('done', () => resolve(result));
          },
          (error: unknown) => answer(codeOf(error), () => reject(error)),
        );
      };
      time.schedule(this.delay(), arrive);
    });
  }

  /** Delivers an answer to a process. If it is partitioned, the answer is late, or lost. */
  private deliver(
    context: SimulatedContext,
    mayFail: boolean,
    settle: () => void,
    lose: () => void,
    what: string,
  ): void {
    const { time, random, trace } = this;
    const { scope } = context;
    const arrive = () => {
      const leftMs = scope.partitionedUntilMs - time.nowMs;
      if (leftMs > 0) {
        if (!mayFail || random.chance(0.5))
          time.schedule(Math.min(leftMs, SEND_AGAIN_MS) + this.delay(), arrive, { context });
        else time.schedule(GIVE_UP_MS * random.next(), lose, { context });
        return;
      }
      trace.add(`${time.nowMs.toFixed(2)} ${scope.name} ${what}`);
      settle();
    };
    time.schedule(this.delay(), arrive, { context });
  }

  private faultOf({
    doubts,
  }: StorageCall<unknown>): 'failure' | 'lostAnswer' | 'late' | 'never' | 'landed' | undefined {
    const { random, faults } = this;
    if (random.chance(faults.failure)) return 'failure';
    if (random.chance(faults.lostAnswer)) return 'lostAnswer';
    if (doubts && random.chance(faults.doubt)) return random.pick(['late', 'never', 'landed'] as const);
    return undefined;
  }

  /** Lets an append of unknown outcome take effect after its caller has got an error. */
  private landLater<Result>({ what, apply }: StorageCall<Result>, doubts: Set<Doubt>): void {
    const { time, random, trace } = this;
    const doubt: Doubt = { isSettled: false };
    doubts.add(doubt);
    time.schedule(LATE_MS * random.next() ** 3, () => {
      if (doubt.isSettled) return;
      trace.add(`${time.nowMs.toFixed(2)} late ${what}`);
      // Refused if the head has moved.
      time.call(apply).catch((error: unknown) => trace.add(`late ${what} ${codeOf(error)}`));
    });
  }

  private unreachable({ what, doubts }: StorageCall<unknown>): WorldsError {
    return doubts ? doubtful(what) : new WorldsError('INTERNAL', `${what}: ${SIMULATED}: the storage is unreachable.`);
  }

  /** Calls a process from within a call of the storage. */
  callback<Result>(context: SimulatedContext | undefined, work: () => Promise<Result>): Promise<Result> {
    const { time } = this;
    if (!context) return work();
    return time.callback(
      () =>
        new Promise<Result>((resolve, reject) => {
          const back = (settle: () => void) => time.schedule(this.delay(), settle);
          const run = () =>
            void work().then(
              (result) => back(() => resolve(result)),
              (error) => back(() => reject(error)),
            );
          time.schedule(this.delay(), run, { context });
        }),
    );
  }

  /** Tells a process about the head of a namespace until the returned function is called. */
  watch(context: SimulatedContext, namespace: string, notice: (head: Head) => void): () => void {
    const watcher = { context, namespace, notice };
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** Tells all who watch a namespace that its head has moved. */
  moved(namespace: string, head: Head): void {
    for (const watcher of this.watchers) {
      if (watcher.namespace === namespace) this.notify(watcher.context, () => watcher.notice(head));
    }
    this.passed(namespace);
  }

  /** Tells all who wait for a namespace that a turn has passed. */
  passed(namespace: string): void {
    for (const waiter of this.waiters) if (waiter.namespace === namespace) this.notify(waiter.context, waiter.wake);
  }

  /** Resolves when a process is notified of a namespace, or after a time. */
  async noticed(namespace: string, limitMs: number): Promise<void> {
    const { context } = VirtualTime;
    if (!context) throw new Error('Only a simulated process can wait.');
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.waiters.delete(waiter);
        limit.isCancelled = true;
        resolve();
      };
      const limit = this.time.schedule(limitMs, done, { context });
      const waiter: Waiter = { context, namespace, wake: done };
      this.waiters.add(waiter);
    });
  }

  /** Sends a notification, which may be lost, or arrive twice. */
  private notify(context: SimulatedContext, notice: () => void): void {
    const { random, faults, time } = this;
    const { scope } = context;
    if (scope.isDead) return;
    for (let copies = random.chance(faults.doubleNotice) ? 2 : 1; copies > 0; copies--) {
      if (random.chance(faults.lostNotice)) continue;
      const arrive = () => {
        if (time.nowMs >= scope.partitionedUntilMs) notice();
      };
      time.schedule(this.delay(), arrive, { context });
    }
  }

  /** Handles the crash of a process: some of what it has sent arrives, some does not. */
  crashed(scope: Scope): void {
    for (const flight of this.underWay) if (flight.scope === scope && this.random.chance(0.5)) flight.isLost = true;
    for (const watcher of this.watchers) if (watcher.context.scope === scope) this.watchers.delete(watcher);
    for (const waiter of this.waiters) if (waiter.context.scope === scope) this.waiters.delete(waiter);
  }

  private delay(): number {
    const { random, faults } = this;
    return random.next() * faults.delayMs * (random.chance(faults.slow) ? 20 : 1);
  }
}

function doubtful(what: string): WorldsError {
  return new WorldsError('IN_DOUBT', `${what}: ${SIMULATED}: it is unknown whether it took effect.`);
}

function onAbort(signal: AbortSignal, reject: (error: unknown) => void): void {
  const abort = () => {
    try {
      throwIfAborted(signal);
    } catch (error) {
      reject(error);
    }
  };
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
}

function codeOf(error: unknown): string {
  return error instanceof WorldsError ? error.code : String(error);
}
