import { Slicer } from '../../contracts/slicer.ts';
import type { StoredSegment } from '../../contracts/storage.ts';
import type { TermId } from '../../contracts/term-source.ts';
import type { TermTable } from '../../quads/term-table.ts';
import { decodeVectors, encodeVectors } from './segments.ts';

/** A segment of vectors without the vectors of freed literals. */
export interface ThinnedVectors {
  /** Number of remaining vectors. */
  readonly count: number;
  readonly write: () => AsyncIterable<Uint8Array>;
}

/** Returns the segment without vectors of freed literals; undefined if there are none. */
export async function thinVectors(
  segment: StoredSegment,
  dimensions: number,
  table: TermTable,
  where: string,
): Promise<ThinnedVectors | undefined> {
  const read = async () => {
    const { literals, values } = await new Slicer().run(decodeVectors(await segment.read(), dimensions, where));
    const kept: TermId[] = [];
    const vectors: Float32Array[] = [];
    literals.forEach((literal, i) => {
      if (table.isFree(literal)) return;
      kept.push(literal);
      vectors.push(values.subarray(i * dimensions, (i + 1) * dimensions));
    });
    return { kept, vectors, isSame: kept.length === literals.length };
  };
  const { kept, isSame } = await read();
  if (isSame) return undefined;
  return {
    count: kept.length,
    // Reads the segment again when it is written, so that the vectors are not held in memory until
    // then.
    write: async function* () {
      const { kept, vectors } = await read();
      yield* await new Slicer().run(encodeVectors(kept, vectors));
    },
  };
}
