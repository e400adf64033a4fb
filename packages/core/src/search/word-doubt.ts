import type { RankedDocument } from './rank-fusion.ts';
import type { TextRanker } from './text-ranker.ts';

/** Number of hits among which the one with most of the query is looked for. */
const FIRST_HITS = 10;
/**
 * A text with most of a question's words may still miss the word that matters; one with half of
 * them tells little. Measured: exponents of 2 to 6 differ less than collections do.
 */
const EXPONENT = 4;

/**
 * The part of its weight that a ranking other than the words keeps if a text has all words of the
 * query: other texts may still mean the same.
 */
const SURE_WEIGHT = 0.25;

/** Returns the part of its weight, above 0 to 1, that a ranking other than the words keeps. */
export function keptWeight(doubt: number): number {
  return SURE_WEIGHT + (1 - SURE_WEIGHT) * doubt;
}

/**
 * Returns how much the words of a query leave open, 0 to 1: 0 if one of the first hits contains
 * them all, 1 if there is no hit. Words count by how much they tell. 1 for an index that cannot
 * explain its hits.
 */
export async function wordDoubt(ranker: TextRanker, ranked: readonly RankedDocument[]): Promise<number> {
  if (ranked.length === 0) return 1;
  const weights = await ranker.wordWeights();
  const scoresOf = weights && (await ranker.explainer());
  if (!scoresOf) return 1;
  const weightOf = new Map(weights.map(({ word, weight }) => [word, weight]));
  const whole = weights.reduce((sum, { weight }) => sum + weight, 0);
  if (whole === 0) return 1;
  const namesOf = await ranker.fields?.explainer();
  let most = 0;
  for (const { doc } of ranked.slice(0, FIRST_HITS)) {
    const words = new Set([...scoresOf(doc), ...(namesOf?.(doc) ?? [])].map(({ word }) => word));
    let found = 0;
    for (const word of words) found += weightOf.get(word) ?? 0;
    most = Math.max(most, found);
  }
  return 1 - Math.min(1, most / whole) ** EXPONENT;
}
