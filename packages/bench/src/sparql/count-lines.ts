const NEWLINE = 10;

/** Counts the newlines in the chunks of a document. */
export function countLines(chunks: Iterable<Uint8Array>): number {
  let lines = 0;
  for (const chunk of chunks) {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
  }
  return lines;
}
