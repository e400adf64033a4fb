import type * as RDF from '@rdfjs/types';
import { FIRST_PRIVATE_TERM, NO_TERM, type TermId } from '../../contracts/term-source.ts';
import type { PatternPlanner } from './pattern-planner.ts';

/**
 * Returns the id of a constant of the query, which need not be in the data. If only this run of the
 * query knows the id, the plan is for this run only.
 */
export function idOfConstant(planner: PatternPlanner, constant: RDF.Term): TermId {
  const known = planner.basis.find(constant);
  if (known !== NO_TERM && known < FIRST_PRIVATE_TERM) return known;
  planner.bindToRun();
  return planner.source.terms.intern(constant);
}
