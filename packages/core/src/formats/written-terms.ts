import { copyBytes } from '../storage/term-bytes.ts';
import { NO_TERM, type TermId } from '../storage/term-source.ts';
import { STEP_BYTES } from './copy-text.ts';

/** A power of two. */
const SLOTS = 256;
/** Longer terms are not kept. */
const MAX_TERM_BYTES = 2048;
const FIRST_BYTES = 4096;
const MAX_BYTES = 1 << 16;

/**
 * Terms as they were written, by the last bits of their ids: of terms that share them the last one
 * is kept. For `copySteps`.
 */
export class WrittenTerms {
  /** Four numbers a slot: the id, where its bytes start and end in `view`, and nothing. */
  private readonly slots = new Int32Array(SLOTS * 4);
  private length = 0;
  /** All that is kept, with {@link STEP_BYTES} behind it. */
  view = new DataView(new ArrayBuffer(FIRST_BYTES + STEP_BYTES));
  /** Where the term is that `seek` has found. */
  start = 0;
  end = 0;

  /** Whether a term is kept. */
  seek(id: TermId): boolean {
    const { slots } = this;
    const slot = (id & (SLOTS - 1)) << 2;
    if (slots[slot] !== id) return false;
    this.start = slots[slot + 1];
    this.end = slots[slot + 2];
    return true;
  }

  /**
   * Keeps a term that `seek` has not found, unless it is long: a copy of the bytes
   * `start .. end - 1`.
   */
  add(id: TermId, source: DataView, start: number, end: number): void {
    const more = end - start;
    if (more > MAX_TERM_BYTES) return;
    if (this.length + more > this.view.byteLength - STEP_BYTES) this.makeRoom();
    const { slots, length } = this;
    copyBytes(source, start, end, this.view, length);
    const slot = (id & (SLOTS - 1)) << 2;
    slots[slot] = id;
    slots[slot + 1] = length;
    slots[slot + 2] = length + more;
    this.length = length + more;
  }

  private makeRoom(): void {
    const bytes = this.view.byteLength - STEP_BYTES;
    if (bytes === MAX_BYTES) {
      // What comes again is soon back.
      this.slots.fill(NO_TERM);
      this.length = 0;
      return;
    }
    const grown = new DataView(new ArrayBuffer(bytes * 2 + STEP_BYTES));
    copyBytes(this.view, 0, this.length, grown, 0);
    this.view = grown;
  }
}
