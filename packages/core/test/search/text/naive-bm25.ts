import type { TextHit } from '../../../src/contracts/text-index.ts';
import { type Language, loadedLanguage } from '../../../src/search/text/analysis/languages.ts';
import { accentedStemOf, stemOf } from '../../../src/search/text/analysis/text-analyzer.ts';
import { Tokenizer } from '../../../src/search/text/analysis/tokenizer.ts';
import { readUtf8 } from '../../../src/search/text/analysis/utf8.ts';
import { Bm25, contribution } from '../../../src/search/text/postings/bm25.ts';
import { lengthCode } from '../../../src/search/text/postings/length-code.ts';
import { allowedMistakes } from '../../../src/search/text/words/corrections.ts';

interface NaiveDocument {
  readonly language: number;
  readonly length: number;
  /** Terms are `language/stem`. */
  readonly terms: ReadonlyMap<string, number>;
  /** Term by folded spelling. */
  readonly spellings: ReadonlyMap<string, string>;
}

/** What a word of the query stands for: terms and what their saturation is multiplied with. */
type NaiveWord = ReadonlyMap<string, number>;

export interface NaiveQuery {
  readonly limit: number;
  readonly allows?: (doc: number) => boolean;
  readonly prefix?: boolean;
}

/**
 * BM25 by its definition: every document is scored for every word, over strings and maps. Only the
 * analysis of single words is shared with the index.
 */
export class NaiveBm25 {
  readonly documents = new Map<number, NaiveDocument>();
  /** How many documents hold each term, counted when it is asked for after a change. */
  private counts: Map<string, number> | undefined;

  add(doc: number, text: string, language: Language): void {
    const terms = new Map<string, number>();
    const spellings = new Map<string, string>();
    let length = 0;
    for (const { folded, lower } of wordsOf(text)) {
      const forms = formsOf(folded, lower, language);
      if (!forms) continue;
      length++;
      for (const term of forms) terms.set(term, Math.min(255, (terms.get(term) ?? 0) + 1));
      if (!language.isStopWord(folded)) spellings.set(folded, `${language.number}/${stemOf(folded, language)}`);
    }
    this.counts = undefined;
    this.documents.set(doc, { language: language.number, length, terms, spellings });
  }

  remove(doc: number): void {
    this.counts = undefined;
    this.documents.delete(doc);
  }

  search(query: string, { limit, allows = () => true, prefix = false }: NaiveQuery): TextHit[] {
    const all = [...this.documents.values()];
    const bm25 = new Bm25(
      all.length,
      all.reduce((sum, { length }) => sum + length, 0),
    );
    const words = this.wordsOf(query, prefix, bm25);
    const hits: TextHit[] = [];
    for (const [doc, { length, terms }] of this.documents) {
      if (!allows(doc)) continue;
      let score = 0;
      for (const word of words) {
        let best = 0;
        for (const [term, factor] of word) {
          const frequency = terms.get(term);
          if (frequency === undefined) continue;
          best = Math.max(best, contribution(factor, bm25.saturation(frequency)[lengthCode(length)]));
        }
        score += best;
      }
      if (score > 0) hits.push({ doc, score });
    }
    return hits.sort((a, b) => b.score - a.score || a.doc - b.doc).slice(0, limit);
  }

  private holding(term: string): number {
    if (!this.counts) {
      this.counts = new Map();
      for (const { terms } of this.documents.values())
        for (const each of terms.keys()) this.counts.set(each, (this.counts.get(each) ?? 0) + 1);
    }
    return this.counts.get(term) ?? 0;
  }

  private inLanguage(number: number): number {
    let count = 0;
    for (const { language } of this.documents.values()) if (language === number) count++;
    return count;
  }

  private wordsOf(query: string, prefix: boolean, bm25: Bm25): NaiveWord[] {
    const numbers = [...new Set(Array.from(this.documents.values(), ({ language }) => language))].sort((a, b) => a - b);
    const languages = numbers.map((number) => loadedLanguage(number)!);
    const known = new Map<string, { terms: string[]; factor: number }>();
    const guesses: NaiveWord[] = [];
    const counted = new Map<string, { folded: string; lower: string | undefined; count: number }>();
    const read = wordsOf(query);
    for (const { folded, lower } of read) {
      const entry = counted.get(lower ?? folded);
      if (entry) entry.count++;
      else counted.set(lower ?? folded, { folded, lower, count: 1 });
    }
    const last = read.at(-1);
    for (const [key, { folded, lower, count }] of counted) {
      const forms = languages.map((language) => formsOf(folded, lower, language));
      const stopped = forms.includes(undefined);
      const terms: string[] = [];
      let documents = 0;
      for (const [at, each] of forms.entries()) {
        if (!each) {
          documents += this.inLanguage(numbers[at]!);
          continue;
        }
        const present = each.filter((term) => this.holding(term) > 0);
        terms.push(...present);
        documents += Math.max(0, ...present.map((term) => this.holding(term)));
      }
      if (terms.length > 0) {
        const factor = count * bm25.idf(documents);
        const before = known.get(terms.join());
        if (before) before.factor += factor;
        else known.set(terms.join(), { terms, factor });
      }
      if (stopped && terms.length === 0) continue;
      let nearby = new Map<string, number>();
      let most = 0.75;
      if (prefix && last && key === (last.lower ?? last.folded)) {
        nearby = this.completions(folded);
        for (const term of terms) nearby.delete(term);
      }
      if (nearby.size === 0 && terms.length === 0 && !stopped) {
        nearby = this.corrections(folded);
        most = 1;
      }
      const commonest = Math.max(documents, ...Array.from(nearby.keys(), (term) => this.holding(term)));
      const factor = count * bm25.idf(commonest) * most;
      guesses.push(new Map(Array.from(nearby, ([term, weight]) => [term, factor * weight])));
    }
    return [
      ...Array.from(known.values(), ({ terms, factor }) => new Map(terms.map((term) => [term, factor]))),
      ...guesses,
    ];
  }

  private completions(prefix: string): Map<string, number> {
    const candidates = new Map<string, number>();
    for (const [spelling, term] of this.spellings()) {
      if (!spelling.startsWith(prefix) || spelling === prefix) continue;
      const weight = [...prefix].length / [...spelling].length;
      candidates.set(term, Math.max(candidates.get(term) ?? 0, weight));
    }
    return this.commonest(candidates, 32);
  }

  private corrections(word: string): Map<string, number> {
    const limit = allowedMistakes(word);
    for (let distance = 1; distance <= limit; distance++) {
      const candidates = new Map<string, number>();
      for (const [spelling, term] of this.spellings())
        if (naiveDistance([...word], [...spelling]) === distance) candidates.set(term, [1, 0.75, 0.5][distance]!);
      if (candidates.size > 0) return this.commonest(candidates, 16);
    }
    return new Map();
  }

  private *spellings(): Iterable<[string, string]> {
    for (const { spellings } of this.documents.values()) yield* spellings;
  }

  private commonest(candidates: Map<string, number>, count: number): Map<string, number> {
    const order = ([one]: [string, number], [other]: [string, number]) => {
      const byDocuments = this.holding(other) - this.holding(one);
      if (byDocuments !== 0) return byDocuments;
      const [language, stem] = split(one);
      const [otherLanguage, otherStem] = split(other);
      return language - otherLanguage || Buffer.compare(Buffer.from(stem), Buffer.from(otherStem));
    };
    return new Map([...candidates].sort(order).slice(0, count));
  }
}

function split(term: string): [language: number, stem: string] {
  const slash = term.indexOf('/');
  return [Number(term.slice(0, slash)), term.slice(slash + 1)];
}

export function wordsOf(text: string): { folded: string; lower: string | undefined }[] {
  const tokens = new Tokenizer();
  const words: { folded: string; lower: string | undefined }[] = [];
  tokens.start(text, Number.POSITIVE_INFINITY);
  while (tokens.next()) words.push({ folded: readUtf8(tokens.bytes, 0, tokens.length), lower: tokens.lower });
  return words;
}

/** The distinct terms of a word in a language; undefined for a stop word. */
function formsOf(folded: string, lower: string | undefined, language: Language): string[] | undefined {
  if (language.isStopWord(lower ?? folded)) return undefined;
  const stems = lower === undefined ? [] : [accentedStemOf(lower, language)];
  if (!language.isStopWord(folded)) stems.push(stemOf(folded, language));
  return [...new Set(stems)].map((stem) => `${language.number}/${stem}`);
}

/** Optimal string alignment distance by the whole table. */
export function naiveDistance(one: readonly string[], other: readonly string[]): number {
  const table = Array.from({ length: one.length + 1 }, (_, i) =>
    Array.from({ length: other.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= one.length; i++) {
    for (let j = 1; j <= other.length; j++) {
      const replaced = table[i - 1]![j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      let least = Math.min(replaced, table[i - 1]![j]! + 1, table[i]![j - 1]! + 1);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, table[i - 2]![j - 2]! + 1);
      table[i]![j] = least;
    }
  }
  return table[one.length]![other.length]!;
}
