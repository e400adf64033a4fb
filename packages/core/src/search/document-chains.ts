import { IdMap } from './id-map.ts';

/** End of a chain. */
export const NO_DOC = 0xffff_ffff;

/**
 * Groups documents by a key (their literal) as doubly linked lists in two typed columns: 8 bytes
 * per document, O(1) append and remove, in insertion order.
 */
export class DocumentChains {
  private readonly heads = new IdMap();
  private nextDoc: Uint32Array;
  /** Predecessor of each document; for a head, the tail, so that appending is O(1). */
  private previousDoc: Uint32Array;

  constructor(capacity: number) {
    this.nextDoc = new Uint32Array(capacity);
    this.previousDoc = new Uint32Array(capacity);
  }

  get memoryBytes(): number {
    return this.heads.memoryBytes + this.nextDoc.byteLength + this.previousDoc.byteLength;
  }

  /** Number of keys with documents. */
  get size(): number {
    return this.heads.size;
  }

  /** Enlarges the columns for documents up to `capacity - 1`. */
  grow(capacity: number): void {
    const next = new Uint32Array(capacity);
    const previous = new Uint32Array(capacity);
    next.set(this.nextDoc);
    previous.set(this.previousDoc);
    this.nextDoc = next;
    this.previousDoc = previous;
  }

  has(key: number): boolean {
    return this.heads.has(key);
  }

  /** Returns the first document of a key, or NO_DOC. */
  first(key: number): number {
    const head = this.heads.get(key);
    return head < 0 ? NO_DOC : head;
  }

  /** Returns the document after `doc` in its chain, or NO_DOC. */
  next(doc: number): number {
    return this.nextDoc[doc];
  }

  append(key: number, doc: number): void {
    const head = this.heads.get(key);
    this.nextDoc[doc] = NO_DOC;
    if (head < 0) {
      this.previousDoc[doc] = doc;
      this.heads.set(key, doc);
      return;
    }
    const tail = this.previousDoc[head];
    this.nextDoc[tail] = doc;
    this.previousDoc[doc] = tail;
    this.previousDoc[head] = doc;
  }

  /** Removes a document, which must be in the chain of `key`. */
  remove(key: number, doc: number): void {
    const head = this.heads.get(key);
    const next = this.nextDoc[doc];
    const previous = this.previousDoc[doc];
    if (doc !== head) {
      this.nextDoc[previous] = next;
      this.previousDoc[next === NO_DOC ? head : next] = previous;
    } else if (next === NO_DOC) {
      this.heads.delete(key);
    } else {
      this.heads.set(key, next);
      this.previousDoc[next] = previous;
    }
  }

  clear(capacity: number): void {
    this.heads.clear();
    this.nextDoc = new Uint32Array(capacity);
    this.previousDoc = new Uint32Array(capacity);
  }
}
