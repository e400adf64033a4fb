import { type VirtualEvent, VirtualTime } from './virtual-time.ts';

/** A timer of virtual time, with the methods of Node's. */
class VirtualTimer {
  private event: VirtualEvent;
  private readonly start: () => VirtualEvent;

  constructor(start: () => VirtualEvent) {
    this.start = start;
    this.event = start();
  }

  clear(): void {
    this.event.isCancelled = true;
  }

  refresh(): this {
    this.clear();
    this.event = this.start();
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  [Symbol.dispose](): void {
    this.clear();
  }
}

type Task = (...values: unknown[]) => void;

/**
 * Gives code of simulated processes the timers and clocks of virtual time; all other code keeps the
 * real ones. Returns a function that undoes it.
 */
export function installVirtualGlobals(time: VirtualTime): () => void {
  const undo: (() => void)[] = [];
  const replace = <Name extends string>(holder: Record<Name, unknown>, name: Name, replacement: object): void => {
    const own = Object.getOwnPropertyDescriptor(holder, name);
    const real = holder[name] as object;
    Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(real));
    Object.defineProperty(holder, name, { value: replacement, configurable: true, writable: true, enumerable: true });
    undo.push(() => {
      if (own) Object.defineProperty(holder, name, own);
      else delete holder[name];
    });
  };
  const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = globalThis;
  const holder = globalThis as unknown as Record<string, unknown>;

  const later = (real: unknown, delayOf: (ms: number) => number, isGated: boolean) =>
    function schedule(task: Task, ...rest: unknown[]): unknown {
      const { context } = VirtualTime;
      if (!context) return (real as (...all: unknown[]) => unknown)(task, ...rest);
      const [ms, ...values] = isGated ? rest : [0, ...rest];
      const start = () => time.schedule(delayOf(Number(ms ?? 0)), () => task(...values), { context, isGated });
      return new VirtualTimer(start);
    };
  replace(
    holder,
    'setTimeout',
    later(setTimeout, (ms) => Math.max(ms, 1), true),
  );
  // A turn of the event loop is the process's own: it is not delayed by a pause, which takes effect
  // at the next timer, call of the storage, or answer. The scheduler of turns is shared by all
  // engines of the real process, so one that is dead must still take the turn that it was given.
  replace(
    holder,
    'setImmediate',
    later(setImmediate, () => 0, false),
  );
  replace(holder, 'setInterval', (task: Task, ms = 1, ...values: unknown[]): unknown => {
    const { context } = VirtualTime;
    if (!context) return setInterval(task, ms, ...values);
    const timer: VirtualTimer = new VirtualTimer(() =>
      time.schedule(
        Math.max(1, ms),
        () => {
          timer.refresh();
          task(...values);
        },
        { context },
      ),
    );
    return timer;
  });
  const clear = (real: (timer: never) => void) => (timer: unknown) => {
    if (timer instanceof VirtualTimer) timer.clear();
    else real(timer as never);
  };
  replace(holder, 'clearTimeout', clear(clearTimeout));
  replace(holder, 'clearInterval', clear(clearInterval));
  replace(holder, 'clearImmediate', clear(clearImmediate));

  const realNow = performance.now.bind(performance);
  replace(performance as unknown as Record<'now', unknown>, 'now', () =>
    VirtualTime.context ? time.nowMs : realNow(),
  );
  const dateNow = Date.now;
  replace(Date as unknown as Record<'now', unknown>, 'now', () =>
    VirtualTime.context ? EPOCH_MS + Math.floor(time.nowMs) : dateNow(),
  );
  return () => {
    for (const step of undo.reverse()) step();
  };
}

/** The date at which each simulation begins, in milliseconds since the epoch. */
export const EPOCH_MS = Date.UTC(2026, 0, 1);
