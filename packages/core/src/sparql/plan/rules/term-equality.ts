import type * as RDF from '@rdfjs/types';
import type { Expression } from '../../algebra/algebra.ts';
import { equalsOnlyItself } from '../../vectors/identity-test.ts';
import { disjuncts } from '../variables.ts';

/** A condition that a variable equals one of a list of terms. */
export interface TermEquality {
  readonly variable: string;
  /** Free of duplicates. */
  readonly terms: readonly RDF.Term[];
}

/**
 * Recognizes `?v = <iri>`, `?v IN (...)`, `sameTerm(?v, ...)` and disjunctions of them; returns
 * undefined for any other condition. `=` qualifies only where it means term identity: numbers,
 * dates and booleans have several terms per value, and language tags compare case-insensitively,
 * whereas IRIs and strings equal only themselves (SPARQL 1.1 section 17.4.1.7). A comparison that
 * would raise an error drops the row, as false does.
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
  // A language tag has several spellings.
  const isSameTerm = operator === 'SAMETERM' && term.termType === 'Literal' && !term.language;
  return isSameTerm || equalsOnlyItself(term);
}

function different(terms: readonly RDF.Term[]): RDF.Term[] {
  const byText = new Map<string, RDF.Term>();
  for (const term of terms) {
    const datatype = term.termType === 'Literal' ? term.datatype.value : '';
    byText.set(`${term.termType} ${datatype} ${term.value}`, term);
  }
  return [...byText.values()];
}
