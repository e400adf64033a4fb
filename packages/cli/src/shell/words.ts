import { UsageError } from '../usage-error.ts';

/**
 * One word, or a part of one: between double quotes with `\"` and `\\`, between single quotes as it
 * stands, or bare.
 */
const PART = /"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+)/uy;

/**
 * The words of a line, as a shell of the system splits them. Throws UsageError for a quote that is
 * not closed.
 */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line[at])) {
      at++;
      continue;
    }
    let word = '';
    while (at < line.length && !/\s/.test(line[at])) {
      PART.lastIndex = at;
      const part = PART.exec(line);
      if (!part) throw new UsageError(`a quote is not closed: ${line.slice(at)}`);
      const [whole, double, single, bare] = part;
      word += double?.replace(/\\(["\\])/g, '$1') ?? single ?? bare;
      at += whole.length;
    }
    words.push(word);
  }
  return words;
}
