import { NO_TERM, type TermId } from '../contracts/term-source.ts';

/** Longer IRIs are not cached. */
const MAX_BYTES = 256;

/**
 * Caches the last IRI written in some context, with its < and >, so that a repetition needs neither
 * a check nor a lookup. Statements mostly repeat the previous subject, use the predicate that
 * followed last time, and often the same object.
 */
export class IriMemo {
  id: TermId = NO_TERM;
  private readonly view = new DataView(new ArrayBuffer(MAX_BYTES));
  private length = 0;

  /** Returns the length of the cached IRI if `bytes` contains it at `at`, else 0. */
  matches(bytes: DataView, at: number): number {
    const { view, length } = this;
    if (length === 0 || at + length > bytes.byteLength) return 0;
    let i = 0;
    for (const last = length - 3; i < last; i += 4) {
      if (bytes.getInt32(at + i, true) !== view.getInt32(i, true)) return 0;
    }
    for (; i < length; i++) if (bytes.getUint8(at + i) !== view.getUint8(i)) return 0;
    return length;
  }

  remember(bytes: DataView, start: number, end: number, id: TermId): void {
    const length = end - start;
    this.length = 0;
    if (length > MAX_BYTES) return;
    let i = 0;
    for (const last = length - 3; i < last; i += 4) this.view.setInt32(i, bytes.getInt32(start + i, true), true);
    for (; i < length; i++) this.view.setUint8(i, bytes.getUint8(start + i));
    this.length = length;
    this.id = id;
  }
}

/**
 * A small set of memos keyed by the preceding term: 64 slots, selected by the low bits of its id.
 */
export class IriMemos {
  private readonly memos: (IriMemo | undefined)[] = new Array(64).fill(undefined);

  after(id: TermId): IriMemo {
    const at = id & 63;
    let memo = this.memos[at];
    if (memo === undefined) {
      memo = new IriMemo();
      this.memos[at] = memo;
    }
    return memo;
  }
}
