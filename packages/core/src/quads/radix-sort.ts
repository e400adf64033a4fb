const DIGIT_BITS = 11;
/** Number of rows moved per step of a kernel: well below a millisecond of work. */
const STEP = 1 << 16;
/** Below this length, insertion sort is faster than counting. */
const SMALL = 24;

/**
 * Sorts row numbers by one column of uint32 keys with a stable LSD radix sort, in as many passes of
 * at most 11 bits as the largest key needs. A kernel: yields every 65,536 rows.
 *
 * @param rows the row numbers to sort; overwritten
 * @param spare as long as `rows`; overwritten
 * @returns whichever of the two arrays holds the sorted rows
 */
export function* sortByColumn(
  rows: Uint32Array,
  spare: Uint32Array,
  keys: Uint32Array,
): Generator<void, Uint32Array, void> {
  const { length } = rows;
  if (length <= SMALL) return insertionSort(rows, keys);
  let max = 0;
  let min = 0xffff_ffff;
  for (let start = 0; start < length; start += STEP) {
    const end = Math.min(start + STEP, length);
    for (let i = start; i < end; i++) {
      const key = keys[rows[i]];
      if (key > max) max = key;
      if (key < min) min = key;
    }
    if (length > STEP) yield;
  }
  const bits = 32 - Math.clz32(max - min);
  if (bits > DIGIT_BITS && max - min < length) {
    const ranked = yield* rankedKeys(rows, keys, min, max);
    if (ranked) {
      yield* countingPass(rows, spare, ranked.keys, 0, 0, (1 << ranked.bits) - 1, new Uint32Array(POSITIONS.length));
      return spare;
    }
  }
  const passes = Math.ceil(bits / DIGIT_BITS);
  const digitBits = Math.ceil(bits / passes);
  // A sort that completes in one step, without a yield, can use the shared scratch array.
  const positions = length <= STEP ? POSITIONS : new Uint32Array(POSITIONS.length);
  for (let pass = 0; pass < passes; pass++) {
    yield* countingPass(rows, spare, keys, min, pass * digitBits, (1 << digitBits) - 1, positions);
    [rows, spare] = [spare, rows];
  }
  return rows;
}

/**
 * Replaces keys by their ranks if few distinct values are spread over a wide range, as with
 * predicates; one pass is then enough. Returns undefined if there are too many values.
 */
function* rankedKeys(
  rows: Uint32Array,
  keys: Uint32Array,
  min: number,
  max: number,
): Generator<void, { keys: Uint32Array; bits: number } | undefined, void> {
  const ranks = new Uint16Array(max - min + 1);
  let values = 0;
  for (let start = 0; start < rows.length; start += STEP) {
    const end = Math.min(start + STEP, rows.length);
    for (let i = start; i < end; i++) {
      const value = keys[rows[i]] - min;
      if (ranks[value] === 0) {
        if (++values > 1 << DIGIT_BITS) return undefined;
        ranks[value] = 1;
      }
    }
    yield;
  }
  let rank = 0;
  for (let value = 0; value < ranks.length; value++) if (ranks[value] !== 0) ranks[value] = rank++;
  const ranked = new Uint32Array(keys.length);
  for (let start = 0; start < rows.length; start += STEP) {
    const end = Math.min(start + STEP, rows.length);
    for (let i = start; i < end; i++) ranked[rows[i]] = ranks[keys[rows[i]] - min];
    yield;
  }
  return { keys: ranked, bits: Math.max(1, 32 - Math.clz32(values - 1)) };
}

const POSITIONS = new Uint32Array((1 << DIGIT_BITS) + 1);

function* countingPass(
  rows: Uint32Array,
  target: Uint32Array,
  keys: Uint32Array,
  min: number,
  shift: number,
  mask: number,
  positions: Uint32Array,
): Generator<void, void, void> {
  const { length } = rows;
  positions.fill(0, 0, mask + 2);
  for (let start = 0; start < length; start += STEP) {
    if (start > 0) yield;
    countDigits(rows, keys, min, shift, mask, positions, start, Math.min(start + STEP, length));
  }
  for (let digit = 1; digit <= mask; digit++) positions[digit] += positions[digit - 1];
  for (let start = 0; start < length; start += STEP) {
    if (start > 0) yield;
    scatter(rows, target, keys, min, shift, mask, positions, start, Math.min(start + STEP, length));
  }
  if (length > STEP) yield;
}

function countDigits(
  rows: Uint32Array,
  keys: Uint32Array,
  min: number,
  shift: number,
  mask: number,
  positions: Uint32Array,
  start: number,
  end: number,
): void {
  // Counts are shifted by one, so that the prefix sum gives the start of each digit.
  for (let i = start; i < end; i++) positions[(((keys[rows[i]] - min) >>> shift) & mask) + 1]++;
}

function scatter(
  rows: Uint32Array,
  target: Uint32Array,
  keys: Uint32Array,
  min: number,
  shift: number,
  mask: number,
  positions: Uint32Array,
  start: number,
  end: number,
): void {
  for (let i = start; i < end; i++) {
    const row = rows[i];
    target[positions[((keys[row] - min) >>> shift) & mask]++] = row;
  }
}

function insertionSort(rows: Uint32Array, keys: Uint32Array): Uint32Array {
  for (let i = 1; i < rows.length; i++) {
    const row = rows[i];
    const key = keys[row];
    let at = i - 1;
    for (; at >= 0 && keys[rows[at]] > key; at--) rows[at + 1] = rows[at];
    rows[at + 1] = row;
  }
  return rows;
}
