import type { QueryTable } from './query-table.ts';

/** Rows of a block: as many as a SIMD register has bytes. */
export const BLOCK_ROWS = 16;
/** Blocks of a group. One call of a scan goes through one at most: some tenths of a millisecond. */
export const GROUP_BLOCKS = 512;
export const GROUP_ROWS = BLOCK_ROWS * GROUP_BLOCKS;

/** A run of blocks within one group. */
export interface CodePiece {
  readonly firstBlock: number;
  readonly blocks: number;
  /**
   * For each block of the index 16 bits, bit r for its row r: whether it may be found. Undefined:
   * all may.
   */
  readonly mask: Uint16Array | undefined;
  /** Whether a block is left after its head where no row can reach the threshold. */
  readonly looks: boolean;
}

/** What a scan found; valid until the next scan. */
export interface FoundRows {
  readonly length: number;
  readonly rows: Uint32Array;
  readonly bounds: Float32Array;
  /** Blocks whose heads were looked at, and how many of them were left to be read on. */
  readonly looked: number;
  readonly left: number;
}

/**
 * The codes of an index's rows, made for scanning. Two implementations give the same rows and the
 * same bounds: one in WebAssembly, one in plain JavaScript where that is not to be had.
 */
export interface CodeBlocks {
  readonly memoryBytes: number;
  /** Makes room for so many blocks. */
  reserve(blocks: number): void;
  /** Writes the code of a row whose block is there. */
  write(row: number, code: Uint8Array, factor: number, offset: number): void;
  /**
   * The rows of a piece whose bound reaches `threshold`, ascending. Rows beyond the last one may be
   * among them.
   */
  scan(piece: CodePiece, table: QueryTable, threshold: number): FoundRows;
}

/**
 * Where the bytes of codes stand. Sixteen rows are a block: a head (the first code byte of all its
 * rows, then the second and so on, then sixteen factors and sixteen offsets as f32), a middle (as
 * many code bytes again) and a tail (the others). A group has the heads of 512 blocks, then their
 * middles, then their tails, so that a scan that needs few middles and tails reads on without gaps.
 * Within sixteen bytes stand rows 0, 8, 1, 9 and so on, which a scan takes apart for nothing.
 */
export class CodeLayout {
  readonly headBytes: number;
  readonly tailBytes: number;
  readonly codeBytes: number;
  readonly headBlock: number;
  readonly middleBlock: number;
  readonly tailBlock: number;
  readonly group: number;

  /**
   * `headBytes`, which are those of a middle too, and `tailBytes` of a row's code; multiples of 4.
   */
  constructor(headBytes: number, tailBytes: number) {
    this.headBytes = headBytes;
    this.tailBytes = tailBytes;
    this.codeBytes = headBytes * 2 + tailBytes;
    this.headBlock = headBytes * BLOCK_ROWS + BLOCK_ROWS * 8;
    this.middleBlock = headBytes * BLOCK_ROWS;
    this.tailBlock = tailBytes * BLOCK_ROWS;
    this.group = GROUP_BLOCKS * (this.headBlock + this.middleBlock + this.tailBlock);
  }

  /** Byte of a block's head, from the beginning of its group. */
  headStart(block: number): number {
    return (block % GROUP_BLOCKS) * this.headBlock;
  }

  middleStart(block: number): number {
    return GROUP_BLOCKS * this.headBlock + (block % GROUP_BLOCKS) * this.middleBlock;
  }

  tailStart(block: number): number {
    return GROUP_BLOCKS * (this.headBlock + this.middleBlock) + (block % GROUP_BLOCKS) * this.tailBlock;
  }

  /** Writes a row's code into its group, which begins at byte `start`. */
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
    // Where the first code byte stood if the part began with it.
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

/** Where among sixteen bytes that of a row stands. */
export const laneByte = (lane: number): number => (lane < 8 ? lane * 2 : (lane - 8) * 2 + 1);
