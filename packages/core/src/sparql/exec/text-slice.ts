import type * as RDF from '@rdfjs/types';
import { Buffer } from '#platform';
import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import { XSD_INTEGER, XSD_STRING } from '../../model/vocabulary.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { Batch } from './batch.ts';
import { ByteSearch } from './byte-search.ts';
import { type StoredTexts, TEXT } from './stored-texts.ts';

/**
 * The result of SUBSTR, STRBEFORE and STRAFTER on a stored text, as a part of its bytes:
 * {@link start} to {@link end} of {@link buffer}.
 */
export class TextSlice {
  buffer: Buffer = NO_BYTES;
  /** The same bytes as `buffer`, for reads of several. */
  view: DataView = NO_VIEW;
  start = 0;
  end = 0;
  /** Whether the text, and therefore the result, has a language. */
  hasLanguage = false;
  /** The term of the last row, and whether it has a text. */
  private id: TermId = NO_TERM;
  private isFound = false;
  private readonly texts: StoredTexts;
  private readonly slot: number;
  private readonly ofStr: boolean;
  /** In order of application. */
  private readonly cuts: readonly Cut[];

  constructor(texts: StoredTexts, { slot, ofStr, cuts }: SlicePlan) {
    this.texts = texts;
    this.slot = slot;
    this.ofStr = ofStr;
    this.cuts = cuts;
  }

  /**
   * Finds the result for a row. Returns false if the value is not a text: evaluate the expression
   * then.
   */
  find(batch: Batch, row: number): boolean {
    const { texts } = this;
    const id = batch.columns[this.slot]?.[row] ?? NO_TERM;
    // Neighbouring rows often share a term, such as the subject of a scan.
    if (id === this.id) return this.isFound;
    this.id = id;
    this.isFound = texts.locateText(batch, row, this.slot, this.ofStr);
    if (!this.isFound) return false;
    this.hasLanguage = !this.ofStr && texts.kind === TEXT.languageString;
    const { buffer, view, start, end } = texts.at;
    this.buffer = buffer;
    this.view = view;
    this.start = start;
    this.end = end;
    for (const cut of this.cuts) cut(this);
    return true;
  }
}

const NO_BYTES = Buffer.alloc(0);
const NO_VIEW = new DataView(new ArrayBuffer(0));

/** The variable and the functions of a {@link TextSlice}. */
export interface SlicePlan {
  readonly slot: number;
  /** Whether STR is applied to the variable. */
  readonly ofStr: boolean;
  /** In order of application. */
  readonly cuts: readonly Cut[];
}

/** Returns undefined unless the expression applies only these functions, to a variable. */
export function slicePlan(
  expression: Expression,
  slotOf: (variable: string) => number | undefined,
): SlicePlan | undefined {
  const cuts: Cut[] = [];
  let part = expression;
  for (let cut = cutOf(part); cut; cut = cutOf(part)) {
    cuts.unshift(cut.apply);
    part = cut.text;
  }
  const ofStr = part.type === 'call' && part.function === 'STR';
  const operand = part.type === 'call' && ofStr ? part.arguments[0] : part;
  const slot = operand.type === 'variable' ? slotOf(operand.name) : undefined;
  return slot === undefined ? undefined : { slot, ofStr, cuts };
}

/** Applies one function: moves the ends of a slice. */
type Cut = (slice: TextSlice) => void;

function cutOf(expression: Expression): { readonly apply: Cut; readonly text: Expression } | undefined {
  if (expression.type !== 'call') return undefined;
  const [text, second, third] = expression.arguments;
  if (second?.type !== 'term') return undefined;
  switch (expression.function) {
    case 'SUBSTR': {
      const from = positiveInteger(second.term);
      const length = third?.type === 'term' ? positiveInteger(third.term) : undefined;
      if (from === undefined || (third && length === undefined)) return undefined;
      return { apply: substring(from, length), text };
    }
    case 'STRBEFORE':
    case 'STRAFTER': {
      const found = searchFor(second.term);
      if (found === undefined) return undefined;
      return { apply: expression.function === 'STRBEFORE' ? before(found) : after(found), text };
    }
    default:
      return undefined;
  }
}

function positiveInteger(term: RDF.Term): number | undefined {
  if (term.termType !== 'Literal' || term.datatype.value !== XSD_INTEGER || !/^[1-9]\d{0,8}$/.test(term.value))
    return undefined;
  return Number(term.value);
}

/**
 * Returns the text of an xsd:string. Returns undefined for other terms, and for texts with lone
 * surrogates, which have no UTF-8.
 */
export function plainText(term: RDF.Term): string | undefined {
  if (term.termType !== 'Literal' || term.datatype.value !== XSD_STRING) return undefined;
  return term.value.isWellFormed() ? term.value : undefined;
}

function searchFor(term: RDF.Term): ByteSearch | undefined {
  const text = plainText(term);
  return text ? ByteSearch.of(Buffer.from(text)) : undefined;
}

/** Returns the number of characters in a slice. */
export function characters({ buffer, view, start, end }: TextSlice): number {
  // All bytes but those that continue a character: 10xxxxxx.
  let count = end - start;
  let at = start;
  for (const last = end - 3; at < last; at += 4) {
    const bytes = view.getInt32(at, true);
    if ((bytes & 0x80808080) === 0) continue;
    const continuing = (bytes >>> 7) & ~(bytes >>> 6) & 0x01010101;
    count -= Math.imul(continuing, 0x01010101) >>> 24;
  }
  for (; at < end; at++) if ((buffer[at] & 0xc0) === 0x80) count--;
  return count;
}

/** Section 17.4.3.3: the index of the first character is 1. */
function substring(from: number, length: number | undefined): Cut {
  return (slice) => {
    slice.start = skip(slice, from - 1);
    if (length !== undefined) slice.end = skip(slice, length);
  };
}

/** Returns the position after a number of characters; in UTF-8, each has exactly one first byte. */
function skip({ buffer, start, end }: TextSlice, characters: number): number {
  let at = start;
  for (let left = characters; at < end; at++) {
    if ((buffer[at] & 0xc0) !== 0x80 && left-- === 0) break;
  }
  return at;
}

/** STRBEFORE (section 17.4.3.9): the empty string if the part is not found. */
function before(found: ByteSearch): Cut {
  return (slice) => {
    const at = found.indexIn(slice.buffer, slice.start, slice.end);
    slice.end = Math.max(at, slice.start);
  };
}

/** STRAFTER (section 17.4.3.10): the empty string if the part is not found. */
function after(found: ByteSearch): Cut {
  return (slice) => {
    const at = found.indexIn(slice.buffer, slice.start, slice.end);
    slice.start = at < 0 ? slice.end : at + found.length;
  };
}
