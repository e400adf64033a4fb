import { Buffer } from '#platform';
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
   * Returns true for an IRI, a blank node or a string: `=` finds them equal to the same term alone.
   */
  equalsOnlyItself(id: TermId): boolean {
    const kind = this.locate(id);
    return kind === TEXT.iri || kind === TEXT.string || this.at.kind === TERM_KIND.blankNode;
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
  const search = ByteSearch.of(Buffer.from(text));
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

/** What of a text decides a condition, besides that one of the required texts is in it. */
export interface TextCandidates {
  /** A string that has none of these fails the condition. */
  readonly required: readonly RequiredText[];
  /**
   * How a string is tested that has one: `found` if it passes then, a window if a part of it around
   * the required text decides, undefined if all of it must be read.
   */
  readonly decision: 'found' | TextWindow | undefined;
}

/** A test of a part of a text, which is as good as a test of all of it. */
export interface TextWindow {
  /** Maximum number of characters of what is looked for; it contains the required text. */
  readonly maxCharacters: number;
  readonly test: (text: string) => boolean;
}

/** Maximum number of bytes of a character in UTF-8. */
const MAX_CHARACTER_BYTES = 4;

/**
 * Tests a string by its stored bytes: most strings have none of the required texts. As in
 * {@link textTest}, a non-string argument fails.
 *
 * @param test decodes and tests the whole string, where that is necessary
 */
export function candidateTest(
  texts: StoredTexts,
  slot: number,
  { required, decision }: TextCandidates,
  ofStr: boolean,
  test: (batch: Batch, row: number) => boolean,
): (batch: Batch, row: number) => boolean {
  const search = new ByteSearch(
    required.map(({ bytes, others }) => ({ bytes: Uint8Array.from(bytes), others: Uint8Array.from(others) })),
  );
  const { at } = texts;
  if (decision === 'found')
    return (batch, row) => texts.locateText(batch, row, slot, ofStr) && search.isIn(at.buffer, at.start, at.end);
  if (decision !== undefined)
    return (batch, row) => texts.locateText(batch, row, slot, ofStr) && passesInWindow(at, search, decision);
  return (batch, row) =>
    texts.locateText(batch, row, slot, ofStr) && search.isIn(at.buffer, at.start, at.end) && test(batch, row);
}

/**
 * Tests the parts of a text that a match with a required text can be in. Overlapping parts are one,
 * so that no byte is read twice.
 */
function passesInWindow(
  { buffer, start, end }: TermBytes,
  search: ByteSearch,
  { maxCharacters, test }: TextWindow,
): boolean {
  const reach = maxCharacters * MAX_CHARACTER_BYTES;
  let found = search.indexIn(buffer, start, end);
  while (found >= 0) {
    const from = Math.max(start, found - reach);
    let to = Math.min(end, found + reach);
    let next = search.indexIn(buffer, found + 1, end);
    while (next >= 0 && next - reach <= to) {
      to = Math.min(end, next + reach);
      next = search.indexIn(buffer, next + 1, end);
    }
    if (test(buffer.toString('utf8', characterFrom(buffer, from, end), characterFrom(buffer, to, end)))) return true;
    found = next;
  }
  return false;
}

/** Returns the first position of a character from a position on. */
function characterFrom(buffer: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && (buffer[at] & 0xc0) === 0x80) at++;
  return at;
}
