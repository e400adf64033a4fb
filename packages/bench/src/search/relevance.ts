/** Number of subjects that are looked at. */
const FIRST = 10;

/**
 * Returns the normalised discounted cumulative gain of the first ten (Järvelin, Kekäläinen, ACM
 * TOIS 2002), 0 to 1; 0 for a query without relevant subjects.
 */
export function ndcgAt10(gains: ReadonlyMap<string, number>, ranked: readonly string[]): number {
  const discounted = (values: readonly number[]) =>
    values.slice(0, FIRST).reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
  const ideal = discounted([...gains.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : discounted(ranked.map((subject) => gains.get(subject) ?? 0)) / ideal;
}

/**
 * Returns the part of the relevant subjects, or of ten if there are more, that is among the first
 * ten; 0 for a query without relevant subjects.
 */
export function recallAt10(gains: ReadonlyMap<string, number>, ranked: readonly string[]): number {
  if (gains.size === 0) return 0;
  return ranked.slice(0, FIRST).filter((subject) => gains.has(subject)).length / Math.min(FIRST, gains.size);
}
