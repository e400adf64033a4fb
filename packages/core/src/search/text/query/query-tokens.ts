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
}

/** Shared by all queries, because tokenizing a query never yields. */
const tokens = new Tokenizer();

/** Returns the distinct words of a query in order of first appearance. */
export function queryTokens(query: string): readonly QueryToken[] {
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
      last = { folded, lower, bytes, hash, count: 1, isLast: false };
      found.set(key, last);
    }
  }
  // A truncated query does not end with its last token.
  if (last && text.length <= MAX_QUERY_LENGTH) last.isLast = true;
  return [...found.values()];
}
