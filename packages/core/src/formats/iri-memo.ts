import { NO_TERM, type TermId } from '../storage/term-source.ts';

/** Longer IRIs are not remembered. */
const MAX_BYTES = 256;

/**
 * An IRI as it was written last in some place, with < and >: where it is written again it needs no
 * check and no search. Statements mostly repeat the subject of the one before, follow with the
 * predicate that followed last time, and often give it the same object.
 */
export class IriMemo {
  id: TermId = NO_TERM;
  private readonly view = new DataView(new ArrayBuffer(MAX_BYTES));
  private length = 0;

  /** The length of the remembered IRI if `bytes` has it at `at`, else 0. */
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

/** Memos by what came before: a few, found by the low bits of an id. */
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
