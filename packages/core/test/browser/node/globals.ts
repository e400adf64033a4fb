import { BrowserBytes } from '../../../src/platform/browser/browser-bytes.ts';
import { setImmediate as nextRound } from '../../../src/platform/browser/set-immediate.ts';

/**
 * What tests use of the globals of Node, made of what the core has in browsers. Injected into tests
 * only: the core uses no such globals.
 */
export class Buffer extends BrowserBytes {
  static override from(...args: readonly unknown[]): Buffer {
    const [data, encoding] = args;
    if (typeof data !== 'string' || (encoding !== 'latin1' && encoding !== 'utf16le'))
      return Buffer.over(BrowserBytes.from(...(args as Parameters<typeof BrowserBytes.from>)));
    // The core writes neither encoding.
    const units = Array.from({ length: data.length }, (_, i) => data.charCodeAt(i));
    return new Buffer(encoding === 'latin1' ? units : units.flatMap((unit) => [unit & 0xff, unit >> 8]));
  }

  /** Shares the memory. */
  private static over({ buffer, byteOffset, length }: Uint8Array): Buffer {
    return new Buffer(buffer as ArrayBuffer, byteOffset, length);
  }

  static compare(this: void, one: Uint8Array, other: Uint8Array): number {
    const shared = Math.min(one.length, other.length);
    for (let i = 0; i < shared; i++) if (one[i] !== other[i]) return one[i]! < other[i]! ? -1 : 1;
    return Math.sign(one.length - other.length);
  }

  override includes(value: number | string, from = 0): boolean {
    if (typeof value === 'number') return super.includes(value, from);
    const wanted = BrowserBytes.from(value);
    for (let at = from; at + wanted.length <= this.length; at++)
      if (wanted.every((byte, i) => this[at + i] === byte)) return true;
    return false;
  }

  swap16(): this {
    for (let i = 0; i < this.length; i += 2) [this[i], this[i + 1]] = [this[i + 1]!, this[i]!];
    return this;
  }
}

const cancelled = new WeakSet<object>();

export function setImmediate(task: () => void): object {
  const handle = {};
  nextRound(() => {
    if (!cancelled.has(handle)) task();
  });
  return handle;
}

export function clearImmediate(handle: object | undefined): void {
  if (handle) cancelled.add(handle);
}
