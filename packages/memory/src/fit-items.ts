import { estimateTokens } from './estimate-tokens.ts';

/** The items that fit into a budget, as data and as lines of text. */
export interface FittedItems<Item> {
  readonly items: readonly Item[];
  readonly lines: readonly string[];
  /** Number of items that did not fit. */
  readonly omitted: number;
}

/**
 * Returns the first items whose text and whose JSON both stay within `maxTokens`. The two are
 * budgeted separately, because a client passes one of them to its model.
 */
export function fitItems<Item>(
  items: readonly Item[],
  lineOf: (item: Item) => string,
  maxTokens: number,
): FittedItems<Item> {
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
