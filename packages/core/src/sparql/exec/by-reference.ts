import { TERM_KIND } from '../../contracts/term-bytes.ts';
import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { Batch } from './batch.ts';
import type { StoredTexts } from './stored-texts.ts';

/** Maximum number of datatypes and languages whose results are cached. */
const MAX_REFERENCES = 1024;

/** Functions of a term that need not read its text. */
const OF_REFERENCE: ReadonlySet<string> = new Set(['LANG', 'DATATYPE', 'ISIRI', 'ISURI', 'ISBLANK', 'ISLITERAL']);
/** Functions that may give another result in the next row. */
const VOLATILE: ReadonlySet<string> = new Set(['RAND', 'UUID', 'STRUUID', 'BNODE']);

/**
 * Returns the slot of a variable if an expression depends on nothing of its terms but the kind and,
 * for literals, the datatype and language, such as `LANGMATCHES(LANG(?label), "en")`; undefined for
 * any other expression.
 */
export function referenceSlot(
  expression: Expression,
  slotOf: (variable: string) => number | undefined,
): number | undefined {
  const slots = new Set<number | undefined>();
  const dependsOnReferences = (part: Expression): boolean => {
    if (part.type === 'term') return true;
    if (part.type !== 'call' || VOLATILE.has(part.function)) return false;
    const [operand] = part.arguments;
    if (OF_REFERENCE.has(part.function) && operand.type === 'variable') {
      slots.add(slotOf(operand.name));
      return true;
    }
    return part.arguments.every(dependsOnReferences);
  };
  if (!dependsOnReferences(expression) || slots.size !== 1) return undefined;
  const [slot] = slots;
  return slot;
}

/**
 * Computes a function of a term once per kind, datatype and language, instead of decoding the text
 * of every term.
 *
 * @param compute computes the function for a row; the result must depend on these alone
 */
export function byReference<Result>(
  texts: StoredTexts,
  slot: number,
  compute: (batch: Batch, row: number) => Result,
): (batch: Batch, row: number) => Result {
  const ofLiterals = new Map<TermId, Result>();
  const ofOthers = new Map<number, Result>();
  const { at } = texts;
  return (batch, row) => {
    const id = batch.columns[slot]?.[row] ?? NO_TERM;
    if (id === NO_TERM) return compute(batch, row);
    texts.locate(id);
    const { kind, reference } = at;
    const isLiteral = kind === TERM_KIND.literal || kind === TERM_KIND.languageLiteral;
    const results = isLiteral ? ofLiterals : ofOthers;
    const key = isLiteral ? reference : kind;
    let result = results.get(key);
    if (result === undefined) {
      if (results.size === MAX_REFERENCES) results.clear();
      results.set(key, (result = compute(batch, row)));
    }
    return result;
  };
}
