import { Tokenizer } from '../analysis/tokenizer.ts';
import { readUtf8 } from '../analysis/utf8.ts';

/**
 * A query is cut here before it is read, in UTF-16 units: enough for `MAX_WORDS` of any language.
 */
const MAX_QUERY_LENGTH = 8192;
/** How many different words count; the rest is ignored. */
const MAX_WORDS = 64;

/** A distinct word of a query. */
export interface QueryToken {
  readonly folded: string;
  /** In lower case with its accents, when it has any. */
  readonly lower: string | undefined;
  /** The folded form as UTF-8, and its hash. */
  readonly bytes: Uint8Array;
  readonly hash: number;
  /** How often the query has it. */
  count: number;
  /** Whether the query ends with it, so that it may be unfinished. */
  isLast: boolean;
}

/** One for all queries: reading one does not pause. */
const tokens = new Tokenizer();

/** The distinct words of a query in the order of their first appearance. */
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
  // What a limit cut off was the end.
  if (last && text.length <= MAX_QUERY_LENGTH) last.isLast = true;
  return [...found.values()];
}
