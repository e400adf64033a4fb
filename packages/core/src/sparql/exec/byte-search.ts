/** Finds bytes in bytes (Horspool), skipping most of them. Each position may allow two bytes. */
export class ByteSearch {
  private readonly bytes: Uint8Array;
  private readonly others: Uint8Array;
  /** Shift distance by the last byte of the current window. */
  private readonly shifts: Int32Array;

  /**
   * @param others by position, a second byte that is as good as the one in `bytes`, such as the
   *   other case of a letter
   */
  constructor(bytes: Uint8Array, others: Uint8Array = bytes) {
    this.bytes = bytes;
    this.others = others;
    this.shifts = new Int32Array(256).fill(bytes.length);
    for (let i = 0; i < bytes.length - 1; i++) {
      this.shifts[bytes[i]] = bytes.length - 1 - i;
      this.shifts[others[i]] = bytes.length - 1 - i;
    }
  }

  get length(): number {
    return this.bytes.length;
  }

  isIn(buffer: Uint8Array, start: number, end: number): boolean {
    return this.indexIn(buffer, start, end) >= 0;
  }

  /** Returns the first position in `buffer[start .. end)`, or -1. */
  indexIn(buffer: Uint8Array, start: number, end: number): number {
    const { bytes, others, shifts } = this;
    const last = bytes.length - 1;
    if (last < 0) return start;
    for (let at = start; at + last < end; at += shifts[buffer[at + last]]) {
      let i = last;
      while (i >= 0 && (buffer[at + i] === bytes[i] || buffer[at + i] === others[i])) i--;
      if (i < 0) return at;
    }
    return -1;
  }

  isAt(buffer: Uint8Array, start: number, end: number): boolean {
    const { bytes, others } = this;
    if (end - start < bytes.length) return false;
    for (let i = 0; i < bytes.length; i++)
      if (buffer[start + i] !== bytes[i] && buffer[start + i] !== others[i]) return false;
    return true;
  }
}
