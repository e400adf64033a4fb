import type * as RDF from '@rdfjs/types';
import { NO_TERM, type TermId, type TermSource } from '../../contracts/term-source.ts';
import { XSD_STRING } from '../../model/vocabulary.ts';
import type { Expression } from '../algebra/algebra.ts';
import { StoredTexts } from '../exec/stored-texts.ts';
import { OwnTruths, type TestProgram, TRUTH } from './test-program.ts';

/** Ids whose results are cached: a power of two. */
const PLACES = 256;

/** Compiles BOUND (section 17.4.1.1). */
export function isBound(slot: number): TestProgram {
  const truths = new OwnTruths();
  return (batch) => {
    const values = truths.reserve(batch.length);
    const column = batch.columns[slot];
    if (column === undefined) values.fill(TRUTH.isFalse, 0, batch.length);
    else for (let row = 0; row < batch.length; row++) values[row] = Number(column[row] !== NO_TERM);
    return truths;
  };
}

/** Whether `=` finds a term equal to the same term alone: an IRI or a string (section 17.4.1.7). */
export function equalsOnlyItself(term: RDF.Term): boolean {
  if (term.termType === 'NamedNode') return true;
  return term.termType === 'Literal' && term.datatype.value === XSD_STRING;
}

/** Whether an expression is a constant that {@link equalsOnlyItself}. */
export function isSelfEqual(expression: Expression): expression is Expression & { readonly type: 'term' } {
  return expression.type === 'term' && equalsOnlyItself(expression.term);
}

/**
 * Compiles `=`, `!=`, IN and NOT IN of a variable and constants that are {@link isSelfEqual}
 * (section 17.4.1.7): equal terms have one id within a query. A string and another kind of literal
 * may raise an error: such rows are undecided, as those are where the variable is unbound.
 *
 * @param whenSame the result for a term that is one of the constants
 */
export function isOneOf(
  slot: number,
  constants: readonly RDF.Term[],
  whenSame: boolean,
  terms: TermSource,
): TestProgram | undefined {
  const texts = StoredTexts.of(terms);
  if (!texts) return undefined;
  const same = new Set(constants.map((constant) => terms.intern(constant)));
  const haveLiterals = constants.some(({ termType }) => termType === 'Literal');
  const decide = (id: TermId): number => {
    if (id === NO_TERM) return TRUTH.undecided;
    if (same.has(id)) return Number(whenSame);
    const isDecided = !haveLiterals || texts.equalsOnlyItself(id);
    return isDecided ? Number(!whenSame) : TRUTH.undecided;
  };
  // The values that a query tells apart are mostly few, such as the currencies of prices.
  const ids = new Uint32Array(PLACES);
  const results = new Uint8Array(PLACES).fill(TRUTH.undecided);
  const truths = new OwnTruths();
  return (batch) => {
    const values = truths.reserve(batch.length);
    const column = batch.columns[slot];
    if (column === undefined) {
      values.fill(TRUTH.undecided, 0, batch.length);
      truths.areDecided = false;
      return truths;
    }
    let undecided = 0;
    for (let row = 0; row < batch.length; row++) {
      const id: TermId = column[row];
      const place = id & (PLACES - 1);
      if (ids[place] !== id) {
        ids[place] = id;
        results[place] = decide(id);
      }
      values[row] = results[place];
      undecided |= results[place];
    }
    truths.areDecided = undecided < TRUTH.undecided;
    return truths;
  };
}
