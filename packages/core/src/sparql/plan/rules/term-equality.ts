import type * as RDF from '@rdfjs/types';
import { XSD_STRING } from '../../../model/vocabulary.ts';
import type { Expression } from '../../algebra/algebra.ts';
import { disjuncts } from '../variables.ts';

/** A condition that a variable is one of some terms. */
export interface TermEquality {
  readonly variable: string;
  /** Different ones. */
  readonly terms: readonly RDF.Term[];
}

/**
 * Reads `?v = <iri>`, `?v IN (...)`, `sameTerm(?v, ...)` and alternatives of them; undefined for
 * any other condition, also where `=` is not term identity: numbers, dates and booleans have
 * several terms for one value, and language tags are equal in any letter case. IRIs and strings are
 * equal to themselves alone (SPARQL 1.1 section 17.4.1.7), and what would be an error drops a row
 * as false does.
 */
export function termEquality(expression: Expression): TermEquality | undefined {
  if (expression.type !== 'call') return undefined;
  const { function: name, arguments: parts } = expression;
  switch (name) {
    case '=':
    case 'SAMETERM': {
      const [one, other] = parts;
      return one.type === 'variable' ? equality(one, [other], name) : equality(other, [one], name);
    }
    case 'IN':
      return equality(parts[0], parts.slice(1), '=');
    case '||': {
      const all = disjuncts(expression).map(termEquality);
      const [first] = all;
      if (!first || !all.every((each) => each?.variable === first.variable)) return undefined;
      return { variable: first.variable, terms: different(all.flatMap((each) => each!.terms)) };
    }
    default:
      return undefined;
  }
}

function equality(
  variable: Expression,
  others: readonly Expression[],
  operator: '=' | 'SAMETERM',
): TermEquality | undefined {
  if (variable.type !== 'variable') return undefined;
  const terms: RDF.Term[] = [];
  for (const other of others) {
    if (other.type !== 'term' || !isIdentity(other.term, operator)) return undefined;
    terms.push(other.term);
  }
  return { variable: variable.name, terms: different(terms) };
}

function isIdentity(term: RDF.Term, operator: '=' | 'SAMETERM'): boolean {
  if (term.termType === 'NamedNode') return true;
  if (term.termType !== 'Literal' || term.language) return false;
  return operator === 'SAMETERM' || term.datatype.value === XSD_STRING;
}

function different(terms: readonly RDF.Term[]): RDF.Term[] {
  const byText = new Map<string, RDF.Term>();
  for (const term of terms) {
    const datatype = term.termType === 'Literal' ? term.datatype.value : '';
    byText.set(`${term.termType} ${datatype} ${term.value}`, term);
  }
  return [...byText.values()];
}
