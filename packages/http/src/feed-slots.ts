import { HttpError } from './http-error.ts';
import type { Limits } from './limits.ts';

/** In seconds: a caller that is refused has its feeds open elsewhere. */
const RETRY_AFTER_SECONDS = 10;

/** Bounds the change feeds that are open at the same time, per caller and in total. */
export class FeedSlots {
  private readonly limits: Pick<Limits, 'maxFeeds' | 'maxFeedsPerCaller'>;
  private readonly byCaller = new Map<string, number>();
  private total = 0;

  constructor(limits: Pick<Limits, 'maxFeeds' | 'maxFeedsPerCaller'>) {
    this.limits = limits;
  }

  /** Number of open feeds. */
  get open(): number {
    return this.total;
  }

  /**
   * Opens a feed of a caller. Returns a function that closes it; further calls do nothing. Throws
   * `HttpError` 429 if the caller has too many, and 503 if there are too many in total.
   */
  take(caller: string): () => void {
    const own = this.byCaller.get(caller) ?? 0;
    if (own >= this.limits.maxFeedsPerCaller)
      throw tooMany(429, 'maxFeedsPerCaller: too many of your change feeds are open');
    if (this.total >= this.limits.maxFeeds) throw tooMany(503, 'maxFeeds: too many change feeds are open');
    this.byCaller.set(caller, own + 1);
    this.total++;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.total--;
      const rest = this.byCaller.get(caller)! - 1;
      if (rest > 0) this.byCaller.set(caller, rest);
      else this.byCaller.delete(caller);
    };
  }
}

function tooMany(status: 429 | 503, what: string): HttpError {
  return new HttpError(status, `${what}; close one, or retry later.`, { 'retry-after': String(RETRY_AFTER_SECONDS) });
}
