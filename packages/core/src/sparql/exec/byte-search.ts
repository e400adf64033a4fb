/**
 * Finds bytes in bytes, skipping most of them: the algorithm of Horspool, for one pattern or for
 * several, whose windows are then as long as the shortest. Each position of a pattern may allow two
 * bytes.
 */
export class ByteSearch {
  private readonly patterns: readonly BytePattern[];
  /** Length of the window: that of the shortest pattern. */
  private readonly window: number;
  /** Shift distance by the last byte of the window; 0 if a pattern may be there. */
  private readonly skips: Int32Array;
  /** The same for a window that was found to have no pattern: never 0. */
  private readonly shifts: Int32Array;

  /** @param patterns at least one */
  constructor(patterns: readonly BytePattern[]) {
    this.patterns = patterns;
    this.window = Math.min(...patterns.map(({ bytes }) => bytes.length));
    const last = this.window - 1;
    this.shifts = new Int32Array(256).fill(Math.max(1, this.window));
    for (const { bytes, others } of patterns) {
      for (let i = 0; i < last; i++) {
        for (const byte of [bytes[i], others[i]]) this.shifts[byte] = Math.min(this.shifts[byte], last - i);
      }
    }
    this.skips = this.shifts.slice();
    if (last >= 0) for (const { bytes, others } of patterns) this.skips[bytes[last]] = this.skips[others[last]] = 0;
  }

  /** Returns a search for one text. */
  static of(bytes: Uint8Array): ByteSearch {
    return new ByteSearch([{ bytes, others: bytes }]);
  }

  /** The length of the first pattern. */
  get length(): number {
    return this.patterns[0].bytes.length;
  }

  isIn(buffer: Uint8Array, start: number, end: number): boolean {
    return this.indexIn(buffer, start, end) >= 0;
  }

  /** Returns the first position of a pattern in `buffer[start .. end)`, or -1. */
  indexIn(buffer: Uint8Array, start: number, end: number): number {
    const { skips, shifts } = this;
    const last = this.window - 1;
    if (last < 0) return start;
    for (let at = start + last; at < end; at += shifts[buffer[at]]) {
      // Most windows end with a byte that no pattern has there.
      for (let skip = skips[buffer[at]]; skip > 0; skip = skips[buffer[at]]) {
        at += skip;
        if (at >= end) return -1;
      }
      if (this.isAt(buffer, at - last, end)) return at - last;
    }
    return -1;
  }

  /** Whether a pattern begins at a position and ends before another. */
  isAt(buffer: Uint8Array, start: number, end: number): boolean {
    for (let i = 0; i < this.patterns.length; i++) if (isPatternAt(this.patterns[i], buffer, start, end)) return true;
    return false;
  }

  /** Whether bytes end with a pattern. */
  isAtEnd(buffer: Uint8Array, start: number, end: number): boolean {
    for (const pattern of this.patterns) {
      const from = end - pattern.bytes.length;
      if (from >= start && isPatternAt(pattern, buffer, from, end)) return true;
    }
    return false;
  }

  /** Whether bytes are a pattern and nothing else. */
  isWhole(buffer: Uint8Array, start: number, end: number): boolean {
    for (const pattern of this.patterns) {
      if (pattern.bytes.length === end - start && isPatternAt(pattern, buffer, start, end)) return true;
    }
    return false;
  }
}

/** Position `i` is `bytes[i]` or `others[i]`, such as the other case of a letter. */
export interface BytePattern {
  readonly bytes: Uint8Array;
  readonly others: Uint8Array;
}

function isPatternAt({ bytes, others }: BytePattern, buffer: Uint8Array, start: number, end: number): boolean {
  const { length } = bytes;
  if (end - start < length) return false;
  for (let i = 0; i < length; i++) {
    const byte = buffer[start + i];
    if (byte !== bytes[i] && byte !== others[i]) return false;
  }
  return true;
}
