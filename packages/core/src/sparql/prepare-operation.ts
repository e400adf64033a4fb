import { WorldsError } from '../model/worlds-error.ts';
import type { Query, Update } from './algebra/algebra.ts';
import { OperationParser } from './syntax/operation-parser.ts';
import type { ParseOptions } from './syntax/term-parser.ts';

/**
 * Parses a SPARQL 1.1 query or update, with the triple terms, reifiers, annotations and base directions of SPARQL 1.2, checks it and translates it
 * to the algebra. `baseIri` is an absolute IRI; without it, and without BASE, relative IRIs are refused. Throws INVALID_SPARQL with a location, also for
 * a text of nothing but white space, and LIMIT_EXCEEDED with one for a text that is nested too deeply.
 */
export function prepareOperation(text: string, options: ParseOptions = {}): Query | Update {
  // The grammar takes nothing for an update of no operations (rule 29). Nobody means that by an empty text; a comment says so.
  if (text.trim() === '') {
    throw new WorldsError('INVALID_SPARQL', 'The SPARQL text is empty: write a query or an update.', {
      location: { line: 1, column: 1 },
    });
  }
  try {
    return new OperationParser(text, options).operation();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The limit on depth needs half of Node's usual stack; a host may have given less, or used most of it.
    throw new WorldsError('LIMIT_EXCEEDED', 'The SPARQL text is nested too deeply for the stack that is left.', {
      cause: error,
    });
  }
}
