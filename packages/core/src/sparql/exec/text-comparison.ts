import { Buffer } from '#platform';
import { LARGE_TEXT } from '../../model/memory-budget.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { Batch } from './batch.ts';
import type { Execution } from './execution.ts';
import type { StoredTexts } from './stored-texts.ts';
import { plainText, type SlicePlan, slicePlan, TextSlice } from './text-slice.ts';

/**
 * A comparison of two texts of which at least one is computed from a stored one, such as
 * `STR(?a) < STR(?b)` or `SUBSTR(?time, 1, 4) = "2024"`.
 */
export interface ComparisonPlan {
  readonly left: SlicePlan | string;
  readonly right: SlicePlan | string;
  readonly passes: Passes;
}

/** Whether a comparison is true of a negative number, 0 or a positive number. */
type Passes = (order: number) => boolean;

/** The operators on strings (SPARQL 1.1 section 17.3). */
const OPERATORS: ReadonlyMap<string, Passes> = new Map<string, Passes>([
  ['=', (order) => order === 0],
  ['!=', (order) => order !== 0],
  ['<', (order) => order < 0],
  ['>', (order) => order > 0],
  ['<=', (order) => order <= 0],
  ['>=', (order) => order >= 0],
]);

/** Recognizes a {@link ComparisonPlan}; returns undefined for any other expression. */
export function comparisonPlan(
  expression: Expression,
  slotOf: (variable: string) => number | undefined,
): ComparisonPlan | undefined {
  const passes = expression.type === 'call' ? OPERATORS.get(expression.function) : undefined;
  if (!passes || expression.type !== 'call') return undefined;
  const [left, right] = expression.arguments.map((side) => sideOf(side, slotOf));
  if (left === undefined || right === undefined || (!isComputed(left) && !isComputed(right))) return undefined;
  return { left, right, passes };
}

function sideOf(
  expression: Expression,
  slotOf: (variable: string) => number | undefined,
): SlicePlan | string | undefined {
  return expression.type === 'term' ? plainText(expression.term) : slicePlan(expression, slotOf);
}

/** Two variables, or a variable and a constant, mostly hold something other than texts. */
function isComputed(side: SlicePlan | string): boolean {
  return typeof side !== 'string' && (side.ofStr || side.cuts.length > 0);
}

/**
 * Starts a comparison of stored bytes. The order of code points, in which SPARQL compares strings
 * (XPath F&O 7.3.1), is that of the bytes of UTF-8.
 *
 * @param whole evaluates the comparison for a row in which a side is not an xsd:string
 */
export function startComparison(
  { left, right, passes }: ComparisonPlan,
  texts: StoredTexts,
  execution: Execution,
  whole: (batch: Batch, row: number) => boolean,
): (batch: Batch, row: number) => boolean {
  const one = textOf(left, texts);
  const other = textOf(right, texts);
  return (batch, row) => {
    const hasTexts = one.find(batch, row) && other.find(batch, row) && !one.hasLanguage && !other.hasLanguage;
    if (!hasTexts) return whole(batch, row);
    if (one.end - one.start >= LARGE_TEXT) execution.mayBeLate = true;
    return passes(order(one, other));
  };
}

/** The bytes of a text; see {@link TextSlice}. */
type FoundText = Pick<TextSlice, 'find' | 'hasLanguage' | 'buffer' | 'view' | 'start' | 'end'>;

function textOf(side: SlicePlan | string, texts: StoredTexts): FoundText {
  if (typeof side !== 'string') return new TextSlice(texts, side);
  const buffer = Buffer.from(side);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  return { find: () => true, hasLanguage: false, buffer, view, start: 0, end: buffer.length };
}

/** Returns a negative number, 0 or a positive number, by the order of the bytes. */
function order(one: FoundText, other: FoundText): number {
  const { start, view } = one;
  const shift = other.start - start;
  const difference = one.end - start - (other.end - other.start);
  const end = difference > 0 ? one.end - difference : one.end;
  let at = start;
  for (const last = end - 3; at < last; at += 4) {
    if (view.getInt32(at, true) !== other.view.getInt32(at + shift, true)) break;
  }
  for (; at < end; at++) {
    const found = one.buffer[at] - other.buffer[at + shift];
    if (found !== 0) return found;
  }
  return difference;
}
