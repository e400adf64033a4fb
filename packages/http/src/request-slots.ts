import { throwIfAborted } from '@rdf-worlds/core/plugin';
import { HttpError } from './http-error.ts';
import type { Limits } from './limits.ts';

/** In seconds: by then some requests have ended or reached their deadline. */
const RETRY_AFTER_SECONDS = 2;

/**
 * Callers that are remembered without a request, so that a caller of short requests is not
 * forgotten and remembered again with each of them.
 */
const MAX_IDLE = 64;

export type SlotLimits = Pick<
  Limits,
  'maxConcurrentRequests' | 'maxConcurrentRequestsPerCaller' | 'maxQueuedRequests' | 'maxQueuedRequestsPerCaller'
>;

/** Releases a slot; further calls do nothing. */
export type ReleaseSlot = () => void;

interface WaitingRequest {
  readonly caller: CallerSlots;
  /** Sequence number of arrival. */
  readonly number: number;
  readonly start: () => void;
}

interface CallerSlots {
  readonly name: string;
  running: number;
  /** In order of arrival. */
  readonly waiting: Set<WaitingRequest>;
}

/**
 * Limits the requests that run concurrently, per caller and in total. A free slot goes to the
 * waiting caller with the fewest running requests. A caller with none running never waits, so that
 * no caller can lock out the others; the total may therefore exceed `maxConcurrentRequests` by the
 * number of callers.
 */
export class RequestSlots {
  private readonly limits: SlotLimits;
  /** Callers with running or waiting requests, and a few others, which may soon have them again. */
  private readonly callers = new Map<string, CallerSlots>();
  private runningTotal = 0;
  private waitingTotal = 0;
  private number = 0;

  constructor(limits: SlotLimits) {
    this.limits = limits;
  }

  /** Number of running requests. */
  get running(): number {
    return this.runningTotal;
  }

  /** Number of waiting requests. */
  get waiting(): number {
    return this.waitingTotal;
  }

  /**
   * Takes a slot; returns a promise if it has to wait. Throws `HttpError` 429 if too many requests
   * of the caller are waiting, and 503 if too many are waiting in total. The promise rejects with
   * the signal's reason if the signal fires first.
   *
   * @param signalOf called only if the request has to wait
   */
  take(name: string, signalOf: () => AbortSignal): ReleaseSlot | Promise<ReleaseSlot> {
    let caller = this.callers.get(name);
    if (!caller) this.callers.set(name, (caller = { name, running: 0, waiting: new Set() }));
    // First come, first served within a caller.
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

  /** Starts the requests that free slots permit, usually one. */
  private startWaiting(): void {
    for (let next = this.next(); next; next = this.next()) next.start();
  }

  /** Returns the oldest runnable request of the caller with the fewest running requests. */
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
    if (caller.running > 0 || caller.waiting.size > 0 || this.callers.size <= MAX_IDLE) return;
    this.callers.delete(caller.name);
  }
}

function tooMany(status: 429 | 503, what: string): HttpError {
  return new HttpError(status, `${what}; retry later.`, { 'retry-after': String(RETRY_AFTER_SECONDS) });
}
