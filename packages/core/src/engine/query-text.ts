/** Returns the text of a query without a leading byte order mark, which some editors write. */
export function queryText(query: { toString(): string }): string {
  const text = String(query);
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
