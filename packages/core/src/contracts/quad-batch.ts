import { newColumn } from './new-column.ts';

/** Bits for the positions of a quad that a reader wants. */
export const WANT_SUBJECT = 1;
export const WANT_PREDICATE = 2;
export const WANT_OBJECT = 4;
export const WANT_GRAPH = 8;
export const WANT_ALL = 15;

const UNWANTED = new Uint32Array(0);

/**
 * A batch of up to `capacity` quads as four columns of ids; rows `0 .. length - 1` are valid until
 * the next fill. The column of an unwanted position has length 0: a source may skip it, and writes
 * to it are lost.
 */
export class QuadBatch {
  readonly subject: Uint32Array;
  readonly predicate: Uint32Array;
  readonly object: Uint32Array;
  readonly graph: Uint32Array;
  /** Number of rows that fit. */
  readonly capacity: number;
  /** Number of valid rows, set by the source that fills the batch. */
  length = 0;

  /** @param wanted the sum of the `WANT_` bits */
  constructor(capacity = 1024, wanted = WANT_ALL) {
    this.capacity = capacity;
    this.subject = wanted & WANT_SUBJECT ? newColumn(capacity) : UNWANTED;
    this.predicate = wanted & WANT_PREDICATE ? newColumn(capacity) : UNWANTED;
    this.object = wanted & WANT_OBJECT ? newColumn(capacity) : UNWANTED;
    this.graph = wanted & WANT_GRAPH ? newColumn(capacity) : UNWANTED;
  }
}
