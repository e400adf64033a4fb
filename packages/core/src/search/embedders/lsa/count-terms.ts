import type { TrainingTexts } from '../../../contracts/embedder.ts';
import type { Slicer } from '../../../contracts/slicer.ts';
import type { CountedTexts } from './learn-terms.ts';
import type { TermAnalyzer, TermAnalyzerOf } from './term-analyzer.ts';

/** Maximum number of languages in which queries are analysed. */
const MAX_LANGUAGES = 8;

export interface CountTermsOptions {
  readonly analyzerOf: TermAnalyzerOf;
  /** Maximum number of texts; more are sampled evenly. */
  readonly maxTexts: number;
  readonly slicer: Slicer;
  /** Called with the share of the work that is done, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/**
 * Counts the terms of texts. Returns the counts, the terms by number (`names`), and the languages
 * of the texts, most frequent first.
 */
export async function countTerms(
  texts: TrainingTexts,
  { analyzerOf, maxTexts, slicer, onProgress }: CountTermsOptions,
): Promise<{ counted: CountedTexts; names: readonly string[]; languages: readonly string[] }> {
  const rows = Math.min(texts.length, maxTexts);
  const rowStart = new Uint32Array(rows + 1);
  const numbers = new Map<string, number>();
  const analyzers = new Map<string, TermAnalyzer>();
  const languages = new Map<string, number>();
  const terms = new GrowingColumn();
  const counts = new GrowingColumn();
  const ofRow = new Map<number, number>();
  for (let row = 0; row < rows; row++) {
    const { text, language } = texts.at(Math.floor((row * texts.length) / rows));
    languages.set(language, (languages.get(language) ?? 0) + 1);
    let analyze = analyzers.get(language);
    if (!analyze) analyzers.set(language, (analyze = await analyzerOf(language)));
    ofRow.clear();
    for (const term of analyze(text)) {
      let number = numbers.get(term);
      if (number === undefined) numbers.set(term, (number = numbers.size));
      ofRow.set(number, (ofRow.get(number) ?? 0) + 1);
    }
    for (const [number, count] of ofRow) {
      terms.push(number);
      counts.push(count);
    }
    rowStart[row + 1] = terms.length;
    if (!slicer.due) continue;
    onProgress(row / rows);
    await slicer.pause();
  }
  return {
    counted: { rowStart, term: terms.take(), count: counts.take(), terms: numbers.size },
    names: [...numbers.keys()],
    languages: [...languages]
      .sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
      .slice(0, MAX_LANGUAGES)
      .map(([language]) => language),
  };
}

/** Growable column: numbers in chunks, joined at the end. */
class GrowingColumn {
  private readonly full: Uint32Array[] = [];
  private last = new Uint32Array(65_536);
  private at = 0;

  get length(): number {
    return this.full.length * this.last.length + this.at;
  }

  push(value: number): void {
    if (this.at === this.last.length) {
      this.full.push(this.last);
      this.last = new Uint32Array(this.last.length);
      this.at = 0;
    }
    this.last[this.at++] = value;
  }

  take(): Uint32Array {
    const all = new Uint32Array(this.length);
    for (const [at, chunk] of this.full.entries()) all.set(chunk, at * this.last.length);
    all.set(this.last.subarray(0, this.at), this.full.length * this.last.length);
    return all;
  }
}
