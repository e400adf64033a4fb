import { TERM_KIND, TermBytes } from '../../contracts/term-bytes.ts';
import { NO_TERM, type TermId, type TermSource } from '../../contracts/term-source.ts';
import { PAGE_BITS, PAGE_SIZE, VALUE, type ValueColumn, type ValueSource } from '../../contracts/value-column.ts';
import type { NumberVector } from './number-vector.ts';
import { parsed, parseValue, readerOf } from './parse-value.ts';

/** In {@link ValueColumn.datatypes}: values of the datatype are not represented by numbers. */
const NO_READER = -1;
const NO_KINDS = new Uint8Array(PAGE_SIZE);
const NO_NUMBERS = new Float64Array(0);

/**
 * Looks up the values of terms as numbers. Parses the bytes of a term on first use, without
 * creating a term object, and caches the value of a shared term in the {@link ValueColumn} of its
 * dictionary.
 */
export class StoredValues {
  private readonly terms: ValueSource;
  private readonly column: ValueColumn;
  private readonly at = new TermBytes();

  private constructor(terms: ValueSource) {
    this.terms = terms;
    this.column = terms.values;
  }

  /** Returns undefined if the term source has no value column. */
  static of(terms: TermSource): StoredValues | undefined {
    return 'values' in terms ? new StoredValues(terms as ValueSource) : undefined;
  }

  /**
   * Writes the values of the first `length` ids to a vector of at least that capacity, with the
   * bounds of their kinds.
   */
  fill(ids: Uint32Array, length: number, into: NumberVector): void {
    const { kinds: kindPages, numbers: numberPages } = this.column;
    const { kinds, numbers } = into;
    let lowest = 255;
    let highest = 0;
    // Neighbouring rows mostly have terms of one page: a scan gives objects in the order of their
    // ids.
    let page = -1;
    let kindsOfPage: Uint8Array = NO_KINDS;
    let numbersOfPage: Float64Array = NO_NUMBERS;
    for (let row = 0; row < length; row++) {
      const id = ids[row];
      if (id >>> PAGE_BITS !== page) {
        page = id >>> PAGE_BITS;
        const isKnown = page < kindPages.length;
        kindsOfPage = isKnown ? kindPages[page] : NO_KINDS;
        numbersOfPage = isKnown ? numberPages[page] : NO_NUMBERS;
      }
      const at = id & (PAGE_SIZE - 1);
      let kind = kindsOfPage[at];
      if (kind === VALUE.unread) {
        kind = this.read(id);
        numbers[row] = parsed.number;
        // It may have allocated the page.
        page = -1;
      } else {
        numbers[row] = numbersOfPage[at];
      }
      kinds[row] = kind;
      if (kind < lowest) lowest = kind;
      if (kind > highest) highest = kind;
    }
    into.lowest = lowest;
    into.highest = highest;
  }

  /** Returns the kind of a term's value, and leaves its number in {@link parsed}. */
  private read(id: TermId): number {
    if (id === NO_TERM) return VALUE.opaque;
    const { at, column } = this;
    this.terms.locate(id, at);
    let kind: number = VALUE.opaque;
    parsed.number = 0;
    if (at.kind === TERM_KIND.literal) {
      const reader = this.readerOf(at.reference);
      if (reader !== NO_READER) kind = parseValue(reader, at.buffer, at.start, at.end);
    }
    if (kind === VALUE.opaque) parsed.number = 0;
    if (this.terms.isShared(id)) column.set(id, kind, parsed.number);
    return kind;
  }

  private readerOf(datatype: TermId): number {
    const { datatypes } = this.column;
    let reader = datatypes.get(datatype);
    if (reader === undefined) {
      reader = readerOf(this.terms.term(datatype).value);
      // The id of a private term denotes another term in the next query.
      if (this.terms.isShared(datatype)) datatypes.set(datatype, reader);
    }
    return reader;
  }
}
