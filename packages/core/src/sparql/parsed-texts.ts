import type { RequestLimits } from '../model/request-limits.ts';
import type { Query, Update } from './algebra/algebra.ts';

/** A longer one is mostly data, and not asked again. */
export const MAX_TEXT_LENGTH = 1 << 16;
/**
 * Texts that were asked again, and UTF-16 units of all of them together: what is parsed takes some
 * ten times as many bytes.
 */
const KEPT = { texts: 256, length: 1 << 20 };
/**
 * The same for texts that were asked once: programs that write values into their texts ask each but
 * once, and must not fill the memory with what was parsed.
 */
const NEW = { texts: 32, length: 1 << 18 };

interface ParsedText {
  /** What the text's IRIs were resolved against. */
  readonly baseIri: string | undefined;
  /** What it was checked against. */
  readonly limits: RequestLimits | undefined;
  readonly operation: Query | Update;
}

type Parse = (text: string, baseIri: string | undefined, limits?: RequestLimits) => Query | Update;

/**
 * What was parsed lately, by the text and the base that its IRIs resolve against. A text that is
 * asked once stays for a few others, one that is asked again for longer (the queues of 2Q: Johnson
 * and Shasha 1994).
 */
export class ParsedTexts {
  private readonly parse: Parse;
  private readonly kept = new RecentTexts(KEPT);
  private readonly fresh = new RecentTexts(NEW);

  /** @param parse what throws is not kept */
  constructor(parse: Parse) {
    this.parse = parse;
  }

  /** How many different texts are there at most. */
  get size(): number {
    return this.kept.size + this.fresh.size;
  }

  get(text: string, baseIri: string | undefined, limits?: RequestLimits): Query | Update {
    const known = this.known(text, baseIri, limits);
    if (known) return known;
    const operation = this.parse(text, baseIri, limits);
    this.keep(text, baseIri, limits, operation);
    return operation;
  }

  /** What was parsed of a text, if it is there. */
  known(text: string, baseIri: string | undefined, limits?: RequestLimits): Query | Update | undefined {
    if (text.length > MAX_TEXT_LENGTH) return undefined;
    const key = keyOf(text, baseIri);
    const kept = this.kept.get(key);
    const asked = kept ?? this.fresh.get(key);
    // A text without a base may look like a pair: what was parsed is not of it. Another engine's
    // limits may be lower.
    if (!asked || asked.baseIri !== baseIri || asked.limits !== limits) return undefined;
    if (!kept) this.kept.put(key, asked);
    return asked.operation;
  }

  /** Keeps what was parsed, unless it is too long or another has its place. */
  keep(text: string, baseIri: string | undefined, limits: RequestLimits | undefined, operation: Query | Update): void {
    if (text.length > MAX_TEXT_LENGTH) return;
    const key = keyOf(text, baseIri);
    if (this.kept.get(key) || this.fresh.get(key)) return;
    this.fresh.put(key, { baseIri, limits, operation });
  }
}

/**
 * Most come without a base, and are not copied. An IRI has no space, so no two pairs with a base
 * have one key.
 */
function keyOf(text: string, baseIri: string | undefined): string {
  return baseIri === undefined ? text : `${baseIri} ${text}`;
}

/**
 * Texts of two generations: when the newer one has half of what may be kept it becomes the older
 * one, whose texts go unless they were asked for meanwhile. Nothing is ever deleted from a Map: one
 * that is changed all the time leaves a trail of old tables, which keep what they held from the
 * collector.
 */
class RecentTexts {
  private readonly most: { readonly texts: number; readonly length: number };
  private newer = new Map<string, ParsedText>();
  private older = new Map<string, ParsedText>();
  private newerLength = 0;

  constructor(most: { readonly texts: number; readonly length: number }) {
    this.most = most;
  }

  get size(): number {
    return this.newer.size + this.older.size;
  }

  get(key: string): ParsedText | undefined {
    const known = this.newer.get(key);
    if (known) return known;
    const old = this.older.get(key);
    if (old) this.put(key, old);
    return old;
  }

  /** @param key not in the newer generation */
  put(key: string, parsed: ParsedText): void {
    if (key.length * 2 > this.most.length) return;
    if ((this.newer.size + 1) * 2 > this.most.texts || (this.newerLength + key.length) * 2 > this.most.length) {
      this.older = this.newer;
      this.newer = new Map();
      this.newerLength = 0;
    }
    this.newer.set(key, parsed);
    this.newerLength += key.length;
  }
}
