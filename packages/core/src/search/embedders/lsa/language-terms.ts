import { languageNumber, loadLanguage } from '../../text/analysis/languages.ts';
import { stemOf } from '../../text/analysis/text-analyzer.ts';
import { Tokenizer } from '../../text/analysis/tokenizer.ts';
import { readUtf8 } from '../../text/analysis/utf8.ts';
import type { TermAnalyzerOf } from './term-analyzer.ts';

/** Texts without a tag are treated as English, as in the text index. */
const DEFAULT_LANGUAGE = 'en';
/** Texts are truncated to this many UTF-16 units. */
const MAX_LENGTH = 65_536;
/** Capacity of the word-to-term cache of each language: a few megabytes. */
const MAX_KNOWN = 65_536;

/**
 * Analyses texts like the core's text index: folded, stemmed and without stop words, by the rules
 * of the language.
 */
export const languageTerms: TermAnalyzerOf = async (tag) => {
  const language = await loadLanguage(languageNumber(tag === '' ? DEFAULT_LANGUAGE : tag));
  const tokens = new Tokenizer();
  /** Cache, because words repeat and stemming is the expensive part. Undefined: a stop word. */
  const known = new Map<string, string | undefined>();
  return (text) => {
    const terms: string[] = [];
    tokens.start(text, MAX_LENGTH);
    while (tokens.next()) {
      const folded = readUtf8(tokens.bytes, 0, tokens.length);
      const word = tokens.lower ?? folded;
      let term = known.get(word);
      if (term === undefined && !known.has(word)) {
        // Stop words are looked up with accents, which distinguish `été` from a stop word; the term
        // has none, so that it is found either way.
        term = language.isStopWord(word) ? undefined : stemOf(folded, language);
        if (known.size >= MAX_KNOWN) known.clear();
        known.set(word, term);
      }
      if (term !== undefined) terms.push(term);
    }
    return terms;
  };
};
