import type { QueryTable } from './query-table.ts';

/** Rows per block: the number of bytes in a SIMD register. */
export const BLOCK_ROWS = 16;
/** Blocks per group, the maximum of one scan call: some tenths of a millisecond. */
export const GROUP_BLOCKS = 512;
export const GROUP_ROWS = BLOCK_ROWS * GROUP_BLOCKS;

/** A run of blocks within one group. */
export interface CodePiece {
  readonly firstBlock: number;
  readonly blocks: number;
  /** Filter: 16 bits for each block of the index, bit r for its row r. Undefined: all rows. */
  readonly mask: Uint16Array | undefined;
  /** Whether a block is skipped after its head if no row can reach the threshold. */
  readonly looks: boolean;
}

/** Result of a scan; valid until the next scan. */
export interface FoundRows {
  readonly length: number;
  readonly rows: Uint32Array;
  readonly bounds: Float32Array;
  /** Number of blocks whose heads were checked, and number of those that had to be read further. */
  readonly looked: number;
  readonly left: number;
}

/**
 * Quantised codes of an index's rows, laid out for scanning. Two implementations return the same
 * rows and bounds: one in WebAssembly, one in plain JavaScript as a fallback.
 */
export interface CodeBlocks {
  readonly memoryBytes: number;
  /** Allocates room for a number of blocks. */
  reserve(blocks: number): void;
  /** Writes the code of a row; its block must be reserved. */
  write(row: number, code: Uint8Array, factor: number, offset: number): void;
  /**
   * Returns the rows of a piece whose bound reaches `threshold`, ascending. May include rows beyond
   * the last one.
   */
  scan(piece: CodePiece, table: QueryTable, threshold: number): FoundRows;
}

/**
 * Byte layout of codes. A block is sixteen rows: a head (the first code byte of all its rows, then
 * the second and so on, then sixteen factors and sixteen offsets as f32), a middle (as many code
 * bytes again) and a tail (the remaining ones). A group stores the heads of 512 blocks, then their
 * middles, then their tails, so that a scan which needs few middles and tails reads contiguous
 * memory. Each sixteen bytes hold rows 0, 8, 1, 9 and so on, an order that a scan can unpack at no
 * cost.
 */
export class CodeLayout {
  readonly headBytes: number;
  readonly tailBytes: number;
  readonly codeBytes: number;
  readonly headBlock: number;
  readonly middleBlock: number;
  readonly tailBlock: number;
  readonly group: number;

  /** `headBytes`, also the length of a middle, and `tailBytes` of a row's code; multiples of 4. */
  constructor(headBytes: number, tailBytes: number) {
    this.headBytes = headBytes;
    this.tailBytes = tailBytes;
    this.codeBytes = headBytes * 2 + tailBytes;
    this.headBlock = headBytes * BLOCK_ROWS + BLOCK_ROWS * 8;
    this.middleBlock = headBytes * BLOCK_ROWS;
    this.tailBlock = tailBytes * BLOCK_ROWS;
    this.group = GROUP_BLOCKS * (this.headBlock + this.middleBlock + this.tailBlock);
  }

  /** Returns the byte offset of a block's head within its group. */
  headStart(block: number): number {
    return (block % GROUP_BLOCKS) * this.headBlock;
  }

  middleStart(block: number): number {
    return GROUP_BLOCKS * this.headBlock + (block % GROUP_BLOCKS) * this.middleBlock;
  }

  tailStart(block: number): number {
    return GROUP_BLOCKS * (this.headBlock + this.middleBlock) + (block % GROUP_BLOCKS) * this.tailBlock;
  }

  /** Writes a row's code into its group, which starts at byte `start`. */
  write(
    bytes: Uint8Array,
    floats: Float32Array,
    start: number,
    row: number,
    code: Uint8Array,
    factor: number,
    offset: number,
  ): void {
    const { headBytes } = this;
    const block = row >>> 4;
    const lane = row % BLOCK_ROWS;
    const place = laneByte(lane);
    const head = start + this.headStart(block);
    // Virtual start of each part, shifted so that the code index can be used directly.
    const middle = start + this.middleStart(block) - headBytes * BLOCK_ROWS;
    const tail = start + this.tailStart(block) - headBytes * 2 * BLOCK_ROWS;
    for (let at = 0; at < headBytes; at++) bytes[head + at * BLOCK_ROWS + place] = code[at];
    for (let at = headBytes; at < headBytes * 2; at++) bytes[middle + at * BLOCK_ROWS + place] = code[at];
    for (let at = headBytes * 2; at < code.length; at++) bytes[tail + at * BLOCK_ROWS + place] = code[at];
    const factors = (head + headBytes * BLOCK_ROWS) >>> 2;
    floats[factors + lane] = factor;
    floats[factors + BLOCK_ROWS + lane] = offset;
  }
}

/** Returns the position of a row's byte among the sixteen. */
export const laneByte = (lane: number): number => (lane < 8 ? lane * 2 : (lane - 8) * 2 + 1);
