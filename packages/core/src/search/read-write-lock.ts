import { throwIfAborted } from '../model/worlds-error.ts';

interface Waiter {
  readonly exclusive: boolean;
  readonly admit: () => void;
}

/**
 * Many readers or one writer, first come first served: a writer that waits is not overtaken, so
 * neither side starves. It guards work that pauses for the event loop; nothing here is about
 * threads.
 */
export class ReadWriteLock {
  private readers = 0;
  private writing = false;
  private readonly waiting: Waiter[] = [];

  /**
   * Resolves to what gives the lock back; calling it twice is harmless. Rejects with ABORTED when
   * the signal fires first.
   */
  read(signal?: AbortSignal): Promise<() => void> {
    return this.acquire(false, signal);
  }

  /** As `read`, and alone. */
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

  /** Resolves when it is taken. */
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
        // A writer that leaves the queue lets the readers behind it in.
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
