import type { TermWriter } from '../../contracts/quad-sink.ts';
import { NO_TERM, type TermId, type TermSource } from '../../contracts/term-source.ts';
import { COMPARABLE, isTime, VALUE } from '../../contracts/value-column.ts';
import { dataFactory } from '../../model/term.ts';
import { XSD_DATE } from '../../model/vocabulary.ts';
import type { Expression } from '../algebra/algebra.ts';
import { NO_ZONE, zoneAtEnd } from '../vectors/parse-value.ts';
import type { Batch } from './batch.ts';
import { byReference } from './by-reference.ts';
import type { Execution } from './execution.ts';
import { StoredTexts } from './stored-texts.ts';
import { slicePlan, TextSlice } from './text-slice.ts';

/** Returns the id of a term for a row; 0 stands for an error. */
export type IdFunction = (batch: Batch, row: number) => TermId;

/** What {@link startIds} needs in addition to the expression. */
export interface IdContext {
  readonly slotOf: (variable: string) => number | undefined;
  readonly execution: Execution;
  /** Compiles any expression to a function that works on values. */
  readonly general: (expression: Expression) => IdFunction;
  /** Compiles a condition; undefined stands for an error. */
  readonly test: (expression: Expression) => (batch: Batch, row: number) => boolean | undefined;
}

/**
 * Compiles an expression whose result is one of its operands, or follows from the stored bytes of
 * one, to a function that returns term ids without creating values. Returns undefined for every
 * other expression.
 */
export function startIds(expression: Expression, context: IdContext): IdFunction | undefined {
  switch (expression.type) {
    case 'variable': {
      const slot = context.slotOf(expression.name);
      return slot === undefined ? undefined : (batch, row) => batch.columns[slot]?.[row] ?? NO_TERM;
    }
    case 'term': {
      const id = context.execution.source.terms.intern(expression.term);
      return () => id;
    }
    case 'call':
      return ID_FUNCTIONS.get(expression.function)?.(expression, context) ?? slicedText(expression, context);
    case 'iriCall':
      return expression.iri === XSD_DATE ? dateOfTime(expression, context) : undefined;
    default:
      return undefined;
  }
}

type Call = Expression & { readonly type: 'call' };
type StartCall = (call: Call, context: IdContext) => IdFunction | undefined;

/** The functions, except for those that return a part of a string; see {@link TextSlice}. */
const ID_FUNCTIONS: ReadonlyMap<string, StartCall> = new Map<string, StartCall>([
  ['COALESCE', firstOf],
  ['IF', oneOf],
  ['LANG', toldByReference],
  ['DATATYPE', toldByReference],
  ['TZ', toldByZone],
  ['TIMEZONE', toldByZone],
  ['BNODE', freshBlankNode],
  ['SUBJECT', partOfTriple(0)],
  ['PREDICATE', partOfTriple(1)],
  ['OBJECT', partOfTriple(2)],
]);

/** COALESCE (section 17.4.1.3): the first operand that is not an error. */
function firstOf({ arguments: operands }: Call, context: IdContext): IdFunction | undefined {
  const functions = startAll(operands, context);
  if (!functions) return undefined;
  return (batch, row) => {
    for (const operand of functions) {
      const id = operand(batch, row);
      if (id !== NO_TERM) return id;
    }
    return NO_TERM;
  };
}

/** IF (section 17.4.1.2): an error in the condition is an error of the call. */
function oneOf({ arguments: [condition, ...operands] }: Call, context: IdContext): IdFunction | undefined {
  const functions = startAll(operands, context);
  if (!functions) return undefined;
  const [whenTrue, whenFalse] = functions;
  const test = context.test(condition);
  return (batch, row) => {
    const isTrue = test(batch, row);
    if (isTrue === undefined) return NO_TERM;
    return isTrue ? whenTrue(batch, row) : whenFalse(batch, row);
  };
}

function startAll(operands: readonly Expression[], context: IdContext): readonly IdFunction[] | undefined {
  const functions: IdFunction[] = [];
  for (const operand of operands) {
    const one = startIds(operand, context);
    if (!one) return undefined;
    functions.push(one);
  }
  return functions;
}

/**
 * LANG and DATATYPE: the result depends only on datatype and language, so it is cached for them.
 */
function toldByReference(call: Call, { slotOf, execution, general }: IdContext): IdFunction | undefined {
  const texts = StoredTexts.of(execution.source.terms);
  const [operand] = call.arguments;
  const slot = operand.type === 'variable' ? slotOf(operand.name) : undefined;
  if (!texts || slot === undefined) return undefined;
  return byReference(texts, slot, general(call));
}

/** BNODE without a label (section 17.4.2.9): another node for each call. */
function freshBlankNode({ arguments: operands }: Call, { execution }: IdContext): IdFunction | undefined {
  if (operands.length > 0) return undefined;
  const { terms } = execution.source;
  return () => terms.blankNode();
}

/** TZ and TIMEZONE: the result depends only on the time zone, so it is cached for it. */
function toldByZone(call: Call, { slotOf, execution, general }: IdContext): IdFunction | undefined {
  const { numbers, source } = execution;
  const texts = StoredTexts.of(source.terms);
  const [operand] = call.arguments;
  const slot = operand.type === 'variable' ? slotOf(operand.name) : undefined;
  if (!numbers || !texts || slot === undefined) return undefined;
  const compute = general(call);
  const ofZones = new Map<number, TermId>();
  return (batch, row) => {
    const id = batch.columns[slot]?.[row] ?? NO_TERM;
    if (!isTime(numbers.look(id))) return compute(batch, row);
    texts.locate(id);
    const zone = zoneAtEnd(texts.at.buffer, texts.at.start, texts.at.end);
    if (Number.isNaN(zone)) return compute(batch, row);
    let result = ofZones.get(zone);
    if (result === undefined) ofZones.set(zone, (result = compute(batch, row)));
    return result;
  };
}

/** Number of bytes of `YYYY-MM-DD`, and of the longest time zone. */
const DATE_LENGTH = 10;
const ZONE_LENGTH = 6;

/** xsd:date of a dateTime (XPath F&O 17.1.5): the date and the time zone of its text. */
function dateOfTime(
  call: Expression & { readonly type: 'iriCall' },
  { slotOf, execution, general }: IdContext,
): IdFunction | undefined {
  const { numbers, source } = execution;
  const texts = StoredTexts.of(source.terms);
  const [operand] = call.arguments;
  const slot = call.arguments.length === 1 && operand.type === 'variable' ? slotOf(operand.name) : undefined;
  if (!numbers || !texts || slot === undefined || !('literal' in source.terms)) return undefined;
  const writer = source.terms as TermSource & TermWriter;
  const datatype = writer.intern(dataFactory.namedNode(XSD_DATE));
  const compute = general(call);
  const bytes = new Uint8Array(DATE_LENGTH + ZONE_LENGTH);
  return (batch, row) => {
    const id = batch.columns[slot]?.[row] ?? NO_TERM;
    const kind = numbers.look(id);
    if (!isTime(kind) || COMPARABLE[kind] === COMPARABLE[VALUE.date]) return compute(batch, row);
    texts.locate(id);
    const { buffer, start, end } = texts.at;
    const zone = zoneAtEnd(buffer, start, end);
    // Years of more digits, 24:00:00, and zones that have another canonical form, are computed.
    const hours = start + DATE_LENGTH + 1;
    const isPlain = buffer[hours - 1] === UPPER_T && (buffer[hours] !== DIGIT_2 || buffer[hours + 1] !== DIGIT_4);
    if (!isPlain || Number.isNaN(zone) || (zone === 0 && buffer[end - 1] !== UPPER_Z)) return compute(batch, row);
    const length = zone === NO_ZONE ? 0 : zone === 0 ? 1 : ZONE_LENGTH;
    for (let i = 0; i < DATE_LENGTH; i++) bytes[i] = buffer[start + i];
    for (let i = 0; i < length; i++) bytes[DATE_LENGTH + i] = buffer[end - length + i];
    return writer.literal(bytes, 0, DATE_LENGTH + length, datatype);
  };
}

const UPPER_T = 0x54;
const UPPER_Z = 0x5a;
const DIGIT_2 = 0x32;
const DIGIT_4 = 0x34;

/** SUBJECT, PREDICATE and OBJECT: an error for a term that is not a triple term. */
function partOfTriple(position: 0 | 1 | 2): StartCall {
  return ({ arguments: [operand] }, context) => {
    const tripleOf = startIds(operand, context);
    if (!tripleOf) return undefined;
    const { terms } = context.execution.source;
    return (batch, row) => {
      const id = tripleOf(batch, row);
      return id !== NO_TERM && terms.kind(id) === 'triple' ? terms.tripleOf(id)[position] : NO_TERM;
    };
  };
}

/** Creates a string literal of a part of the stored bytes. */
function slicedText(call: Call, { slotOf, execution, general }: IdContext): IdFunction | undefined {
  const { terms } = execution.source;
  const texts = StoredTexts.of(terms);
  const plan = slicePlan(call, slotOf);
  if (!texts || !plan || !('literal' in terms)) return undefined;
  const slice = new TextSlice(texts, plan);
  const writer = terms as TermSource & TermWriter;
  const compute = general(call);
  // The last result: neighbouring texts often have the same prefix, as times have the same day.
  let last = NO_TERM;
  let bytes: Uint8Array = NO_BYTES;
  let start = 0;
  let end = 0;
  return (batch, row) => {
    // The result for a text with a language has that language too (section 17.4.3.1.2).
    if (!slice.find(batch, row) || slice.hasLanguage) return compute(batch, row);
    if (last !== NO_TERM && isSame(slice, bytes, start, end)) return last;
    ({ buffer: bytes, start, end } = slice);
    last = writer.literal(bytes, start, end, NO_TERM);
    return last;
  };
}

const NO_BYTES = new Uint8Array(0);

/** Longer results are looked up without a comparison. */
const MAX_COMPARED = 64;

function isSame({ buffer, start, end }: TextSlice, bytes: Uint8Array, from: number, to: number): boolean {
  const length = end - start;
  if (length !== to - from || length > MAX_COMPARED) return false;
  for (let i = 0; i < length; i++) if (buffer[start + i] !== bytes[from + i]) return false;
  return true;
}
