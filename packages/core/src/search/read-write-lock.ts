import { throwIfAborted } from '../model/worlds-error.ts';

interface Waiter {
  readonly exclusive: boolean;
  readonly admit: () => void;
}

/**
 * Many readers or one writer, first come first served: a writer that waits is not overtaken, so neither side starves.
 * It guards work that pauses for the event loop; nothing here is about threads.
 */
export class ReadWriteLock {
  private readers = 0;
  private writing = false;
  private readonly waiting: Waiter[] = [];

  /** Resolves to what gives the lock back; calling it twice is harmless. Rejects with ABORTED when the signal fires first. */
  read(signal?: AbortSignal): Promise<() => void> {
    return this.acquire(false, signal);
  }

  /** As `read`, and alone. */
  write(signal?: AbortSignal): Promise<() => void> {
    return this.acquire(true, signal);
  }

  private async acquire(exclusive: boolean, signal: AbortSignal | undefined): Promise<() => void> {
    throwIfAborted(signal);
    await new Promise<void>((resolve, reject) => {
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
        // A writer that leaves the queue lets the readers behind it in.
        this.admitWaiting();
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.waiting.push(waiter);
      this.admitWaiting();
    });
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      if (exclusive) this.writing = false;
      else this.readers--;
      this.admitWaiting();
    };
  }

  private admitWaiting(): void {
    while (this.waiting.length > 0 && !this.writing) {
      const { exclusive, admit } = this.waiting[0];
      if (exclusive && this.readers > 0) return;
      this.waiting.shift();
      if (exclusive) this.writing = true;
      else this.readers++;
      admit();
    }
  }
}
