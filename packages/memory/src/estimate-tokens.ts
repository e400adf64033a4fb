/**
 * Bytes of UTF-8 per token. Prose in English has more than four; IRIs, JSON and ids, of which most
 * results consist, have from two and a half to four (o200k).
 */
const BYTES_PER_TOKEN = 3;

/**
 * Estimates the number of tokens of a text for a language model: its bytes in UTF-8 divided by
 * three, rounded up. Needs no tokenizer, so all budgets mean the same for every model.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
