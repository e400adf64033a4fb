import { copyBytes } from '../contracts/term-bytes.ts';
import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import { STEP_BYTES } from './copy-text.ts';

/** A power of two. */
const SLOTS = 256;
/** Longer terms are not cached. */
const MAX_TERM_BYTES = 2048;
const FIRST_BYTES = 4096;
const MAX_BYTES = 1 << 16;

/**
 * A direct-mapped cache of terms as they were written, indexed by the low bits of their ids. The
 * cached bytes are suitable for `copySteps`.
 */
export class WrittenTerms {
  /** Four numbers per slot: the id, the start and end of its bytes in `view`, and padding. */
  private readonly slots = new Int32Array(SLOTS * 4);
  private length = 0;
  /** The cached bytes, followed by {@link STEP_BYTES} spare ones. */
  view = new DataView(new ArrayBuffer(FIRST_BYTES + STEP_BYTES));
  /** The location of the term found by `seek`. */
  start = 0;
  end = 0;

  /** Looks up a term; sets `start` and `end` and returns true if it is cached. */
  seek(id: TermId): boolean {
    const { slots } = this;
    const slot = (id & (SLOTS - 1)) << 2;
    if (slots[slot] !== id) return false;
    this.start = slots[slot + 1];
    this.end = slots[slot + 2];
    return true;
  }

  /**
   * Caches a copy of the bytes `start .. end - 1` of a term that `seek` did not find, unless they
   * are too long.
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
      // Clears the whole cache; recurring terms are soon cached again.
      this.slots.fill(NO_TERM);
      this.length = 0;
      return;
    }
    const grown = new DataView(new ArrayBuffer(bytes * 2 + STEP_BYTES));
    copyBytes(this.view, 0, this.length, grown, 0);
    this.view = grown;
  }
}
