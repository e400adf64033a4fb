import type { DocId } from '../storage/doc-set.ts';
import { NO_TERM, type TermId } from '../storage/term-source.ts';
import { DocumentChains } from './document-chains.ts';
import { IdMap, mixId } from './id-map.ts';

const INITIAL_CAPACITY = 8;

/** Documents as four columns, in no order, possibly with duplicates. `world` is the world's number within its namespace. */
export interface DocumentColumns {
  readonly length: number;
  readonly world: Uint32Array;
  readonly subject: Uint32Array;
  readonly predicate: Uint32Array;
  readonly object: Uint32Array;
}

/**
 * The documents of one namespace: one for each (world, subject, predicate, literal) that any graph of the world holds.
 * A document is a row number in typed columns, found by an open-addressing hash over its four ids; there is no object per
 * document. 40 to 80 bytes a document (ids 16, chains 16, the rest hashes; columns grow by doubling), some 3 KB while empty.
 *
 * Numbers of removed documents are used again, so they depend on history: whatever a caller sees is ordered by {@link compare}.
 * Columns are replaced when the table grows: read them anew after a pause.
 */
export class DocumentTable {
  private worldColumn = new Uint32Array(INITIAL_CAPACITY);
  private subjectColumn = new Uint32Array(INITIAL_CAPACITY);
  private predicateColumn = new Uint32Array(INITIAL_CAPACITY);
  private objectColumn = new Uint32Array(INITIAL_CAPACITY);
  /** Document + 1; 0 is a free slot. Twice as many slots as rows, so at most half full. */
  private slots = new Uint32Array(INITIAL_CAPACITY * 2);
  private readonly byWorld = new DocumentChains(INITIAL_CAPACITY);
  private readonly byObject = new DocumentChains(INITIAL_CAPACITY);
  private readonly worldSizes = new IdMap();
  private rows = 0;
  private count = 0;
  private retired = 0;
  /** First removed number + 1, or 0; the rest follow through `worldColumn`. */
  private freeHead = 0;

  /** How many documents there are. */
  get size(): number {
    return this.count;
  }

  /** All numbers in use are below this. */
  get end(): number {
    return this.rows;
  }

  get world(): Uint32Array {
    return this.worldColumn;
  }

  /** NO_TERM at numbers that no document has. */
  get subject(): Uint32Array {
    return this.subjectColumn;
  }

  get predicate(): Uint32Array {
    return this.predicateColumn;
  }

  get object(): Uint32Array {
    return this.objectColumn;
  }

  /** The documents of each world, oldest first. */
  get worlds(): Pick<DocumentChains, 'first' | 'next' | 'has' | 'size'> {
    return this.byWorld;
  }

  /** The documents of each literal, oldest first. */
  get objects(): Pick<DocumentChains, 'first' | 'next' | 'has' | 'size'> {
    return this.byObject;
  }

  /** How many documents a world has. */
  worldSize(world: number): number {
    return Math.max(0, this.worldSizes.get(world));
  }

  has(doc: DocId): boolean {
    return doc < this.rows && this.subjectColumn[doc] !== NO_TERM;
  }

  /** The number of a document, or -1. */
  find(world: number, subject: TermId, predicate: TermId, object: TermId): DocId {
    return this.slots[this.slotOf(world, subject, predicate, object)] - 1;
  }

  /** Adds a document that is not there and gives its number. */
  add(world: number, subject: TermId, predicate: TermId, object: TermId): DocId {
    let doc = this.freeHead - 1;
    if (doc >= 0) this.freeHead = this.worldColumn[doc];
    else {
      if (this.rows === this.worldColumn.length) this.grow();
      doc = this.rows++;
    }
    this.worldColumn[doc] = world;
    this.subjectColumn[doc] = subject;
    this.predicateColumn[doc] = predicate;
    this.objectColumn[doc] = object;
    this.slots[this.slotOf(world, subject, predicate, object)] = doc + 1;
    this.byWorld.append(world, doc);
    this.byObject.append(object, doc);
    this.worldSizes.set(world, this.worldSize(world) + 1);
    this.count++;
    return doc;
  }

  remove(doc: DocId): void {
    this.unlink(doc);
    this.worldColumn[doc] = this.freeHead;
    this.freeHead = doc + 1;
    if (this.count === 0 && this.retired === 0) this.clear();
  }

  /** Removes a document whose number nobody may get again: an index failed on it and may still hold a part of it. */
  retire(doc: DocId): void {
    this.unlink(doc);
    this.retired++;
  }

  /** The order of documents that rank alike: by literal, world, subject, predicate. It depends on ids alone, not on the history of the table. */
  compare(a: DocId, b: DocId): number {
    return (
      this.objectColumn[a] - this.objectColumn[b] ||
      this.worldColumn[a] - this.worldColumn[b] ||
      this.subjectColumn[a] - this.subjectColumn[b] ||
      this.predicateColumn[a] - this.predicateColumn[b]
    );
  }

  private unlink(doc: DocId): void {
    const world = this.worldColumn[doc];
    const object = this.objectColumn[doc];
    this.freeSlot(this.slotOf(world, this.subjectColumn[doc], this.predicateColumn[doc], object));
    this.byWorld.remove(world, doc);
    this.byObject.remove(object, doc);
    const left = this.worldSize(world) - 1;
    if (left > 0) this.worldSizes.set(world, left);
    else this.worldSizes.delete(world);
    this.subjectColumn[doc] = NO_TERM;
    this.count--;
  }

  private hashOf(doc: DocId): number {
    return hashDocument(
      this.worldColumn[doc],
      this.subjectColumn[doc],
      this.predicateColumn[doc],
      this.objectColumn[doc],
    );
  }

  /** The slot of a document, or the free slot where it would go. */
  private slotOf(world: number, subject: TermId, predicate: TermId, object: TermId): number {
    const { slots, worldColumn, subjectColumn, predicateColumn, objectColumn } = this;
    const mask = slots.length - 1;
    let slot = hashDocument(world, subject, predicate, object) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const doc = slots[slot] - 1;
      if (
        objectColumn[doc] === object &&
        subjectColumn[doc] === subject &&
        predicateColumn[doc] === predicate &&
        worldColumn[doc] === world
      )
        return slot;
    }
    return slot;
  }

  /** Knuth 6.4, algorithm R, as in IdMap. */
  private freeSlot(hole: number): void {
    const { slots } = this;
    const mask = slots.length - 1;
    for (let slot = (hole + 1) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const home = this.hashOf(slots[slot] - 1) & mask;
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
      slots[hole] = slots[slot];
      hole = slot;
    }
    slots[hole] = 0;
  }

  private grow(): void {
    const capacity = this.worldColumn.length * 2;
    this.worldColumn = grown(this.worldColumn, capacity);
    this.subjectColumn = grown(this.subjectColumn, capacity);
    this.predicateColumn = grown(this.predicateColumn, capacity);
    this.objectColumn = grown(this.objectColumn, capacity);
    this.byWorld.grow(capacity);
    this.byObject.grow(capacity);
    this.slots = new Uint32Array(capacity * 2);
    const mask = this.slots.length - 1;
    for (let doc = 0; doc < this.rows; doc++) {
      if (this.subjectColumn[doc] === NO_TERM) continue;
      let slot = this.hashOf(doc) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = doc + 1;
    }
  }

  /** An emptied table gives its memory back: deleted data leaves memory at once. */
  private clear(): void {
    this.rows = 0;
    this.freeHead = 0;
    if (this.worldColumn.length === INITIAL_CAPACITY) return;
    this.worldColumn = new Uint32Array(INITIAL_CAPACITY);
    this.subjectColumn = new Uint32Array(INITIAL_CAPACITY);
    this.predicateColumn = new Uint32Array(INITIAL_CAPACITY);
    this.objectColumn = new Uint32Array(INITIAL_CAPACITY);
    this.slots = new Uint32Array(INITIAL_CAPACITY * 2);
    this.byWorld.clear(INITIAL_CAPACITY);
    this.byObject.clear(INITIAL_CAPACITY);
  }
}

function hashDocument(world: number, subject: TermId, predicate: TermId, object: TermId): number {
  // Each id is mixed into the hash of the ones before, so that swapping two of them changes it.
  return mixId(mixId(mixId(mixId(object) ^ subject) ^ predicate) ^ world);
}

function grown(column: Uint32Array, capacity: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(capacity);
  larger.set(column);
  return larger;
}
