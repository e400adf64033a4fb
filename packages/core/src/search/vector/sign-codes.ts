import { BLOCK_ROWS, type CodeBlocks, CodeLayout } from './code-blocks.ts';
import { SignRotation } from './sign-rotation.ts';
import type { VectorRows } from './vector-rows.ts';

/** Maximum components for computing a centre: some milliseconds. */
const SAMPLE_COMPONENTS = 1 << 21;
/** Codes move to a new centre when the mean has drifted by this share of the vectors' variance. */
const MAX_DRIFT = 0.1;
/** Additional rows encoded per vector change, while codes are behind. */
const ROWS_A_STEP = 2;
/** Vector changes per block moved to the new centre. */
const STEPS_A_BLOCK = 4;
/** Minimum number of changes between two checks of the mean; otherwise a quarter of the rows. */
const MIN_STEPS_TO_CHECK = 1024;

/** A run of blocks whose codes have the same centre. */
export interface CentredBlocks {
  readonly firstBlock: number;
  readonly endBlock: number;
  readonly centre: Float64Array;
}

/**
 * Codes of an index's rows. Vectors of most models share a direction; codes quantise what remains
 * after subtracting the mean, which is what distinguishes vectors. All work is spread over vector
 * changes: each encodes a few more rows, until the codes are complete or, after the mean has
 * drifted, have moved to the new centre. Blocks below `moved` use the new centre.
 */
export class SignCodes {
  readonly rotation: SignRotation;
  private readonly rows: VectorRows;
  private readonly blocks: CodeBlocks;
  private readonly code: Uint8Array;
  private readonly residual: Float64Array;
  private readonly rotated: Float64Array;
  /** The same bytes as words: the upper half of a number starts with its sign bit. */
  private readonly rotatedWords: Int32Array;
  private centre: Float64Array;
  private newCentre: Float64Array | undefined;
  private moved = 0;
  private steps = 0;
  private stepsToCheck: number;
  /** Rows below this have codes. */
  private encoded = 0;

  constructor(rows: VectorRows, makeBlocks: (layout: CodeLayout) => CodeBlocks) {
    this.rows = rows;
    this.rotation = new SignRotation(rows.dimensions);
    const { bits, halfBits } = this.rotation;
    this.code = new Uint8Array(bits / 8);
    this.blocks = makeBlocks(new CodeLayout(halfBits / 16, (bits - halfBits) / 8));
    this.residual = new Float64Array(rows.dimensions);
    this.rotated = new Float64Array(this.rotation.bits);
    this.rotatedWords = new Int32Array(this.rotated.buffer);
    this.centre = this.mean();
    this.stepsToCheck = MIN_STEPS_TO_CHECK;
  }

  /** Whether every row has its code. */
  get complete(): boolean {
    return this.encoded === this.rows.size;
  }

  get memoryBytes(): number {
    return this.blocks.memoryBytes + this.rotation.memoryBytes + this.rotated.byteLength;
  }

  /** The scan of the codes. */
  get scan(): CodeBlocks['scan'] {
    return this.blocks.scan.bind(this.blocks);
  }

  /** Returns all blocks, in one or two runs. */
  runs(): CentredBlocks[] {
    const { centre, newCentre, moved } = this;
    const endBlock = Math.ceil(this.encoded / BLOCK_ROWS);
    if (!newCentre) return [{ firstBlock: 0, endBlock, centre }];
    return [
      { firstBlock: 0, endBlock: Math.min(moved, endBlock), centre: newCentre },
      { firstBlock: Math.min(moved, endBlock), endBlock, centre },
    ];
  }

  /** Updates the codes after a row was added or changed. */
  set(row: number): void {
    if (row < this.encoded) this.encode(row);
    this.catchUp(ROWS_A_STEP);
    this.followMean();
  }

  /**
   * Updates the codes after a row was deleted; the previously last row may have taken its place.
   */
  delete(row: number): void {
    if (row < this.rows.size && row < this.encoded) this.encode(row);
    this.encoded = Math.min(this.encoded, this.rows.size);
    this.catchUp(ROWS_A_STEP);
  }

  private catchUp(rows: number): void {
    const end = Math.min(this.rows.size, this.encoded + rows);
    if (end > this.encoded) this.blocks.reserve(Math.ceil(end / BLOCK_ROWS));
    for (; this.encoded < end; this.encoded++) this.encode(this.encoded);
  }

  private followMean(): void {
    this.steps++;
    if (this.newCentre) {
      if (this.steps % STEPS_A_BLOCK === 0) this.moveBlock(this.newCentre);
      return;
    }
    if (this.steps < this.stepsToCheck || !this.complete) return;
    this.steps = 0;
    this.stepsToCheck = Math.max(MIN_STEPS_TO_CHECK, this.rows.size / 4);
    const mean = this.mean();
    let drift = 0;
    let square = 0;
    for (let at = 0; at < mean.length; at++) {
      drift += (mean[at] - this.centre[at]) ** 2;
      square += mean[at] ** 2;
    }
    // The mean square distance of unit vectors from their mean is 1 - |mean|^2.
    if (drift <= MAX_DRIFT * (1 - square)) return;
    this.newCentre = mean;
    this.moved = 0;
  }

  private moveBlock(newCentre: Float64Array): void {
    const first = this.moved * BLOCK_ROWS;
    this.moved++;
    for (let row = first; row < Math.min(first + BLOCK_ROWS, this.encoded); row++) this.encode(row);
    if (first + BLOCK_ROWS < this.encoded) return;
    this.centre = newCentre;
    this.newCentre = undefined;
    this.steps = 0;
  }

  private encode(row: number): void {
    const { code, residual, rotated, rotation } = this;
    const centre = this.newCentre && row >>> 4 < this.moved ? this.newCentre : this.centre;
    let offset = 0;
    let square = 0;
    this.rows.copyTo(residual, row);
    for (let at = 0; at < residual.length; at++) {
      const difference = residual[at] - centre[at];
      residual[at] = difference;
      offset += difference * centre[at];
      square += difference * difference;
    }
    rotation.rotate(residual, rotated);
    const sum = signs(rotated, this.rotatedWords, code);
    this.blocks.write(row, code, sum === 0 ? 0 : square / sum, offset);
  }

  /** Returns the mean of the rows, or of a sufficient sample. */
  private mean(): Float64Array {
    const { rows } = this;
    const mean = new Float64Array(rows.dimensions);
    const count = Math.min(rows.size, Math.max(1, Math.floor(SAMPLE_COMPONENTS / rows.dimensions)));
    for (let at = 0; at < count; at++) rows.addTo(mean, Math.floor((at * rows.size) / count), 1 / count);
    return mean;
  }
}

/** Index of the upper half of a 64-bit number, by the byte order of this machine. */
const UPPER = new Uint8Array(Uint16Array.of(1).buffer)[0];

/**
 * Writes one bit per component, 1 if it is not negative; returns the sum of absolute values.
 * Branch-free, because signs are as good as random.
 */
function signs(components: Float64Array, words: Int32Array, code: Uint8Array): number {
  let sum = 0;
  for (let byte = 0; byte < code.length; byte++) {
    const at = byte * 8;
    const upper = at * 2 + UPPER;
    code[byte] = ~(
      (words[upper] >>> 31) |
      ((words[upper + 2] >>> 31) << 1) |
      ((words[upper + 4] >>> 31) << 2) |
      ((words[upper + 6] >>> 31) << 3) |
      ((words[upper + 8] >>> 31) << 4) |
      ((words[upper + 10] >>> 31) << 5) |
      ((words[upper + 12] >>> 31) << 6) |
      ((words[upper + 14] >>> 31) << 7)
    );
    // Added in pairs, so that additions do not wait for each other.
    const first = Math.abs(components[at]) + Math.abs(components[at + 1]);
    const second = Math.abs(components[at + 2]) + Math.abs(components[at + 3]);
    const third = Math.abs(components[at + 4]) + Math.abs(components[at + 5]);
    const fourth = Math.abs(components[at + 6]) + Math.abs(components[at + 7]);
    sum += first + second + (third + fourth);
  }
  return sum;
}
