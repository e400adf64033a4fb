import { HttpError } from './http-error.ts';

const TICK_MS = 250;
const RETRY_AFTER_SECONDS = 5;

/** What happens around the waits for a client. */
export interface BodyWaits {
  /** Called when nothing is left but to wait for the client, and when it has sent something. */
  begin(): void;
  end(): void;
}

/** A streamed body. */
export interface Upload {
  /** Called around its waits for the client, if set. */
  waits: BodyWaits | undefined;
  /** Stops receiving; the request is answered with the error. */
  refuse(reason: Error): void;
}

/** What the waits need of their process; replaced in tests. */
export interface WaitsHost {
  /** Calls back at an interval. Returns a function that ends it. */
  readonly every: (ms: number, tick: () => void) => () => void;
  /** Calls back once, after what has arrived at the process has been received. */
  readonly afterInput: (task: () => void) => void;
}

interface Wait {
  /** Number of imports that wait for memory. */
  readonly importsWaiting: () => number;
}

const PROCESS: WaitsHost = {
  every(ms, tick) {
    const timer = setInterval(tick, ms);
    return () => clearInterval(timer);
  },
  // In Node, immediates run after the sockets are read, and timers before.
  afterInput(task) {
    if (typeof setImmediate === 'function') setImmediate(task);
    else setTimeout(task);
  },
};

/**
 * Ends uploads that keep memory from others. An import that is streamed holds memory while it waits
 * for its client. That is harmless until other imports wait for memory; from then on, its waits
 * count, and after `patienceMs` of them it is refused: one at a time, the one that has waited
 * longest first, until no import waits any more.
 *
 * Waits are sampled: a client that sends a byte now and then is found waiting nearly always. Data
 * that has arrived is received first, because on a busy process all uploads seem to wait.
 */
export class UploadWaits {
  private readonly patienceMs: number;
  private readonly host: WaitsHost;
  /** The uploads that wait now, each with its current wait. */
  private readonly waiting = new Map<Upload, Wait>();
  /** Waits that count so far, in milliseconds. */
  private readonly counted = new WeakMap<Upload, number>();
  /** The upload that has been refused and still holds its memory. */
  private refused: Upload | undefined;
  private stop: (() => void) | undefined;

  constructor(patienceMs: number, host: WaitsHost = PROCESS) {
    this.patienceMs = patienceMs;
    this.host = host;
  }

  /** An upload waits for its client. */
  begin(upload: Upload, importsWaiting: () => number): void {
    this.waiting.set(upload, { importsWaiting });
    this.stop ??= this.host.every(TICK_MS, this.tick);
  }

  /** The client has sent something. */
  end(upload: Upload): void {
    this.waiting.delete(upload);
  }

  /** The upload has arrived, or its import has ended and released its memory. */
  finish(upload: Upload): void {
    this.end(upload);
    if (this.refused === upload) this.refused = undefined;
  }

  private readonly tick = (): void => {
    // Not in `end`: most waits are short, and a timer for each would cost more than they do.
    if (this.waiting.size === 0) {
      this.stop?.();
      this.stop = undefined;
      return;
    }
    const waiting = [...this.waiting];
    this.host.afterInput(() => this.count(waiting));
  };

  /** Counts the waits that have not ended since, and refuses the upload that waited longest. */
  private count(waiting: readonly (readonly [Upload, Wait])[]): void {
    let longest: Upload | undefined;
    let longestMs = this.patienceMs;
    for (const [upload, wait] of waiting) {
      if (this.waiting.get(upload) !== wait || wait.importsWaiting() === 0) continue;
      const ms = (this.counted.get(upload) ?? 0) + TICK_MS;
      this.counted.set(upload, ms);
      if (ms < longestMs || (longest && ms === longestMs)) continue;
      longest = upload;
      longestMs = ms;
    }
    // The memory of the one before may be enough.
    if (!longest || this.refused) return;
    this.refused = longest;
    longest.refuse(
      new HttpError(
        503,
        'uploadPatienceMs: the body arrived too slowly while other imports waited for memory; retry later, or send smaller parts.',
        { 'retry-after': String(RETRY_AFTER_SECONDS) },
      ),
    );
  }
}
