import type { TermId } from '../../contracts/term-source.ts';
import { type Batch, keyColumns } from './batch.ts';
import type { Execution } from './execution.ts';
import { RowNumbers } from './row-numbers.ts';

/** Results at which it is decided, once early and once late, whether remembering pays. */
const FEW_RESULTS = 1 << 9;
const MANY_RESULTS = 1 << 14;
/** Results that are remembered at most. */
const MAX_RESULTS = 1 << 16;
const FIRST_RESULTS = 64;
/** Not an id: the result is not computed yet. A row that was suspended is evaluated again. */
const UNKNOWN = 0xffff_ffff;

/**
 * Computes a function of the terms in a few slots once for rows that have the same terms, such as a
 * text made of a year and a month. Gives that up where most rows have terms of their own.
 *
 * @param compute must have the same result for the same terms
 */
export function remembered(
  slots: readonly number[],
  compute: (batch: Batch, row: number) => TermId,
  execution: Execution,
): (batch: Batch, row: number) => TermId {
  let numbers: RowNumbers | undefined = new RowNumbers(slots.length, execution);
  let results = new Uint32Array(FIRST_RESULTS).fill(UNKNOWN);
  let rows = 0;
  let current: Batch | undefined;
  let columns: readonly Uint32Array[] = [];
  return (batch, row) => {
    if (!numbers) return compute(batch, row);
    if (batch !== current) {
      current = batch;
      columns = keyColumns(batch, slots);
    }
    const number = numbers.number(columns, row);
    rows++;
    if (number < results.length && results[number] !== UNKNOWN) return results[number];
    const result = compute(batch, row);
    if (number === results.length) {
      execution.claimMemory(results.byteLength);
      const grown = new Uint32Array(results.length * 2).fill(UNKNOWN);
      grown.set(results);
      results = grown;
    }
    results[number] = result;
    // Here, where results are new: a number of rows may be reached by one that repeats.
    const isChecked = number === FEW_RESULTS || number === MANY_RESULTS;
    if (number + 1 === MAX_RESULTS || (isChecked && number * 2 > rows)) numbers = undefined;
    return result;
  };
}
