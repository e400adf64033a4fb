import { estimateTokens } from './estimate-tokens.ts';

/** The items that fit into a budget, as data and as lines of text. */
export interface FittedItems<Item> {
  readonly items: readonly Item[];
  readonly lines: readonly string[];
  /** Number of items that did not fit. */
  readonly omitted: number;
}

/**
 * Lengths that a first item is tried at which does not fit, as parts of the budget in characters.
 */
const SHORTER = [2, 1, 0.5, 0.25, 0.1];

/**
 * Returns the first items whose text and whose JSON both stay within `maxTokens`. The two are
 * budgeted separately, because a client passes one of them to its model. If not even the first one
 * fits, it is shortened to some number of characters.
 */
export function fitItems<Item>(
  items: readonly Item[],
  lineOf: (item: Item) => string,
  maxTokens: number,
  shorten?: (item: Item, maxLength: number) => Item,
): FittedItems<Item> {
  const fitted = whole(items, lineOf, maxTokens);
  if (fitted.lines.length > 0 || items.length === 0 || !shorten) return fitted;
  for (const part of SHORTER) {
    const [first] = items;
    const one = whole([shorten(first, Math.floor(maxTokens * part))], lineOf, maxTokens);
    if (one.lines.length > 0) return { ...one, omitted: items.length - 1 };
  }
  return fitted;
}

/**
 * Returns the lines of a result; `none` if there was nothing to show, and what to do if there was,
 * but nothing of it fits.
 */
export function linesOr({ lines, omitted }: FittedItems<unknown>, none: string): readonly string[] {
  if (lines.length > 0) return lines;
  if (omitted === 0) return [none];
  return [`(${omitted} found, but the first is too long for this result; ask for less, or for its parts with query)`];
}

function whole<Item>(items: readonly Item[], lineOf: (item: Item) => string, maxTokens: number): FittedItems<Item> {
  const lines: string[] = [];
  let textTokens = 0;
  let jsonTokens = 0;
  for (const item of items) {
    const line = lineOf(item);
    textTokens += estimateTokens(`${line}\n`);
    jsonTokens += estimateTokens(`${JSON.stringify(item)},`);
    if (textTokens > maxTokens || jsonTokens > maxTokens) break;
    lines.push(line);
  }
  return { items: items.slice(0, lines.length), lines, omitted: items.length - lines.length };
}
