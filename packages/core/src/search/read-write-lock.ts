import { throwIfAborted } from '../model/worlds-error.ts';

interface Waiter {
  readonly exclusive: boolean;
  readonly admit: () => void;
}

/**
 * Asynchronous read-write lock: many readers or one writer, first come, first served. A waiting
 * writer is not overtaken, so neither side starves. It guards work that yields to the event loop;
 * threads are not involved.
 */
export class ReadWriteLock {
  private readers = 0;
  private writing = false;
  private readonly waiting: Waiter[] = [];

  /**
   * Acquires the lock for reading and resolves to an idempotent release function. Rejects with
   * ABORTED if the signal fires first.
   */
  read(signal?: AbortSignal): Promise<() => void> {
    return this.acquire(false, signal);
  }

  /** Like `read`, but exclusive. */
  write(signal?: AbortSignal): Promise<() => void> {
    return this.acquire(true, signal);
  }

  private async acquire(exclusive: boolean, signal: AbortSignal | undefined): Promise<() => void> {
    throwIfAborted(signal);
    if (this.waiting.length > 0 || !this.admits(exclusive)) await this.queue(exclusive, signal);
    else this.take(exclusive);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      if (exclusive) this.writing = false;
      else this.readers--;
      this.admitWaiting();
    };
  }

  /** Waits in the queue; resolves when the lock is held. */
  private queue(exclusive: boolean, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        exclusive,
        admit: () => {
          signal?.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      const giveUp = () => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
        try {
          throwIfAborted(signal);
        } catch (error) {
          reject(error);
        }
        // Readers queued behind an aborted writer may now proceed.
        this.admitWaiting();
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.waiting.push(waiter);
    });
  }

  private admits(exclusive: boolean): boolean {
    return !this.writing && !(exclusive && this.readers > 0);
  }

  private take(exclusive: boolean): void {
    if (exclusive) this.writing = true;
    else this.readers++;
  }

  private admitWaiting(): void {
    while (this.waiting.length > 0 && this.admits(this.waiting[0].exclusive)) {
      const { exclusive, admit } = this.waiting.shift()!;
      this.take(exclusive);
      admit();
    }
  }
}
