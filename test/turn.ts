/** LONG_TESTS=1 takes everything. */
const IS_LONG = process.env['LONG_TESTS'] !== undefined;
/** `.ci/run` counts the commits, so that each commit takes the next part. */
export const TURN = Number(process.env['TEST_TURN'] ?? 0);
if (!Number.isSafeInteger(TURN) || TURN < 0) throw new Error(`TEST_TURN is no count: ${process.env['TEST_TURN']}.`);

/**
 * Returns one of `parts` parts of a list, and the whole list with LONG_TESTS=1. For what other
 * tests check too, in another setting: `TEST_TURN` selects the part, and as many turns in a row
 * take everything.
 * @param offset added to the turn, so that lists of the same cases in several settings take
 *   different parts in the same run
 */
export function inTurn<Item>(items: readonly Item[], parts: number, offset = 0): readonly Item[] {
  return IS_LONG ? items : items.filter((_, at) => at % parts === (TURN + offset) % parts);
}
