import type { Language } from '../analysis/languages.ts';
import { accentedStemOf, stemOf } from '../analysis/text-analyzer.ts';
import { Tokenizer } from '../analysis/tokenizer.ts';
import { readUtf8 } from '../analysis/utf8.ts';

/** A query is truncated to this many UTF-16 units: enough for `MAX_WORDS` in any language. */
const MAX_QUERY_LENGTH = 8192;
/** Maximum number of distinct words; the rest is ignored. */
const MAX_WORDS = 64;

/** A distinct word of a query. */
export interface QueryToken {
  readonly folded: string;
  /** Lower case with accents, if the word has any. */
  readonly lower: string | undefined;
  /** The folded form as UTF-8, and its hash. */
  readonly bytes: Uint8Array;
  readonly hash: number;
  /** Number of occurrences in the query. */
  count: number;
  /** Whether the query ends with this word, which may then be incomplete. */
  isLast: boolean;
  /** The stems of `folded` that were looked up so far. */
  readonly stems: Map<Language, string>;
  /** Those of `lower`. */
  readonly accentedStems: Map<Language, string>;
}

/** Shared by all queries, because tokenizing a query never yields. */
const tokens = new Tokenizer();

/** Longer queries are not remembered, in UTF-16 units. */
const MAX_REMEMBERED = 1024;

/**
 * The last query. A search reads its query in up to four indexes, of texts and of names, and
 * stemming in each of their languages takes longer than anything else that a short list needs.
 */
let remembered: { readonly query: string; readonly tokens: readonly QueryToken[] } | undefined;

/** Returns the distinct words of a query in order of first appearance. */
export function queryTokens(query: string): readonly QueryToken[] {
  if (remembered?.query === query) return remembered.tokens;
  const tokens = readTokens(query);
  if (query.length <= MAX_REMEMBERED) remembered = { query, tokens };
  return tokens;
}

/** Returns the stem of the folded word in a language. */
export function stemIn(language: Language, { folded, stems }: QueryToken): string {
  let stem = stems.get(language);
  if (stem === undefined) stems.set(language, (stem = stemOf(folded, language)));
  return stem;
}

/** Returns the stem of the word with accents in a language. */
export function accentedStemIn(language: Language, lower: string, { accentedStems }: QueryToken): string {
  let stem = accentedStems.get(language);
  if (stem === undefined) accentedStems.set(language, (stem = accentedStemOf(lower, language)));
  return stem;
}

function readTokens(query: string): readonly QueryToken[] {
  const found = new Map<string, QueryToken>();
  const text = query.trimStart();
  tokens.start(text, MAX_QUERY_LENGTH);
  let last: QueryToken | undefined;
  while (tokens.next()) {
    const bytes = tokens.bytes.slice(0, tokens.length);
    const folded = readUtf8(bytes, 0, bytes.length);
    const { lower, hash } = tokens;
    const key = lower ?? folded;
    last = found.get(key);
    if (last) last.count++;
    else if (found.size < MAX_WORDS) {
      last = { folded, lower, bytes, hash, count: 1, isLast: false, stems: new Map(), accentedStems: new Map() };
      found.set(key, last);
    }
  }
  // A truncated query does not end with its last token.
  if (last && text.length <= MAX_QUERY_LENGTH) last.isLast = true;
  return [...found.values()];
}
