import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { Slicer } from '../storage/slicer.ts';
import type { VectorHit, VectorIndex, VectorIndexFactory, VectorSearchOptions } from '../storage/vector-index.ts';
import { docSetHas, docSetIds } from './doc-set.ts';
import { IdMap } from './id-map.ts';
import { TopK } from './top-k.ts';

const CHUNK_ROWS = 1024;
const INITIAL_ROWS = 8;
/** Multiplications between two looks at the clock: well below a millisecond. */
const BLOCK_COMPONENTS = 1 << 17;

/**
 * A VectorIndex that compares with every vector: exact, and the fastest way below some ten thousand vectors (100,000 of
 * 384 dimensions take about 40 ms). Vectors are kept normalised, so that the cosine is a dot product.
 *
 * A scan pauses for the event loop. A `set` or `delete` in such a pause may or may not be seen by that scan.
 */
class ExactVectorIndex implements VectorIndex {
  readonly dimensions: number;
  private readonly slotOf = new IdMap();
  private keyOf = new Uint32Array(INITIAL_ROWS);
  /** Chunk `slot >>> 10`, row `slot & 1023`. The first one grows up to a full chunk, the others are full from the start. */
  private chunks: Float32Array[] = [];

  constructor(dimensions: number) {
    this.dimensions = dimensions;
  }

  get size(): number {
    return this.slotOf.size;
  }

  has(key: number): boolean {
    return this.slotOf.has(key);
  }

  set(key: number, vector: Float32Array): void {
    const scale = this.scaleOf(vector, `The vector of key ${key}`);
    let slot = this.slotOf.get(key);
    if (slot < 0) {
      slot = this.size;
      this.reserve(slot);
      this.slotOf.set(key, slot);
      this.keyOf[slot] = key;
    }
    const chunk = this.chunks[Math.floor(slot / CHUNK_ROWS)];
    const start = (slot % CHUNK_ROWS) * this.dimensions;
    for (let at = 0; at < this.dimensions; at++) chunk[start + at] = vector[at] * scale;
  }

  delete(key: number): boolean {
    const slot = this.slotOf.get(key);
    if (slot < 0) return false;
    const last = this.size - 1;
    if (slot !== last) {
      // The last vector moves into the gap, so that rows stay dense.
      const from = (last % CHUNK_ROWS) * this.dimensions;
      this.chunks[Math.floor(slot / CHUNK_ROWS)].set(
        this.chunks[Math.floor(last / CHUNK_ROWS)].subarray(from, from + this.dimensions),
        (slot % CHUNK_ROWS) * this.dimensions,
      );
      const moved = this.keyOf[last];
      this.keyOf[slot] = moved;
      this.slotOf.set(moved, slot);
    }
    this.slotOf.delete(key);
    this.chunks.length = Math.ceil(last / CHUNK_ROWS);
    return true;
  }

  async search(vector: Float32Array, options: VectorSearchOptions): Promise<VectorHit[]> {
    const { limit, filter, signal } = options;
    throwIfAborted(signal);
    if (!Number.isInteger(limit) || limit < 1)
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `The limit of a vector search is ${limit}; give an integer of at least 1.`,
      );
    const scale = this.scaleOf(vector, 'The query vector');
    const query = new Float64Array(this.dimensions);
    for (let at = 0; at < this.dimensions; at++) query[at] = vector[at] * scale;

    const best = new TopK(Math.min(limit, this.size, filter?.size ?? Infinity));
    const slicer = new Slicer(signal);
    const block = Math.max(1, Math.floor(BLOCK_COMPONENTS / this.dimensions));
    if (filter && filter.size < this.size) {
      const keys = docSetIds(filter);
      for (let at = 0; at < keys.length; at += block) {
        const end = Math.min(keys.length, at + block);
        for (let index = at; index < end; index++) {
          const slot = this.slotOf.get(keys[index]);
          if (slot >= 0) best.offer(keys[index], this.similarity(query, slot));
        }
        if (slicer.due) await slicer.pause();
      }
    } else {
      for (let at = 0; at < this.size; at += block) {
        const end = Math.min(this.size, at + block);
        for (let slot = at; slot < end; slot++) {
          const key = this.keyOf[slot];
          if (!filter || docSetHas(filter, key)) best.offer(key, this.similarity(query, slot));
        }
        if (slicer.due) await slicer.pause();
      }
    }
    const { keys, scores } = best.drain();
    return Array.from(keys, (key, rank) => ({ key, similarity: Math.max(-1, Math.min(1, scores[rank])) }));
  }

  private similarity(query: Float64Array, slot: number): number {
    const chunk = this.chunks[Math.floor(slot / CHUNK_ROWS)];
    return dot(query, chunk, (slot % CHUNK_ROWS) * this.dimensions, this.dimensions);
  }

  /** What makes a vector's length 1; 0 for the zero vector. */
  private scaleOf(vector: Float32Array, what: string): number {
    if (vector.length !== this.dimensions)
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `${what} has ${vector.length} dimensions where the index has ${this.dimensions}; use vectors of the embedder that the index was made for.`,
      );
    // Doubles: the square of any Float32 is finite, and the square of the smallest one is not 0.
    let sum = 0;
    for (let at = 0; at < vector.length; at++) sum += vector[at] * vector[at];
    if (!Number.isFinite(sum))
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `${what} has a component that is not a finite number; check the embedder.`,
      );
    return sum === 0 ? 0 : 1 / Math.sqrt(sum);
  }

  /** Makes room for the vector of `slot`, which is the next one. */
  private reserve(slot: number): void {
    if (slot >= this.keyOf.length) {
      const keys = new Uint32Array(this.keyOf.length * 2);
      keys.set(this.keyOf);
      this.keyOf = keys;
    }
    const index = Math.floor(slot / CHUNK_ROWS);
    const chunk = this.chunks[index];
    const row = slot % CHUNK_ROWS;
    if (chunk && row * this.dimensions < chunk.length) return;
    const rows = index > 0 ? CHUNK_ROWS : Math.min(CHUNK_ROWS, Math.max(INITIAL_ROWS, row * 2));
    const larger = new Float32Array(rows * this.dimensions);
    if (chunk) larger.set(chunk);
    this.chunks[index] = larger;
  }
}

/** Four sums side by side, so that one addition does not wait for the one before. */
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

/** Makes an {@link ExactVectorIndex}; the default vector index. Throws INVALID_ARGUMENT unless `dimensions` is a positive integer. */
export const exactVectorIndex: VectorIndexFactory = async (dimensions) => {
  if (!Number.isInteger(dimensions) || dimensions < 1)
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `A vector index cannot have ${dimensions} dimensions; give a positive integer.`,
    );
  return new ExactVectorIndex(dimensions);
};
