import { WorldsError } from '../../model/worlds-error.ts';
import { RowMap } from './row-map.ts';

const CHUNK_ROWS = 1024;
const INITIAL_ROWS = 8;

/**
 * Vectors by key, in dense rows, normalised to length 1 so that the cosine is a dot product. Rows
 * are stored in chunks of 1,024, so growing copies only the first chunk, while that is small.
 */
export class VectorRows {
  readonly dimensions: number;
  /** Incremented on every change, so that a search can detect changes during its pauses. */
  changes = 0;
  private readonly rowOfKey = new RowMap();
  private readonly keys: Uint32Array[] = [];
  private readonly components: Float32Array[] = [];
  private count = 0;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
  }

  get size(): number {
    return this.count;
  }

  get memoryBytes(): number {
    let bytes = this.rowOfKey.memoryBytes;
    for (const chunk of this.keys) bytes += chunk.byteLength;
    for (const chunk of this.components) bytes += chunk.byteLength;
    return bytes;
  }

  /** Returns the row of a key, or -1. */
  rowOf(key: number): number {
    return this.rowOfKey.get(key);
  }

  keyOf(row: number): number {
    return this.keys[row >>> 10][row & 1023];
  }

  /**
   * Sets the mask bits of the rows in [start, end) whose keys are in a bitset, and returns their
   * number. `start` must be a multiple of 16; a mask element covers sixteen rows. Rows deleted in
   * the meantime are skipped.
   */
  markKeys(start: number, end: number, words: Uint32Array, mask: Uint16Array): number {
    const last = Math.min(end, this.count);
    const most = words.length * 32;
    let marked = 0;
    for (let first = start; first < last; first += 16) {
      const keys = this.keys[first >>> 10];
      const stop = Math.min(last - first, 16);
      let bits = 0;
      for (let at = 0; at < stop; at++) {
        const key = keys[(first & 1023) + at];
        if (key < most) bits |= ((words[key >>> 5] >>> (key & 31)) & 1) << at;
      }
      mask[first >>> 4] = bits;
      for (; bits !== 0; bits &= bits - 1) marked++;
    }
    return marked;
  }

  /**
   * Adds or overwrites a vector and returns its row. Throws INVALID_ARGUMENT for a wrong length or
   * a non-finite component.
   */
  set(key: number, vector: Float32Array): number {
    const scale = unitScale(vector, this.dimensions, `The vector of key ${key}`);
    let row = this.rowOfKey.get(key);
    if (row < 0) {
      row = this.count;
      this.reserve(row);
      this.rowOfKey.set(key, row);
      this.keys[row >>> 10][row & 1023] = key;
      this.count++;
    }
    const chunk = this.components[row >>> 10];
    const start = (row & 1023) * this.dimensions;
    for (let at = 0; at < this.dimensions; at++) chunk[start + at] = vector[at] * scale;
    this.changes++;
    return row;
  }

  /**
   * Deletes a key. Returns its former row, into which the last row moved unless it was the last
   * itself; -1 if the key is absent.
   */
  delete(key: number): number {
    const row = this.rowOfKey.get(key);
    if (row < 0) return -1;
    const last = this.count - 1;
    if (row !== last) {
      const from = (last & 1023) * this.dimensions;
      this.components[row >>> 10].set(
        this.components[last >>> 10].subarray(from, from + this.dimensions),
        (row & 1023) * this.dimensions,
      );
      const moved = this.keyOf(last);
      this.keys[row >>> 10][row & 1023] = moved;
      this.rowOfKey.set(moved, row);
    }
    this.rowOfKey.delete(key);
    this.count = last;
    this.keys.length = Math.ceil(last / CHUNK_ROWS);
    this.components.length = this.keys.length;
    this.changes++;
    return row;
  }

  /** Returns the cosine of the row's vector with one of length 1, or 0 if either is zero. */
  similarity(unit: Float64Array, row: number): number {
    return dot(unit, this.components[row >>> 10], (row & 1023) * this.dimensions, this.dimensions);
  }

  copyTo(target: Float64Array, row: number): void {
    const chunk = this.components[row >>> 10];
    const start = (row & 1023) * this.dimensions;
    for (let at = 0; at < this.dimensions; at++) target[at] = chunk[start + at];
  }

  /** Adds `scale` times the row's vector to `target`. */
  addTo(target: Float64Array, row: number, scale: number): void {
    const chunk = this.components[row >>> 10];
    const start = (row & 1023) * this.dimensions;
    for (let at = 0; at < this.dimensions; at++) target[at] += chunk[start + at] * scale;
  }

  /** Allocates `row`, which must be the next one. */
  private reserve(row: number): void {
    const index = row >>> 10;
    const there = index < this.keys.length ? this.keys[index].length : 0;
    if ((row & 1023) < there) return;
    const rows = index > 0 ? CHUNK_ROWS : Math.min(CHUNK_ROWS, Math.max(INITIAL_ROWS, there * 2));
    const keys = new Uint32Array(rows);
    const components = new Float32Array(rows * this.dimensions);
    if (there > 0) {
      keys.set(this.keys[index]);
      components.set(this.components[index]);
    }
    this.keys[index] = keys;
    this.components[index] = components;
  }
}

/**
 * Returns the factor that normalises a vector to length 1; 0 for the zero vector. Throws
 * INVALID_ARGUMENT for a wrong length or a non-finite component.
 */
export function unitScale(vector: Float32Array, dimensions: number, what: string): number {
  if (vector.length !== dimensions)
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${what} has ${vector.length} dimensions, but the index has ${dimensions}; use vectors of the embedder that the index was created for.`,
    );
  // In double precision, the square of any finite Float32 is finite, and that of the smallest one
  // is not 0.
  let sum = 0;
  for (let at = 0; at < dimensions; at++) sum += vector[at] * vector[at];
  if (!Number.isFinite(sum))
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${what} has a component that is not a finite number; check the embedder.`,
    );
  return sum === 0 ? 0 : 1 / Math.sqrt(sum);
}

/** Uses four parallel sums, so that additions do not wait for each other. */
function dot(query: Float64Array, rows: Float32Array, start: number, dimensions: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let at = 0;
  for (; at + 3 < dimensions; at += 4) {
    a += query[at] * rows[start + at];
    b += query[at + 1] * rows[start + at + 1];
    c += query[at + 2] * rows[start + at + 2];
    d += query[at + 3] * rows[start + at + 3];
  }
  for (; at < dimensions; at++) a += query[at] * rows[start + at];
  return a + b + (c + d);
}
