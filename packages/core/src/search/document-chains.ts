import { IdMap } from './id-map.ts';

/** The end of a chain. */
export const NO_DOC = 0xffff_ffff;

/**
 * Groups documents by a key (their literal) as doubly linked lists through two typed columns: 8
 * bytes a document, O(1) to append and to remove, in the order of appending.
 */
export class DocumentChains {
  private readonly heads = new IdMap();
  private nextDoc: Uint32Array;
  /** The document before; of a head it is the tail, so that appending finds the tail at once. */
  private previousDoc: Uint32Array;

  constructor(capacity: number) {
    this.nextDoc = new Uint32Array(capacity);
    this.previousDoc = new Uint32Array(capacity);
  }

  get memoryBytes(): number {
    return this.heads.memoryBytes + this.nextDoc.byteLength + this.previousDoc.byteLength;
  }

  /** How many keys have documents. */
  get size(): number {
    return this.heads.size;
  }

  /** Makes room for documents up to `capacity - 1`. */
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

  /** The first document of a key, or NO_DOC. */
  first(key: number): number {
    const head = this.heads.get(key);
    return head < 0 ? NO_DOC : head;
  }

  /** The document after `doc` in its chain, or NO_DOC. */
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

  /** Removes a document that is in the chain of `key`. */
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
