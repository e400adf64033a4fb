import { TERM_KIND } from '../../contracts/term-bytes.ts';
import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import { VALUE } from '../../contracts/value-column.ts';
import type { Expression } from '../algebra/algebra.ts';
import { DATATYPES } from '../expressions/datatypes.ts';
import { KIND } from '../expressions/value-kind.ts';
import type { Batch } from './batch.ts';
import type { Execution } from './execution.ts';
import type { StoredTexts } from './stored-texts.ts';

/** Returns the slot of `isNumeric(?v)`; undefined for any other expression. */
export function numericSlot(
  expression: Expression,
  slotOf: (variable: string) => number | undefined,
): number | undefined {
  if (expression.type !== 'call' || expression.function !== 'ISNUMERIC') return undefined;
  const [operand] = expression.arguments;
  return operand.type === 'variable' ? slotOf(operand.name) : undefined;
}

/**
 * Starts `isNumeric` of a variable (section 17.4.2.4): whether a term is a literal of a numeric
 * datatype with a valid lexical form. Only numbers that have no stored value are decoded.
 *
 * @param whole evaluates it for a row whose term must be decoded
 */
export function startNumericTest(
  slot: number,
  texts: StoredTexts,
  { numbers, source }: Execution,
  whole: (batch: Batch, row: number) => boolean,
): (batch: Batch, row: number) => boolean {
  const isNumericDatatype = new Map<TermId, boolean>();
  const isNumeric = (datatype: TermId): boolean => {
    let result = isNumericDatatype.get(datatype);
    if (result === undefined) {
      const kind = DATATYPES.get(source.terms.term(datatype).value)?.kind;
      result = kind !== undefined && kind >= KIND.integer && kind <= KIND.double;
      isNumericDatatype.set(datatype, result);
    }
    return result;
  };
  return (batch, row) => {
    const id = batch.columns[slot]?.[row] ?? NO_TERM;
    if (id === NO_TERM) return false;
    texts.locate(id);
    if (texts.at.kind !== TERM_KIND.literal || !isNumeric(texts.at.reference)) return false;
    return (numbers !== undefined && numbers.look(id) >= VALUE.double) || whole(batch, row);
  };
}
