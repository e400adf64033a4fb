import { NO_DOC } from './document-chains.ts';
import { IdMap } from './id-map.ts';
import { grown } from './text/grown.ts';

/** Document numbers per block, as a power of two. */
export const BLOCK_BITS = 4;
export const BLOCK_SIZE = 1 << BLOCK_BITS;
const IN_BLOCK = BLOCK_SIZE - 1;
const FULL = 2 ** BLOCK_SIZE - 1;
const NONE = 0xffff_ffff;
const INITIAL_BLOCKS = 1;

/**
 * Allocates document numbers in blocks of sixteen, each owned by one world. A world is therefore a
 * few runs of numbers and needs neither a column nor a chain over documents. Costs one byte per
 * document if blocks are full; unless documents were removed, a world has at most one block with
 * room.
 *
 * The blocks of a world form a list, those with room first. Empty blocks are reused by any world.
 */
export class WorldBlocks {
  private worlds = new Uint32Array(INITIAL_BLOCKS);
  /** One bit per allocated number. */
  private taken = new Uint16Array(INITIAL_BLOCKS);
  /** Allocated numbers that no longer identify a document and are never reused. */
  private readonly retired = new Set<number>();
  private nextBlock = new Uint32Array(INITIAL_BLOCKS);
  private previousBlock = new Uint32Array(INITIAL_BLOCKS);
  private readonly firstBlock = new IdMap();
  private readonly lastBlock = new IdMap();
  private blocks = 0;
  /** Free list of empty blocks, linked by `nextBlock`. */
  private emptyBlock = NONE;

  /** All allocated numbers are below this. */
  get end(): number {
    return this.blocks << BLOCK_BITS;
  }

  get memoryBytes(): number {
    const { worlds, taken, nextBlock, previousBlock, firstBlock, lastBlock } = this;
    const columns = worlds.byteLength + taken.byteLength + nextBlock.byteLength + previousBlock.byteLength;
    return columns + firstBlock.memoryBytes + lastBlock.memoryBytes;
  }

  /** Returns the world of an allocated number. */
  worldOf(doc: number): number {
    return this.worlds[doc >>> BLOCK_BITS];
  }

  /** Number of blocks, including empty ones. */
  get size(): number {
    return this.blocks;
  }

  /** Returns the first block of a world, or -1; `next` iterates over the others, unordered. */
  first(world: number): number {
    return this.firstBlock.get(world);
  }

  next(block: number): number {
    const next = this.nextBlock[block];
    return next === NONE ? -1 : next;
  }

  /** Returns the world of a block that has documents. */
  worldOfBlock(block: number): number {
    return this.worlds[block];
  }

  /** Returns the documents of a block as a bit mask, lowest bit first. */
  docsIn(block: number): number {
    let docs = this.taken[block];
    if (this.retired.size === 0) return docs;
    for (let place = 0; place < BLOCK_SIZE; place++)
      if (this.retired.has((block << BLOCK_BITS) | place)) docs &= ~(1 << place);
    return docs;
  }

  take(world: number): number {
    let block = this.firstOf(world);
    if (block === NONE || this.taken[block] === FULL) block = this.addBlock(world);
    const place = 31 - Math.clz32(~this.taken[block] & -~this.taken[block]);
    this.taken[block] |= 1 << place;
    if (this.taken[block] === FULL) this.moveLast(world, block);
    return (block << BLOCK_BITS) | place;
  }

  giveBack(doc: number): void {
    const block = doc >>> BLOCK_BITS;
    const world = this.worlds[block];
    const wasFull = this.taken[block] === FULL;
    this.taken[block] &= ~(1 << (doc & IN_BLOCK));
    if (this.taken[block] === 0) {
      this.unlink(world, block);
      this.nextBlock[block] = this.emptyBlock;
      this.emptyBlock = block;
    } else if (wasFull) {
      this.unlink(world, block);
      this.linkFirst(world, block);
    }
  }

  /** Marks a number as no longer identifying a document and never to be reused. */
  retire(doc: number): void {
    this.retired.add(doc);
  }

  /** Returns the first document of a world, in no particular order, or NO_DOC. */
  firstDoc(world: number): number {
    return this.docFrom(this.firstOf(world), 0);
  }

  /** Returns the next document of the same world, or NO_DOC. */
  nextDoc(doc: number): number {
    return this.docFrom(doc >>> BLOCK_BITS, (doc & IN_BLOCK) + 1);
  }

  private docFrom(block: number, place: number): number {
    while (block !== NONE) {
      const left = (this.taken[block] >>> place) << place;
      if (left === 0) {
        block = this.nextBlock[block];
        place = 0;
        continue;
      }
      const found = 31 - Math.clz32(left & -left);
      const doc = (block << BLOCK_BITS) | found;
      if (this.retired.size === 0 || !this.retired.has(doc)) return doc;
      place = found + 1;
    }
    return NO_DOC;
  }

  /** Whether every allocated number identifies a document. */
  get isStorable(): boolean {
    return this.retired.size === 0;
  }

  /** Copies the world and the documents of each block. Both are enough for {@link restore}. */
  columns(): [worlds: Uint32Array, taken: Uint16Array] {
    return [this.worlds.slice(0, this.blocks), this.taken.slice(0, this.blocks)];
  }

  /**
   * Sets the blocks of an empty allocator. The order of the blocks of a world is not restored,
   * which only decides the numbers of later documents.
   */
  restore(worlds: Uint32Array, taken: Uint16Array): void {
    this.worlds = worlds.slice();
    this.taken = taken.slice();
    this.blocks = worlds.length;
    this.nextBlock = new Uint32Array(this.blocks);
    this.previousBlock = new Uint32Array(this.blocks);
    // Each is linked in front of the others: those with room last, so that they come first.
    for (const hasRoom of [false, true]) {
      for (let block = this.blocks - 1; block >= 0; block--) {
        if (taken[block] !== 0 && (taken[block] !== FULL) === hasRoom) this.linkFirst(worlds[block], block);
      }
    }
    for (let block = this.blocks - 1; block >= 0; block--) {
      if (taken[block] !== 0) continue;
      this.nextBlock[block] = this.emptyBlock;
      this.emptyBlock = block;
    }
  }

  clear(): void {
    this.worlds = new Uint32Array(INITIAL_BLOCKS);
    this.taken = new Uint16Array(INITIAL_BLOCKS);
    this.nextBlock = new Uint32Array(INITIAL_BLOCKS);
    this.previousBlock = new Uint32Array(INITIAL_BLOCKS);
    this.firstBlock.clear();
    this.lastBlock.clear();
    this.blocks = 0;
    this.emptyBlock = NONE;
  }

  private firstOf(world: number): number {
    const block = this.firstBlock.get(world);
    return block < 0 ? NONE : block;
  }

  private addBlock(world: number): number {
    let block = this.emptyBlock;
    if (block !== NONE) this.emptyBlock = this.nextBlock[block];
    else {
      block = this.blocks++;
      if (block === this.taken.length) this.grow();
    }
    this.worlds[block] = world;
    this.taken[block] = 0;
    this.linkFirst(world, block);
    return block;
  }

  private grow(): void {
    const needed = this.taken.length + 1;
    this.worlds = grown(this.worlds, needed);
    this.nextBlock = grown(this.nextBlock, needed);
    this.previousBlock = grown(this.previousBlock, needed);
    const taken = new Uint16Array(this.worlds.length);
    taken.set(this.taken);
    this.taken = taken;
  }

  /** Moves a full block behind those with room. */
  private moveLast(world: number, block: number): void {
    if (this.nextBlock[block] === NONE) return;
    this.unlink(world, block);
    const last = this.lastBlock.get(world);
    this.nextBlock[last] = block;
    this.previousBlock[block] = last;
    this.nextBlock[block] = NONE;
    this.lastBlock.set(world, block);
  }

  private linkFirst(world: number, block: number): void {
    const next = this.firstOf(world);
    this.nextBlock[block] = next;
    this.previousBlock[block] = NONE;
    if (next === NONE) this.lastBlock.set(world, block);
    else this.previousBlock[next] = block;
    this.firstBlock.set(world, block);
  }

  private unlink(world: number, block: number): void {
    const next = this.nextBlock[block];
    const previous = this.previousBlock[block];
    if (previous !== NONE) this.nextBlock[previous] = next;
    else if (next !== NONE) this.firstBlock.set(world, next);
    else this.firstBlock.delete(world);
    if (next !== NONE) this.previousBlock[next] = previous;
    else if (previous !== NONE) this.lastBlock.set(world, previous);
    else this.lastBlock.delete(world);
  }
}
