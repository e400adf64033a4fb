import type { RequestLimits } from '../model/request-limits.ts';
import type { Query, Update } from './algebra/algebra.ts';
import { RecentTexts } from './recent-texts.ts';

/** Longer texts are mostly data, rarely repeated, and not cached. */
export const MAX_TEXT_LENGTH = 1 << 16;
/**
 * Limits of the cache for repeated texts: number of texts, and total length in UTF-16 code units.
 * The parsed form takes about ten times as many bytes.
 */
const KEPT = { texts: 256, length: 1 << 20 };
/**
 * Limits for texts seen once. Smaller, because programs that embed values in their texts never
 * repeat them and must not fill the memory.
 */
const NEW = { texts: 32, length: 1 << 18 };
/** Limits for remembering that a text was seen, without its parsed form. */
const SEEN = { texts: 2048, length: 1 << 19 };

interface ParsedText {
  /** Base against which the text's IRIs were resolved. */
  readonly baseIri: string | undefined;
  /** Limits that were checked while parsing. */
  readonly limits: RequestLimits | undefined;
  readonly operation: Query | Update;
}

/**
 * Cache of parsed texts, keyed by text and base IRI. A text seen once is kept briefly, a repeated
 * one longer, also if it was dropped in between (the queues of 2Q: Johnson and Shasha 1994).
 */
export class ParsedTexts {
  private readonly kept = new RecentTexts<ParsedText>(KEPT);
  private readonly fresh = new RecentTexts<ParsedText>(NEW);
  private readonly seen = new RecentTexts<true>(SEEN);

  /** Upper bound of the number of cached texts. */
  get size(): number {
    return this.kept.size + this.fresh.size;
  }

  /** Returns the cached result for a text, if present. */
  known(text: string, baseIri: string | undefined, limits?: RequestLimits): Query | Update | undefined {
    if (text.length > MAX_TEXT_LENGTH) return undefined;
    const key = keyOf(text, baseIri);
    const kept = this.kept.get(key);
    const asked = kept ?? this.fresh.get(key);
    // The key of a text without a base may equal that of a pair, so the base is compared as well.
    // The limits are compared because another engine's limits may be lower.
    if (!asked || asked.baseIri !== baseIri || asked.limits !== limits) return undefined;
    if (!kept) this.kept.put(key, asked);
    return asked.operation;
  }

  /** Whether a text was seen before. */
  hasSeen(text: string, baseIri: string | undefined): boolean {
    return text.length <= MAX_TEXT_LENGTH && this.seen.get(keyOf(text, baseIri)) === true;
  }

  /** Remembers a text that was not parsed, and not seen before. */
  see(text: string, baseIri: string | undefined): void {
    this.seen.put(keyOf(text, baseIri), true);
  }

  /** Caches a parsed text unless it is too long or its key is taken. */
  keep(text: string, baseIri: string | undefined, limits: RequestLimits | undefined, operation: Query | Update): void {
    if (text.length > MAX_TEXT_LENGTH) return;
    const key = keyOf(text, baseIri);
    const parsed = { baseIri, limits, operation };
    if (this.seen.get(key)) {
      if (!this.kept.get(key) && !this.fresh.get(key)) this.kept.put(key, parsed);
    } else {
      this.fresh.put(key, parsed);
      this.seen.put(key, true);
    }
  }
}

/**
 * Most texts have no base and need no copy. An IRI contains no space, so no two pairs with a base
 * share a key.
 */
export function keyOf(text: string, baseIri: string | undefined): string {
  return baseIri === undefined ? text : `${baseIri} ${text}`;
}
