import { TERM_KIND, TermBytes } from '../../contracts/term-bytes.ts';
import { NO_TERM, type TermId, type TermSource } from '../../contracts/term-source.ts';
import { PAGE_BITS, PAGE_SIZE, VALUE, type ValueColumn, type ValueSource } from '../../contracts/value-column.ts';
import type { NumberVector } from './number-vector.ts';
import { parsed, parseValue, readerOf } from './parse-value.ts';

/** In {@link ValueColumn.datatypes}: values of the datatype are not represented by numbers. */
const NO_READER = -1;

/**
 * Looks up the values of terms as numbers. Parses the bytes of a term on first use, without
 * creating a term object, and caches the value of a shared term in the {@link ValueColumn} of its
 * dictionary.
 */
export class StoredValues {
  private readonly terms: ValueSource;
  private readonly column: ValueColumn;
  private readonly at = new TermBytes();
  /** {@link ValueColumn.datatypes} for terms of this query. */
  private readonly privateDatatypes = new Map<TermId, number>();

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
    for (let row = 0; row < length; ) {
      const page = ids[row] >>> PAGE_BITS;
      if (page < kindPages.length) {
        // Neighbouring rows mostly have terms of one page: a scan gives objects in the order of
        // their ids.
        const kindsOfPage = kindPages[page];
        const numbersOfPage = numberPages[page];
        for (; row < length; row++) {
          const id = ids[row];
          if (id >>> PAGE_BITS !== page) break;
          const at = id & (PAGE_SIZE - 1);
          const kind = kindsOfPage[at];
          if (kind === VALUE.unread) break;
          kinds[row] = kind;
          numbers[row] = numbersOfPage[at];
          if (kind < lowest) lowest = kind;
          if (kind > highest) highest = kind;
        }
        if (row === length) break;
        if (ids[row] >>> PAGE_BITS !== page) continue;
      }
      const kind = this.read(ids[row]);
      kinds[row] = kind;
      numbers[row] = parsed.number;
      lowest = Math.min(lowest, kind);
      highest = Math.max(highest, kind);
      row++;
    }
    into.lowest = lowest;
    into.highest = highest;
  }

  /** Returns the kind of the value of one term, and leaves its number in {@link parsed}. */
  look(id: TermId): number {
    const page = id >>> PAGE_BITS;
    const { kinds, numbers } = this.column;
    const at = id & (PAGE_SIZE - 1);
    const kind = page < kinds.length ? kinds[page][at] : VALUE.unread;
    if (kind === VALUE.unread) return this.read(id);
    parsed.number = numbers[page][at];
    return kind;
  }

  /** As {@link look}, for a term whose value is not known yet. */
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
    let reader = datatypes.get(datatype) ?? this.privateDatatypes.get(datatype);
    if (reader === undefined) {
      reader = readerOf(this.terms.term(datatype).value);
      // The id of a private term denotes another term in the next query.
      const known = this.terms.isShared(datatype) ? datatypes : this.privateDatatypes;
      known.set(datatype, reader);
    }
    return reader;
  }
}
