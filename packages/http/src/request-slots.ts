import { throwIfAborted } from '@rdf-worlds/core';
import { HttpError } from './http-error.ts';
import type { Limits } from './limits.ts';

/** In seconds: by then some requests have ended, or had to by their deadline. */
const RETRY_AFTER_SECONDS = 2;

export type SlotLimits = Pick<
  Limits,
  'maxConcurrentRequests' | 'maxConcurrentRequestsPerCaller' | 'maxQueuedRequests' | 'maxQueuedRequestsPerCaller'
>;

/** Gives a slot back; a second call does nothing. */
export type ReleaseSlot = () => void;

interface WaitingRequest {
  readonly caller: CallerSlots;
  /** Ascends in the order of arrival. */
  readonly number: number;
  readonly start: () => void;
}

interface CallerSlots {
  readonly name: string;
  running: number;
  /** In the order of arrival. */
  readonly waiting: Set<WaitingRequest>;
}

/**
 * How many requests work at the same time, by caller and in all. A free slot goes to the waiting
 * caller with the fewest running requests, and one that has none running never waits: so a caller
 * who fills the service does not keep out the others, by whose number the total may exceed
 * `maxConcurrentRequests`.
 */
export class RequestSlots {
  private readonly limits: SlotLimits;
  /** Those that have requests, running or waiting. */
  private readonly callers = new Map<string, CallerSlots>();
  private runningTotal = 0;
  private waitingTotal = 0;
  private number = 0;

  constructor(limits: SlotLimits) {
    this.limits = limits;
  }

  /** How many requests are working. */
  get running(): number {
    return this.runningTotal;
  }

  /** How many requests wait. */
  get waiting(): number {
    return this.waitingTotal;
  }

  /**
   * Takes a slot, immediately or with the promise. Throws HttpError 429 when too many requests of
   * the caller wait already, 503 when too many of all callers do. The promise rejects with the
   * signal's reason when that fires first.
   *
   * @param signalOf called only if the request has to wait
   */
  take(name: string, signalOf: () => AbortSignal): ReleaseSlot | Promise<ReleaseSlot> {
    let caller = this.callers.get(name);
    if (!caller) this.callers.set(name, (caller = { name, running: 0, waiting: new Set() }));
    // Whoever has come before goes first.
    if (caller.waiting.size === 0 && this.mayRun(caller)) return this.start(caller);
    const { maxQueuedRequests, maxQueuedRequestsPerCaller } = this.limits;
    if (caller.waiting.size >= maxQueuedRequestsPerCaller) {
      this.forgetIdle(caller);
      throw tooMany(429, 'maxQueuedRequestsPerCaller: too many of your requests are waiting');
    }
    if (this.waitingTotal >= maxQueuedRequests) {
      this.forgetIdle(caller);
      throw tooMany(503, 'maxQueuedRequests: too many requests are waiting');
    }
    return this.wait(caller, signalOf());
  }

  private wait(caller: CallerSlots, signal: AbortSignal): Promise<ReleaseSlot> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        caller.waiting.delete(request);
        this.waitingTotal--;
        signal.removeEventListener('abort', giveUp);
      };
      const giveUp = () => {
        leave();
        this.forgetIdle(caller);
        try {
          throwIfAborted(signal);
        } catch (reason) {
          reject(reason);
        }
      };
      const request: WaitingRequest = {
        caller,
        number: this.number++,
        start: () => {
          leave();
          resolve(this.start(caller));
        },
      };
      caller.waiting.add(request);
      this.waitingTotal++;
      if (signal.aborted) giveUp();
      else signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  private start(caller: CallerSlots): ReleaseSlot {
    caller.running++;
    this.runningTotal++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      caller.running--;
      this.runningTotal--;
      this.forgetIdle(caller);
      if (this.waitingTotal > 0) this.startWaiting();
    };
  }

  /** Starts the requests that the slots are free for; mostly one. */
  private startWaiting(): void {
    for (let next = this.next(); next; next = this.next()) next.start();
  }

  /** Of those that may run, the oldest request of the caller with the fewest running ones. */
  private next(): WaitingRequest | undefined {
    let best: WaitingRequest | undefined;
    for (const caller of this.callers.values()) {
      const [first] = caller.waiting;
      if (!first || !this.mayRun(caller)) continue;
      const order = best ? caller.running - best.caller.running || first.number - best.number : -1;
      if (order < 0) best = first;
    }
    return best;
  }

  private mayRun({ running }: CallerSlots): boolean {
    const { maxConcurrentRequests, maxConcurrentRequestsPerCaller } = this.limits;
    return running === 0 || (running < maxConcurrentRequestsPerCaller && this.runningTotal < maxConcurrentRequests);
  }

  private forgetIdle(caller: CallerSlots): void {
    if (caller.running === 0 && caller.waiting.size === 0) this.callers.delete(caller.name);
  }
}

function tooMany(status: 429 | 503, what: string): HttpError {
  return new HttpError(status, `${what}; send this again later.`, { 'retry-after': String(RETRY_AFTER_SECONDS) });
}
