import { UsageError } from '../usage-error.ts';

/** A word or part of a word: double-quoted with `\"` and `\\`, single-quoted literally, or bare. */
const PART = /"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+)/uy;

/** Splits a line into words as a system shell does. Throws `UsageError` for an unclosed quote. */
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
      if (!part) throw new UsageError(`unclosed quote: ${line.slice(at)}`);
      const [whole, double, single, bare] = part;
      word += double?.replace(/\\(["\\])/g, '$1') ?? single ?? bare;
      at += whole.length;
    }
    words.push(word);
  }
  return words;
}
