import { WorldsError } from '../model/worlds-error.ts';
import { runAtOnce } from '../storage/slicer.ts';
import type { Query, Update } from './algebra/algebra.ts';
import { withoutOverflow } from './stack-depth.ts';
import { OperationParser } from './syntax/operation-parser.ts';
import type { ParseOptions } from './syntax/term-parser.ts';

/**
 * Parses a SPARQL 1.1 query or update, with the triple terms, reifiers, annotations and base
 * directions of SPARQL 1.2, checks it and translates it to the algebra. `baseIri` is an absolute
 * IRI; without it, and without BASE, relative IRIs are refused. Throws INVALID_SPARQL with a
 * location, also for a text of nothing but white space, and LIMIT_EXCEEDED with one beyond the
 * `limits`.
 */
export function prepareOperation(text: string, options: ParseOptions = {}): Query | Update {
  return runAtOnce(preparing(text, options));
}

/**
 * As {@link prepareOperation}, as a kernel: for long texts. Yields between the operations of an
 * update, and at the end.
 */
export function* preparing(text: string, options: ParseOptions): Generator<void, Query | Update, void> {
  // The grammar takes nothing for an update of no operations (rule 29). Nobody means that by an
  // empty text; a comment says so.
  if (text.trim() === '') {
    throw new WorldsError('INVALID_SPARQL', 'The SPARQL text is empty: write a query or an update.', {
      location: { line: 1, column: 1 },
    });
  }
  try {
    const operation = yield* new OperationParser(text, options).operation();
    // What follows, planning first of all, is a piece of work by itself.
    yield;
    return operation;
  } catch (error) {
    throw withoutOverflow(error);
  }
}
