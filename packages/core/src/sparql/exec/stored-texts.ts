import { TERM_KIND, TermBytes, type TermBytesSource } from '../../contracts/term-bytes.ts';
import { NO_TERM, type TermId, type TermSource } from '../../contracts/term-source.ts';
import { dataFactory } from '../../model/term.ts';
import { XSD_STRING } from '../../model/vocabulary.ts';
import type { RequiredText } from '../expressions/regex/required-text.ts';
import type { Batch } from './batch.ts';
import { ByteSearch } from './byte-search.ts';

/** How a string is matched against another. */
export type TextRelation = 'CONTAINS' | 'STRSTARTS' | 'STRENDS';

/** Results of {@link StoredTexts.locate}. */
export const TEXT = { none: 0, string: 1, languageString: 2, iri: 3, otherLiteral: 4 } as const;

/**
 * Reads the lexical forms of terms as stored UTF-8 bytes, without creating strings. UTF-8 preserves
 * code point order, and one string contains another exactly if its bytes do.
 */
export class StoredTexts {
  readonly at = new TermBytes();
  /** Kind of the last located term, from {@link TEXT}. */
  kind: number = TEXT.none;
  private readonly terms: TermBytesSource;
  private readonly stringType: TermId;

  private constructor(terms: TermBytesSource) {
    this.terms = terms;
    this.stringType = terms.find(dataFactory.namedNode(XSD_STRING));
  }

  /** Returns undefined if the term source does not expose stored bytes. */
  static of(terms: TermSource): StoredTexts | undefined {
    return 'locate' in terms ? new StoredTexts(terms as TermBytesSource) : undefined;
  }

  /** Points `at` to the text of an IRI or literal and returns its kind from {@link TEXT}. */
  locate(id: TermId): number {
    this.terms.locate(id, this.at);
    this.kind = this.kindOfLocated();
    return this.kind;
  }

  private kindOfLocated(): number {
    const { at } = this;
    switch (at.kind) {
      case TERM_KIND.literal:
        return at.reference === this.stringType ? TEXT.string : TEXT.otherLiteral;
      case TERM_KIND.languageLiteral:
        return TEXT.languageString;
      case TERM_KIND.iri:
        return TEXT.iri;
      default:
        return TEXT.none;
    }
  }

  /**
   * Points `at` to the text that a string function reads from a variable, or with `ofStr` from STR
   * of it. Returns false if it has none: that is an error.
   */
  locateText(batch: Batch, row: number, slot: number, ofStr: boolean): boolean {
    const id = batch.columns[slot]?.[row] ?? NO_TERM;
    if (id === NO_TERM) return false;
    const kind = this.locate(id);
    return kind !== TEXT.none && (kind <= TEXT.languageString || ofStr);
  }

  /**
   * Returns a negative number, zero or a positive number if the located text sorts before, equals
   * or sorts after `other`.
   */
  compare(other: Uint8Array): number {
    const { buffer, start, end } = this.at;
    const length = Math.min(end - start, other.length);
    for (let i = 0; i < length; i++) {
      const difference = buffer[start + i] - other[i];
      if (difference !== 0) return difference;
    }
    return end - start - other.length;
  }
}

/**
 * Compiles `CONTAINS(?v, "text")` and its relatives into a test of stored bytes; `ofStr` applies it
 * to `STR(?v)`. A non-string argument is an error, which a test treats as false (SPARQL 1.1
 * sections 17.4.3.6 to 17.4.3.8).
 */
export function textTest(
  texts: StoredTexts,
  slot: number,
  relation: TextRelation,
  text: string,
  ofStr: boolean,
): (batch: Batch, row: number) => boolean {
  const search = new ByteSearch(Buffer.from(text));
  const { at } = texts;
  return (batch, row) => {
    if (!texts.locateText(batch, row, slot, ofStr)) return false;
    switch (relation) {
      case 'CONTAINS':
        return search.isIn(at.buffer, at.start, at.end);
      case 'STRSTARTS':
        return search.isAt(at.buffer, at.start, at.end);
      case 'STRENDS':
        return at.end - search.length >= at.start && search.isAt(at.buffer, at.end - search.length, at.end);
    }
  };
}

/**
 * Wraps a test that decodes a string with one of its stored bytes, which most strings fail: at
 * least one of the required texts must be in it. As in {@link textTest}, a non-string argument
 * fails.
 */
export function candidateTest(
  texts: StoredTexts,
  slot: number,
  required: readonly RequiredText[],
  ofStr: boolean,
  test: (batch: Batch, row: number) => boolean,
): (batch: Batch, row: number) => boolean {
  const searches = required.map(({ bytes, others }) => new ByteSearch(Uint8Array.from(bytes), Uint8Array.from(others)));
  const { at } = texts;
  return (batch, row) => {
    if (!texts.locateText(batch, row, slot, ofStr)) return false;
    for (const search of searches) if (search.isIn(at.buffer, at.start, at.end)) return test(batch, row);
    return false;
  };
}
