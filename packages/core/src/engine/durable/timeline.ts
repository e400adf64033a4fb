import { WorldsError } from '../../model/worlds-error.ts';

const TWO_32 = 2 ** 32;
/** A jump is `high * 2^32 + low` with `high` in [1, 2^12), hence in [2^32, 2^44). */
const HIGHS = 2 ** 12 - 1;
/**
 * Leaves room for more commits than any engine makes, while all revisions stay exact as numbers.
 */
const MAX_FIRST_REVISION = 2 ** 53 - 2 ** 44;

/**
 * Returns the revision at which a restored namespace starts its own timeline: a random distance
 * above the backup's, so that no revision of the original engine or of another restore denotes a
 * commit made here. Throws LIMIT_EXCEEDED if there is no room left above `revision`.
 *
 * @param random returns the given number of random bytes
 */
export function newTimeline(name: string, revision: number, random: (length: number) => Uint8Array): number {
  const bytes = random(8);
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  const jump = (1 + (view.getUint32(0) % HIGHS)) * TWO_32 + view.getUint32(4);
  const first = revision + jump;
  if (first <= MAX_FIRST_REVISION) return first;
  throw new WorldsError(
    'LIMIT_EXCEEDED',
    `The backup has ${name} at revision ${revision}, too high to start another timeline above it; export its worlds, and import them into a new engine.`,
  );
}
