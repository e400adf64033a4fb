import type * as RDF from '@rdfjs/types';
import type { Path, PatternTerm, TriplePattern } from '../algebra/algebra.ts';
import { turtleTerm } from '../results/turtle-term.ts';

/**
 * A variable as a text has it. Names that begin with a dot were made by translation: blank nodes of
 * the text and what stands for other things.
 */
export function variableText(name: string): string {
  return name.startsWith('.b_') ? `_:${name.slice(3)}` : `?${name}`;
}

/** A term of a pattern in the syntax of SPARQL, with full IRIs. */
export function termText(term: PatternTerm | RDF.Term): string {
  switch (term.termType) {
    case 'Variable':
      return variableText(term.value);
    case 'TriplePattern':
      return `<<( ${tripleText(term)} )>>`;
    default:
      return turtleTerm(term as RDF.Term);
  }
}

export function tripleText({ subject, predicate, object }: TriplePattern): string {
  return `${termText(subject)} ${termText(predicate)} ${termText(object)}`;
}

/** A property path; brackets stand around every path of several steps that is part of another. */
export function pathText(path: Path): string {
  switch (path.type) {
    case 'link':
      return termText(path.iri);
    case 'inverse':
      return `^${innerPath(path.path)}`;
    case 'sequence':
      return path.paths.map(innerPath).join('/');
    case 'alternative':
      return path.paths.map(innerPath).join('|');
    case 'zeroOrMore':
      return `${innerPath(path.path)}*`;
    case 'oneOrMore':
      return `${innerPath(path.path)}+`;
    case 'zeroOrOne':
      return `${innerPath(path.path)}?`;
    case 'negated': {
      const backward = (path.backward ?? []).map((iri) => `^${termText(iri)}`);
      return `!(${[...(path.forward ?? []).map(termText), ...backward].join('|')})`;
    }
  }
}

function innerPath(path: Path): string {
  return path.type === 'link' || path.type === 'negated' ? pathText(path) : `(${pathText(path)})`;
}
