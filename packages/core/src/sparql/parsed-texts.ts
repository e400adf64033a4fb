import type { Query, Update } from './algebra/algebra.ts';

/** Texts that are kept. */
const MAX_TEXTS = 256;
/** A longer one is mostly data, and not asked again. */
const MAX_TEXT_LENGTH = 1 << 16;
/** UTF-16 units of all kept texts together: what is parsed takes some ten times as many bytes. */
const MAX_TOTAL_LENGTH = 1 << 20;

/** What was parsed lately, by the text and the base that its IRIs resolve against; the one not asked for the longest goes first. */
export class ParsedTexts {
  private readonly parse: (text: string, baseIri: string | undefined) => Query | Update;
  /** In the order of use, which is that of a Map's insertions. */
  private readonly kept = new Map<string, Query | Update>();
  private totalLength = 0;

  /** @param parse what throws is not kept */
  constructor(parse: (text: string, baseIri: string | undefined) => Query | Update) {
    this.parse = parse;
  }

  get size(): number {
    return this.kept.size;
  }

  get(text: string, baseIri: string | undefined): Query | Update {
    if (text.length > MAX_TEXT_LENGTH) return this.parse(text, baseIri);
    // The length says where the base ends, so that no two pairs have one key.
    const key = `${baseIri?.length ?? ''}:${baseIri ?? ''}${text}`;
    const known = this.kept.get(key);
    if (known) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known;
    }
    const parsed = this.parse(text, baseIri);
    this.kept.set(key, parsed);
    this.totalLength += key.length;
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= MAX_TEXTS && this.totalLength <= MAX_TOTAL_LENGTH) break;
      this.kept.delete(oldest);
      this.totalLength -= oldest.length;
    }
    return parsed;
  }
}
