import { languageNumber, loadLanguage } from '../../text/analysis/languages.ts';
import { stemOf } from '../../text/analysis/text-analyzer.ts';
import { Tokenizer } from '../../text/analysis/tokenizer.ts';
import { readUtf8 } from '../../text/analysis/utf8.ts';
import type { TermAnalyzerOf } from './term-analyzer.ts';

/** Texts without a tag are taken for English, as in the text index. */
const DEFAULT_LANGUAGE = 'en';
/** How much of a text is read, in UTF-16 units. */
const MAX_LENGTH = 65_536;
/** Words that are remembered with their terms, for each language: a few megabytes. */
const MAX_KNOWN = 65_536;

/**
 * Terms as the core's text index has them: folded, stemmed and freed of stop words by the rules of
 * the language.
 */
export const languageTerms: TermAnalyzerOf = async (tag) => {
  const language = await loadLanguage(languageNumber(tag === '' ? DEFAULT_LANGUAGE : tag));
  const tokens = new Tokenizer();
  /** Words come again and again; stemming is what takes time. Undefined: a stop word. */
  const known = new Map<string, string | undefined>();
  return (text) => {
    const terms: string[] = [];
    tokens.start(text, MAX_LENGTH);
    while (tokens.next()) {
      const folded = readUtf8(tokens.bytes, 0, tokens.length);
      const word = tokens.lower ?? folded;
      let term = known.get(word);
      if (term === undefined && !known.has(word)) {
        // By the word with its accents, which `été` has and a stop word has not; the term is
        // without, so that it is found either way.
        term = language.isStopWord(word) ? undefined : stemOf(folded, language);
        if (known.size >= MAX_KNOWN) known.clear();
        known.set(word, term);
      }
      if (term !== undefined) terms.push(term);
    }
    return terms;
  };
};
