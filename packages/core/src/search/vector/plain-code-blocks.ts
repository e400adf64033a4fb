import {
  BLOCK_ROWS,
  type CodeBlocks,
  type CodeLayout,
  type CodePiece,
  type FoundRows,
  GROUP_BLOCKS,
  GROUP_ROWS,
  laneByte,
} from './code-blocks.ts';
import type { QueryTable } from './query-table.ts';

const LANE_BYTES = Uint8Array.from({ length: BLOCK_ROWS }, (_, lane) => laneByte(lane));

/**
 * {@link CodeBlocks} without WebAssembly. `assembly/sign-scan.ts` implements the same with
 * identical rounding: change both together.
 */
export class PlainCodeBlocks implements CodeBlocks {
  private readonly layout: CodeLayout;
  private readonly groups: { readonly bytes: Uint8Array; readonly floats: Float32Array }[] = [];
  private readonly rows = new Uint32Array(GROUP_ROWS);
  private readonly bounds = new Float32Array(GROUP_ROWS);
  /** Table sums of each row of the current block, in byte order. */
  private readonly sums = new Int32Array(BLOCK_ROWS);

  constructor(layout: CodeLayout) {
    this.layout = layout;
  }

  get memoryBytes(): number {
    return this.groups.length * this.layout.group + this.rows.byteLength + this.bounds.byteLength;
  }

  reserve(blocks: number): void {
    while (this.groups.length * GROUP_BLOCKS < blocks) {
      const bytes = new Uint8Array(this.layout.group);
      this.groups.push({ bytes, floats: new Float32Array(bytes.buffer) });
    }
  }

  write(row: number, code: Uint8Array, factor: number, offset: number): void {
    const { bytes, floats } = this.groups[Math.floor(row / GROUP_ROWS)];
    this.layout.write(bytes, floats, 0, row, code, factor, offset);
  }

  scan({ firstBlock, blocks, mask, looks }: CodePiece, table: QueryTable, threshold: number): FoundRows {
    const { layout, sums } = this;
    const { headBytes, tailBytes } = layout;
    const { byteSums, headScale, headBias, middleScale, middleBias, scale, bias, base } = table;
    const { bytes, floats } = this.groups[Math.floor(firstBlock / GROUP_BLOCKS)];
    const limit = Math.fround(threshold);
    let length = 0;
    let looked = 0;
    let left = 0;
    for (let block = firstBlock; block < firstBlock + blocks; block++) {
      const allowed = mask ? mask[block] : 0xffff;
      if (allowed === 0) continue;
      const head = layout.headStart(block);
      const factors = (head + headBytes * BLOCK_ROWS) >>> 2;
      sums.fill(0);
      addSums(sums, bytes, head, headBytes, byteSums, 0);
      if (looks) {
        looked++;
        if ((allowed & reaching(sums, floats, factors, headScale, headBias, base, limit)) === 0) continue;
        left++;
      }
      addSums(sums, bytes, layout.middleStart(block), headBytes, byteSums, headBytes * 256);
      let reached = allowed & reaching(sums, floats, factors, middleScale, middleBias, base, limit);
      if (reached === 0) continue;
      if (tailBytes > 0) {
        addSums(sums, bytes, layout.tailStart(block), tailBytes, byteSums, headBytes * 512);
        reached &= reaching(sums, floats, factors, scale, bias, base, limit);
      }
      for (; reached !== 0; reached &= reached - 1) {
        const lane = 31 - Math.clz32(reached & -reached);
        this.rows[length] = block * BLOCK_ROWS + lane;
        this.bounds[length++] = bound(sums, floats, factors, lane, scale, bias, base);
      }
    }
    return { length, rows: this.rows, bounds: this.bounds, looked, left };
  }
}

function addSums(
  sums: Int32Array,
  bytes: Uint8Array,
  start: number,
  codeBytes: number,
  byteSums: Uint8Array,
  table: number,
): void {
  const end = start + codeBytes * BLOCK_ROWS;
  for (let codes = start; codes < end; codes += BLOCK_ROWS, table += 256)
    for (let place = 0; place < BLOCK_ROWS; place++) sums[place] += byteSums[table + bytes[codes + place]];
}

function reaching(
  sums: Int32Array,
  floats: Float32Array,
  factors: number,
  scale: number,
  bias: number,
  base: number,
  threshold: number,
): number {
  let reached = 0;
  for (let lane = 0; lane < BLOCK_ROWS; lane++)
    if (bound(sums, floats, factors, lane, scale, bias, base) >= threshold) reached |= 1 << lane;
  return reached;
}

/** Returns a row's upper bound. Every step is rounded to 32 bits, as SIMD instructions do. */
function bound(
  sums: Int32Array,
  floats: Float32Array,
  factors: number,
  lane: number,
  scale: number,
  bias: number,
  base: number,
): number {
  const spread = Math.fround(Math.fround(sums[LANE_BYTES[lane]] * scale) + bias);
  const offset = Math.fround(floats[factors + BLOCK_ROWS + lane] + base);
  return Math.fround(Math.fround(floats[factors + lane] * spread) + offset);
}
