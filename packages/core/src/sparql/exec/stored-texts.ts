import { TERM_KIND, TermBytes, type TermBytesSource } from '../../contracts/term-bytes.ts';
import { NO_TERM, type TermId, type TermSource } from '../../contracts/term-source.ts';
import { dataFactory } from '../../model/term.ts';
import { XSD_STRING } from '../../model/vocabulary.ts';
import type { RequiredText } from '../expressions/regex/required-text.ts';
import type { Batch } from './batch.ts';
import { ByteSearch } from './byte-search.ts';

/** How a string is matched against another. */
export type TextRelation = 'CONTAINS' | 'STRSTARTS' | 'STRENDS' | 'EQUALS';

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

/** How a text is tested by its bytes. */
export interface TextMatch {
  /** Relation to at least one of the patterns, without which the condition fails. */
  readonly relation: TextRelation;
  /** None if no text passes. */
  readonly patterns: readonly RequiredText[];
  /**
   * How a text is tested that has the relation: `found` if it passes then, a window if a part of it
   * around the pattern decides, undefined if all of it must be read.
   */
  readonly decision: 'found' | TextWindow | undefined;
  /** A text that has the relation must also contain one of these, before all of it is read. */
  readonly inside?: readonly RequiredText[] | undefined;
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
 * Compiles a test of a variable's text, such as `CONTAINS(?v, "text")`, into one of stored bytes;
 * `ofStr` applies it to `STR(?v)`. A non-string argument is an error, which a test treats as false
 * (SPARQL 1.1 sections 17.4.3.6 to 17.4.3.8).
 *
 * @param startWhole starts the test that decodes the whole text, where that is necessary
 */
export function textTest(
  texts: StoredTexts,
  { slot, ofStr, match }: { readonly slot: number; readonly ofStr: boolean; readonly match: TextMatch },
  startWhole: () => (batch: Batch, row: number) => boolean,
): (batch: Batch, row: number) => boolean {
  const { relation, patterns, decision } = match;
  if (patterns.length === 0) return () => false;
  const search = searchOf(patterns);
  const { at } = texts;
  if (decision !== 'found' && decision !== undefined)
    return (batch, row) => texts.locateText(batch, row, slot, ofStr) && passesInWindow(at, search, decision);
  const found = relationTest(texts, search, relation, ofStr);
  if (decision === 'found') return (batch, row) => texts.locateText(batch, row, slot, ofStr) && found();
  const whole = startWhole();
  const isInside = match.inside ? relationTest(texts, searchOf(match.inside), 'CONTAINS', ofStr) : () => true;
  return (batch, row) => texts.locateText(batch, row, slot, ofStr) && found() && isInside() && whole(batch, row);
}

function searchOf(patterns: readonly RequiredText[]): ByteSearch {
  return new ByteSearch(
    patterns.map(({ bytes, others }) => ({ bytes: Uint8Array.from(bytes), others: Uint8Array.from(others) })),
  );
}

/** Returns a test of the located text. */
function relationTest(texts: StoredTexts, search: ByteSearch, relation: TextRelation, ofStr: boolean): () => boolean {
  const { at } = texts;
  switch (relation) {
    case 'CONTAINS':
      return () => search.isIn(at.buffer, at.start, at.end);
    case 'STRSTARTS':
      return () => search.isAt(at.buffer, at.start, at.end);
    case 'STRENDS':
      return () => search.isAtEnd(at.buffer, at.start, at.end);
    case 'EQUALS':
      // A text with a language is another term than the one without (section 17.4.1.7).
      return () => (ofStr || texts.kind === TEXT.string) && search.isWhole(at.buffer, at.start, at.end);
  }
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
