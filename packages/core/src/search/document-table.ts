import type { DocId } from '../storage/doc-set.ts';
import { NO_TERM, type TermId } from '../storage/term-source.ts';
import { DocumentChains } from './document-chains.ts';
import { IdMap, mixId } from './id-map.ts';
import { grown } from './text/grown.ts';
import { WorldBlocks } from './world-blocks.ts';

const INITIAL_CAPACITY = 8;
const INITIAL_SLOTS = 16;

/**
 * Documents as four columns, in no order, possibly with duplicates. `world` is the world's number
 * within its namespace.
 */
export interface DocumentColumns {
  readonly length: number;
  readonly world: Uint32Array;
  readonly subject: Uint32Array;
  readonly predicate: Uint32Array;
  readonly object: Uint32Array;
}

export interface DocumentTableOptions {
  /** Whether documents are found by their literals too, for 16 bytes a document and more. */
  readonly byLiteral?: boolean;
}

/**
 * The documents of one namespace: one for each (world, subject, predicate, literal) that any graph
 * of the world holds. A document is a row number in typed columns, found by an open-addressing hash
 * over its four ids; there is no object per document. 20 to 28 bytes a document (ids 12 to 15, the
 * world and its documents 1, the hash 5 to 11), some 3 KB while empty. A world has up to sixteen
 * rows more than documents.
 *
 * Numbers of removed documents are used again, so they depend on history: whatever a caller sees is
 * ordered by {@link compare}. Columns are replaced when the table grows: read them anew after a
 * pause.
 */
export class DocumentTable {
  private subjectColumn = new Uint32Array(INITIAL_CAPACITY);
  private predicateColumn = new Uint32Array(INITIAL_CAPACITY);
  private objectColumn = new Uint32Array(INITIAL_CAPACITY);
  /** Document + 1; 0 is a free slot. At most three quarters full. */
  private slots = new Uint32Array(INITIAL_SLOTS);
  private readonly worldBlocks = new WorldBlocks();
  private readonly byObject: DocumentChains | undefined;
  private readonly worldSizes = new IdMap();
  private count = 0;
  private retired = 0;

  constructor({ byLiteral = false }: DocumentTableOptions = {}) {
    this.byObject = byLiteral ? new DocumentChains(INITIAL_CAPACITY) : undefined;
  }

  /** How many documents there are. */
  get size(): number {
    return this.count;
  }

  /** All numbers in use are below this. */
  get end(): number {
    return this.worldBlocks.end;
  }

  get memoryBytes(): number {
    const columns = this.subjectColumn.byteLength * 3 + this.slots.byteLength + this.worldSizes.memoryBytes;
    return columns + this.worldBlocks.memoryBytes + (this.byObject?.memoryBytes ?? 0);
  }

  /** The world of a document. */
  worldOf(doc: DocId): number {
    return this.worldBlocks.worldOf(doc);
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

  /** Where the documents of each world are. */
  get blocks(): Pick<WorldBlocks, 'end' | 'size' | 'first' | 'next' | 'worldOfBlock' | 'docsIn'> {
    return this.worldBlocks;
  }

  /** The first document of a world, in no order, or NO_DOC. */
  firstOf(world: number): DocId {
    return this.worldBlocks.firstDoc(world);
  }

  /** The next document of the same world, or NO_DOC. */
  nextOf(doc: DocId): DocId {
    return this.worldBlocks.nextDoc(doc);
  }

  /** The documents of each literal, oldest first; undefined for a table that does not find them. */
  get objects(): Pick<DocumentChains, 'first' | 'next' | 'has' | 'size'> | undefined {
    return this.byObject;
  }

  /** How many documents a world has. */
  worldSize(world: number): number {
    return Math.max(0, this.worldSizes.get(world));
  }

  has(doc: DocId): boolean {
    return doc < this.subjectColumn.length && this.subjectColumn[doc] !== NO_TERM;
  }

  /** The number of a document, or -1. */
  find(world: number, subject: TermId, predicate: TermId, object: TermId): DocId {
    return this.slots[this.slotOf(world, subject, predicate, object)] - 1;
  }

  /** Adds a document that is not there and gives its number. */
  add(world: number, subject: TermId, predicate: TermId, object: TermId): DocId {
    if ((this.count + 1) * 4 > this.slots.length * 3) this.growSlots();
    const doc = this.worldBlocks.take(world);
    if (doc >= this.subjectColumn.length) this.growColumns(doc + 1);
    // Before the columns have it: it must not be found at another's slot.
    const slot = this.slotOf(world, subject, predicate, object);
    this.subjectColumn[doc] = subject;
    this.predicateColumn[doc] = predicate;
    this.objectColumn[doc] = object;
    this.slots[slot] = doc + 1;
    this.byObject?.append(object, doc);
    this.worldSizes.set(world, this.worldSize(world) + 1);
    this.count++;
    return doc;
  }

  remove(doc: DocId): void {
    this.unlink(doc);
    this.worldBlocks.giveBack(doc);
    if (this.count === 0 && this.retired === 0) this.clear();
  }

  /**
   * Removes a document whose number nobody may get again: an index failed on it and may still hold
   * a part of it.
   */
  retire(doc: DocId): void {
    this.unlink(doc);
    this.worldBlocks.retire(doc);
    this.retired++;
  }

  /**
   * The order of documents that rank alike: by literal, world, subject, predicate. It depends on
   * ids alone, not on the history of the table.
   */
  compare(a: DocId, b: DocId): number {
    return (
      this.objectColumn[a] - this.objectColumn[b] ||
      this.worldOf(a) - this.worldOf(b) ||
      this.subjectColumn[a] - this.subjectColumn[b] ||
      this.predicateColumn[a] - this.predicateColumn[b]
    );
  }

  private unlink(doc: DocId): void {
    const world = this.worldOf(doc);
    const object = this.objectColumn[doc];
    this.freeSlot(this.slotOf(world, this.subjectColumn[doc], this.predicateColumn[doc], object));
    this.byObject?.remove(object, doc);
    const left = this.worldSize(world) - 1;
    if (left > 0) this.worldSizes.set(world, left);
    else this.worldSizes.delete(world);
    this.subjectColumn[doc] = NO_TERM;
    this.count--;
  }

  private hashOf(doc: DocId): number {
    return hashDocument(this.worldOf(doc), this.subjectColumn[doc], this.predicateColumn[doc], this.objectColumn[doc]);
  }

  /** The slot of a document, or the free slot where it would go. */
  private slotOf(world: number, subject: TermId, predicate: TermId, object: TermId): number {
    const { slots, worldBlocks: blocks, subjectColumn, predicateColumn, objectColumn } = this;
    const mask = slots.length - 1;
    let slot = hashDocument(world, subject, predicate, object) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const doc = slots[slot] - 1;
      if (
        objectColumn[doc] === object &&
        subjectColumn[doc] === subject &&
        predicateColumn[doc] === predicate &&
        blocks.worldOf(doc) === world
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

  private growColumns(needed: number): void {
    this.subjectColumn = grown(this.subjectColumn, needed);
    this.predicateColumn = grown(this.predicateColumn, needed);
    this.objectColumn = grown(this.objectColumn, needed);
    this.byObject?.grow(this.subjectColumn.length);
  }

  private growSlots(): void {
    const old = this.slots;
    const slots = new Uint32Array(old.length * 2);
    const mask = slots.length - 1;
    // In the order of documents, which reads the columns from one end to the other.
    for (let doc = 0; doc < this.end; doc++) {
      if (!this.has(doc)) continue;
      let slot = this.hashOf(doc) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = doc + 1;
    }
    this.slots = slots;
  }

  /** An emptied table gives its memory back: deleted data leaves memory at once. */
  private clear(): void {
    this.worldBlocks.clear();
    if (this.subjectColumn.length === INITIAL_CAPACITY) return;
    this.subjectColumn = new Uint32Array(INITIAL_CAPACITY);
    this.predicateColumn = new Uint32Array(INITIAL_CAPACITY);
    this.objectColumn = new Uint32Array(INITIAL_CAPACITY);
    this.slots = new Uint32Array(INITIAL_SLOTS);
    this.byObject?.clear(INITIAL_CAPACITY);
  }
}

function hashDocument(world: number, subject: TermId, predicate: TermId, object: TermId): number {
  // Each id is mixed into the hash of the ones before, so that swapping two of them changes it.
  return mixId(mixId(mixId(mixId(object) ^ subject) ^ predicate) ^ world);
}
