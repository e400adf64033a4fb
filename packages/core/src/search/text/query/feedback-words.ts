import type { Language } from '../analysis/languages.ts';
import type { TextAnalyzer } from '../analysis/text-analyzer.ts';
import type { Bm25 } from '../postings/bm25.ts';
import type { WordTable } from '../words/word-table.ts';
import type { QueryWord } from './query-word.ts';

export interface Feedback {
  readonly documents: readonly { readonly text: string; readonly language: Language; readonly weight: number }[];
  readonly terms: number;
  readonly weight: number;
}

interface FeedbackSetting {
  readonly analyzer: TextAnalyzer;
  readonly table: WordTable;
  readonly maxTextLength: number;
  readonly bm25: Bm25;
  readonly documentsOf: (term: number) => number;
}

/**
 * Number of words in the texts from which on they are evidence enough. A few short texts share
 * their words by chance.
 */
const EVIDENCE_WORDS = 200;

/**
 * Expands a query with words that are characteristic of some texts (RM3). An added term's share is
 * its weighted probability in the texts; terms that are probable and rare are chosen. The total
 * weight of the query is unchanged. The words of little text weigh less than `weight`.
 */
export function feedbackWords(
  words: readonly QueryWord[],
  { documents, terms, weight: greatest }: Feedback,
  { analyzer, table, maxTextLength, bm25, documentsOf }: FeedbackSetting,
): readonly QueryWord[] {
  const likely = new Map<number, number>();
  let evidence = 0;
  for (const { text, language, weight: ofDocument } of documents) {
    if (!analyzer.analyze(text, language, maxTextLength, false)) continue;
    evidence += analyzer.length;
    for (let at = 0; at < analyzer.termCount; at++) {
      const term = analyzer.terms[at];
      const part = (ofDocument * analyzer.frequencies[at]) / analyzer.length;
      likely.set(term, (likely.get(term) ?? 0) + part);
    }
  }
  const chosen = Array.from(likely, ([term, part]) => ({ term, part, idf: bm25.idf(documentsOf(term)) }))
    .filter(({ term }) => documentsOf(term) > 0)
    // Round: the last bits depend on summation order, which depends on ids.
    .sort((a, b) => Math.fround(b.part * b.idf) - Math.fround(a.part * a.idf) || table.compare(a.term, b.term))
    .slice(0, terms);
  const whole = chosen.reduce((sum, { part }) => sum + part, 0);
  if (whole === 0) return words;
  const length = words.length;
  const weight = greatest * Math.min(1, evidence / EVIDENCE_WORDS);
  return [
    ...words.map((word) => ({
      ...word,
      terms: word.terms.map(({ term, factor }) => ({ term, factor: factor * (1 - weight) })),
    })),
    ...chosen.map(({ term, part, idf }) => ({
      text: table.text(term),
      terms: [{ term, factor: (part / whole) * weight * length * idf }],
    })),
  ].filter((word) => word.terms.every(({ factor }) => factor > 0));
}
