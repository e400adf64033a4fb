import { Slicer } from '../../contracts/slicer.ts';
import type { VectorHit, VectorIndex, VectorSearchOptions } from '../../contracts/vector-index.ts';
import { throwIfAborted, WorldsError } from '../../model/worlds-error.ts';
import type { CodeBlocks, CodeLayout } from './code-blocks.ts';
import { searchByCodes } from './coded-search.ts';
import { NearestRows } from './nearest-rows.ts';
import { selectRows } from './row-selection.ts';
import { SignCodes } from './sign-codes.ts';
import { SignRotation } from './sign-rotation.ts';
import { unitScale, VectorRows } from './vector-rows.ts';

/**
 * A filtered set of up to this many components is compared exhaustively: about half a millisecond.
 */
const LISTED_COMPONENTS = 1 << 19;
/** A search for more than this share of the rows has to compare most of them anyway. */
const SHARE_TO_CODE = 1 / 8;

export interface ScannedVectorIndexOptions {
  readonly dimensions: number;
  /**
   * Up to this many components (vectors times dimensions), every vector is compared; above, codes
   * select the candidates.
   */
  readonly exactComponents: number;
  readonly makeCodeBlocks: (layout: CodeLayout) => CodeBlocks;
}

/**
 * Vector index of the core. A search compares all vectors, or scans codes of one bit per component
 * of two random rotations and then re-ranks the candidates exactly. There is no graph or tree to
 * maintain, so changes of vectors take effect immediately, and a filter makes a search faster.
 *
 * A search pauses for the event loop. It may or may not see a `set` or `delete` made in such a
 * pause.
 */
export class ScannedVectorIndex implements VectorIndex {
  readonly dimensions: number;
  private readonly rows: VectorRows;
  private readonly exactRows: number;
  private readonly listedRows: number;
  private readonly makeCodeBlocks: ScannedVectorIndexOptions['makeCodeBlocks'];
  private codes: SignCodes | undefined;

  /** Throws INVALID_ARGUMENT unless `dimensions` is a positive integer. */
  constructor({ dimensions, exactComponents, makeCodeBlocks }: ScannedVectorIndexOptions) {
    if (!Number.isInteger(dimensions) || dimensions < 1)
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `A vector index cannot have ${dimensions} dimensions; pass a positive integer.`,
      );
    this.dimensions = dimensions;
    this.rows = new VectorRows(dimensions);
    this.exactRows = SignRotation.supports(dimensions) ? exactComponents / dimensions : Infinity;
    this.listedRows = Math.min(this.exactRows, LISTED_COMPONENTS / dimensions);
    this.makeCodeBlocks = makeCodeBlocks;
  }

  get size(): number {
    return this.rows.size;
  }

  get memoryBytes(): number {
    return this.rows.memoryBytes + (this.codes?.memoryBytes ?? 0);
  }

  has(key: number): boolean {
    return this.rows.rowOf(key) >= 0;
  }

  set(key: number, vector: Float32Array): void {
    const row = this.rows.set(key, vector);
    // Starts early: each new row encodes two existing ones, so the codes are complete when needed.
    if (!this.codes && this.size > this.exactRows / 2) this.codes = new SignCodes(this.rows, this.makeCodeBlocks);
    this.codes?.set(row);
  }

  delete(key: number): boolean {
    const row = this.rows.delete(key);
    if (row < 0) return false;
    if (this.size < this.exactRows / 4) this.codes = undefined;
    this.codes?.delete(row);
    return true;
  }

  async search(vector: Float32Array, options: VectorSearchOptions): Promise<VectorHit[]> {
    const { limit, filter, exact, signal } = options;
    throwIfAborted(signal);
    if (!Number.isInteger(limit) || limit < 1)
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `The limit of a vector search is ${limit}; pass an integer of at least 1.`,
      );
    const { rows, codes } = this;
    const scale = unitScale(vector, this.dimensions, 'The query vector');
    const unit = new Float64Array(this.dimensions);
    for (let at = 0; at < unit.length; at++) unit[at] = vector[at] * scale;

    const slicer = new Slicer(signal);
    const nearest = new NearestRows(rows, unit, limit, filter);
    const selected = filter && (await selectRows(rows, filter, slicer));
    if (selected) nearest.trustRows();
    const candidates = selected?.count ?? Math.min(rows.size, filter?.size ?? Infinity);
    const comparable = selected ? this.listedRows : this.exactRows;
    const mayLeaveOut = candidates > comparable && limit <= candidates * SHARE_TO_CODE;
    if (!exact && codes?.complete && scale > 0 && mayLeaveOut)
      await searchByCodes(rows, codes, unit, nearest, limit, selected, slicer);
    else await nearest.compareAll(selected?.list(), slicer);
    return nearest.hits();
  }
}
