import { MAX_SCALE, VALUE } from '../../contracts/value-column.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { Execution } from '../exec/execution.ts';
import { StoredTexts } from '../exec/stored-texts.ts';
import { characters, type SlicePlan, slicePlan, TextSlice } from '../exec/text-slice.ts';
import { type NumberProgram, NumberVector } from './number-vector.ts';
import { parsed, parseValue, readerOf } from './parse-value.ts';

/** Maximum number of bytes of texts that a program reads in a batch, without a pause. */
const MAX_SCANNED_BYTES = 1 << 20;

/** A text that is not cut, so that its size is known before it is read. */
export function wholeText(
  expression: Expression,
  slotOf: (variable: string) => number | undefined,
): SlicePlan | undefined {
  const plan = slicePlan(expression, slotOf);
  return plan?.cuts.length === 0 ? plan : undefined;
}

/** Compiles STRLEN (section 17.4.3.2): counts the characters in the stored bytes. */
export function ofLength(plan: SlicePlan, execution: Execution): NumberProgram | undefined {
  const texts = StoredTexts.of(execution.source.terms);
  if (!texts) return undefined;
  const slice = new TextSlice(texts, plan);
  const vector = new NumberVector(execution);
  return (batch) => {
    vector.reserve(batch.length);
    let left = MAX_SCANNED_BYTES;
    for (let row = 0; row < batch.length; row++) {
      // Beyond the maximum, rows are evaluated one by one, because that can pause between them.
      const hasText = slice.find(batch, row) && (left -= slice.end - slice.start) > 0;
      vector.kinds[row] = hasText ? VALUE.integer : VALUE.opaque;
      vector.numbers[row] = hasText ? characters(slice) : 0;
    }
    return vector;
  };
}

/** A text that is computed from a stored one. */
export function computedText(
  expression: Expression,
  slotOf: (variable: string) => number | undefined,
): SlicePlan | undefined {
  return expression.type === 'call' ? slicePlan(expression, slotOf) : undefined;
}

/** Compiles a cast of a text: the value of its lexical form (section 17.5). */
export function ofCastText(plan: SlicePlan, datatype: string, execution: Execution): NumberProgram | undefined {
  const vector = new NumberVector(execution);
  const unread: NumberProgram = (batch) => {
    vector.reserve(batch.length);
    vector.kinds.fill(VALUE.opaque, 0, batch.length);
    return vector;
  };
  return orCastText(unread, plan, datatype, execution);
}

/**
 * Casts the texts of the rows for which `cast` has no number. Forms with whitespace around them are
 * left to the general interpreter.
 */
export function orCastText(
  cast: NumberProgram,
  plan: SlicePlan,
  datatype: string,
  execution: Execution,
): NumberProgram | undefined {
  const texts = StoredTexts.of(execution.source.terms);
  if (!texts) return undefined;
  const slice = new TextSlice(texts, plan);
  const reader = readerOf(datatype);
  return (batch) => {
    const vector = cast(batch);
    const { kinds, numbers } = vector;
    if (vector.lowest > VALUE.opaque) return vector;
    let lowest = MAX_SCALE + VALUE.decimal;
    let highest = 0;
    let left = MAX_SCANNED_BYTES;
    for (let row = 0; row < batch.length; row++) {
      let kind = kinds[row];
      // Beyond the maximum, rows are evaluated one by one, because that can pause between them.
      if (kind === VALUE.opaque && left > 0 && slice.find(batch, row)) {
        left -= texts.at.end - texts.at.start;
        if (!slice.hasLanguage) {
          kind = parseValue(reader, slice.buffer, slice.start, slice.end);
          kinds[row] = kind;
          numbers[row] = parsed.number;
        }
      }
      if (kind < lowest) lowest = kind;
      if (kind > highest) highest = kind;
    }
    vector.lowest = lowest;
    vector.highest = highest;
    return vector;
  };
}
