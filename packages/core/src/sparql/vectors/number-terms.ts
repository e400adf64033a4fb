import type { TermWriter } from '../../contracts/quad-sink.ts';
import { NO_TERM, type TermId, type TermSource } from '../../contracts/term-source.ts';
import { VALUE } from '../../contracts/value-column.ts';
import { dataFactory } from '../../model/term.ts';
import { XSD_DAY_TIME_DURATION, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER } from '../../model/vocabulary.ts';
import { Decimal, decimalOf } from '../expressions/decimal.ts';
import { Duration, durationText } from '../expressions/duration.ts';
import { doubleText } from '../expressions/number-text.ts';
import { KIND } from '../expressions/value-kind.ts';
import { type NumberVector, scaleOf, unitsOf } from './number-vector.ts';

/** The ids of literals for whole numbers from 0 to below this are cached. */
const SMALL_INTEGERS = 4096;
/** Size of the buffer for the digits of a number. */
const MAX_TEXT = 64;

/** Creates literals for computed numbers, directly as bytes, without RDF/JS term objects. */
export class NumberTerms {
  private readonly terms: TermWriter;
  private readonly integer: TermId;
  private readonly decimal: TermId;
  private readonly double: TermId;
  private readonly duration: TermId;
  /** Cached ids by integer; 0 if not yet known. */
  private readonly small = new Uint32Array(SMALL_INTEGERS);
  /** Allocated for the first decimal. */
  private smallDecimals: Uint32Array | undefined;
  private readonly text = new Uint8Array(MAX_TEXT);

  private constructor(terms: TermWriter & TermSource) {
    this.terms = terms;
    this.integer = terms.intern(dataFactory.namedNode(XSD_INTEGER));
    this.decimal = terms.intern(dataFactory.namedNode(XSD_DECIMAL));
    this.double = terms.intern(dataFactory.namedNode(XSD_DOUBLE));
    this.duration = terms.intern(dataFactory.namedNode(XSD_DAY_TIME_DURATION));
  }

  /** Returns undefined if the term source cannot create terms from bytes. */
  static of(terms: TermSource): NumberTerms | undefined {
    return 'literal' in terms ? new NumberTerms(terms as TermWriter & TermSource) : undefined;
  }

  /** Whether {@link id} accepts numbers of a kind: durations and all that are numbers. */
  takes(kind: number): boolean {
    return kind >= VALUE.duration;
  }

  /** Writes the ids of all rows of a vector, whose kinds are all accepted. */
  write({ kinds, numbers }: NumberVector, length: number, ids: Uint32Array): void {
    let lastKind = -1;
    let lastNumber = 0;
    let last = NO_TERM;
    for (let row = 0; row < length; row++) {
      const kind = kinds[row];
      const number = numbers[row];
      // Neighbouring rows often have the same number, such as the same month.
      if (kind !== lastKind || !Object.is(number, lastNumber)) {
        last = this.id(kind, number);
        lastKind = kind;
        lastNumber = number;
      }
      ids[row] = last;
    }
  }

  /**
   * Returns the id of the literal in canonical form (XSD 1.1 part 2, 3.3.3, 3.3.5, 3.4.13 and
   * 3.4.27).
   */
  id(kind: number, number: number): TermId {
    if (kind === VALUE.integer) {
      if (!(number >= 0 && number < SMALL_INTEGERS)) return this.literal(String(number), this.integer);
      return (this.small[number] ||= this.literal(String(number), this.integer));
    }
    if (kind === VALUE.double) return this.literal(doubleText(number), this.double);
    if (kind === VALUE.duration)
      return this.literal(durationText(KIND.dayTimeDuration, new Duration(0, new Decimal(number, 0))), this.duration);
    const scale = scaleOf(kind);
    if (number >= 0 && number < SMALL_INTEGERS && Number.isInteger(number)) {
      this.smallDecimals ??= new Uint32Array(SMALL_INTEGERS);
      return (this.smallDecimals[number] ||= this.literal(String(number), this.decimal));
    }
    return this.literal(decimalOf(unitsOf(number, scale), scale).toString(), this.decimal);
  }

  private literal(digits: string, datatype: TermId): TermId {
    for (let i = 0; i < digits.length; i++) this.text[i] = digits.charCodeAt(i);
    return this.terms.literal(this.text, 0, digits.length, datatype);
  }
}
