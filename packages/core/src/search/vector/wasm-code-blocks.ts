import {
  BLOCK_ROWS,
  type CodeBlocks,
  type CodeLayout,
  type CodePiece,
  type FoundRows,
  GROUP_BLOCKS,
  GROUP_ROWS,
} from './code-blocks.ts';
import type { QueryTable } from './query-table.ts';
import type { Wasm, WasmMemory, WasmModule } from './wasm.ts';

const PAGE_BYTES = 65_536;
/** Limit of a 32-bit memory. */
const MAX_PAGES = 65_536;

/** Byte offsets of the inputs and outputs of one call, stored before the codes. */
const SCRATCH = 0;
const COUNTS = 64;
const MASK = 128;
const ROWS = MASK + GROUP_BLOCKS * 2;
const BOUNDS = ROWS + GROUP_ROWS * 4;
const TABLE = BOUNDS + GROUP_ROWS * 4;

/** Parameters of `scan` in assembly/sign-scan.ts. */
type Scan = (
  head: number,
  middle: number,
  tail: number,
  blocks: number,
  headBytes: number,
  tailBytes: number,
  looks: number,
  table: number,
  mask: number,
  headScale: number,
  headBias: number,
  middleScale: number,
  middleBias: number,
  scale: number,
  bias: number,
  base: number,
  threshold: number,
  outRows: number,
  outBounds: number,
  scratch: number,
  counts: number,
) => number;

/**
 * {@link CodeBlocks} in its own WebAssembly memory, scanned with SIMD. The memory grows without
 * copying and is freed with the index.
 */
export class WasmCodeBlocks implements CodeBlocks {
  private readonly layout: CodeLayout;
  private readonly memory: WasmMemory;
  private readonly scanBlocks: Scan;
  /** Byte offset of the first group. */
  private readonly codes: number;
  private bytes: Uint8Array;
  private floats: Float32Array;

  /** Throws RangeError if there is no address space for another memory. */
  constructor(layout: CodeLayout, wasm: Wasm, module: WasmModule) {
    this.layout = layout;
    this.codes = TABLE + layout.codeBytes * 32;
    this.memory = new wasm.Memory({ initial: Math.ceil(this.codes / PAGE_BYTES), maximum: MAX_PAGES });
    this.scanBlocks = new wasm.Instance(module, { env: { memory: this.memory } }).exports['scan'] as Scan;
    this.bytes = new Uint8Array(this.memory.buffer);
    this.floats = new Float32Array(this.memory.buffer);
  }

  get memoryBytes(): number {
    return this.bytes.byteLength;
  }

  /** Throws RangeError if memory is exhausted. */
  reserve(blocks: number): void {
    const end = this.codes + Math.ceil(blocks / GROUP_BLOCKS) * this.layout.group;
    if (end <= this.bytes.byteLength) return;
    this.memory.grow(Math.ceil((end - this.bytes.byteLength) / PAGE_BYTES));
    this.bytes = new Uint8Array(this.memory.buffer);
    this.floats = new Float32Array(this.memory.buffer);
  }

  write(row: number, code: Uint8Array, factor: number, offset: number): void {
    this.layout.write(this.bytes, this.floats, this.groupStart(row >>> 4), row, code, factor, offset);
  }

  scan({ firstBlock, blocks, mask, looks }: CodePiece, table: QueryTable, threshold: number): FoundRows {
    const { layout, memory, bytes } = this;
    const group = this.groupStart(firstBlock);
    bytes.set(table.nibbles, TABLE);
    if (mask) new Uint16Array(memory.buffer, MASK).set(mask.subarray(firstBlock, firstBlock + blocks));
    const length = this.scanBlocks(
      group + layout.headStart(firstBlock),
      group + layout.middleStart(firstBlock),
      group + layout.tailStart(firstBlock),
      blocks,
      layout.headBytes,
      layout.tailBytes,
      looks ? 1 : 0,
      TABLE,
      mask ? MASK : 0,
      table.headScale,
      table.headBias,
      table.middleScale,
      table.middleBias,
      table.scale,
      table.bias,
      table.base,
      threshold,
      ROWS,
      BOUNDS,
      SCRATCH,
      COUNTS,
    );
    const rows = new Uint32Array(memory.buffer, ROWS, length);
    for (let at = 0; at < length; at++) rows[at] += firstBlock * BLOCK_ROWS;
    const [looked, left] = new Int32Array(memory.buffer, COUNTS, 2);
    return { length, rows, bounds: new Float32Array(memory.buffer, BOUNDS, length), looked, left };
  }

  private groupStart(block: number): number {
    return this.codes + Math.floor(block / GROUP_BLOCKS) * this.layout.group;
  }
}
