import { runAtOnce } from '../contracts/slicer.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { Query, Update } from './algebra/algebra.ts';
import { withoutOverflow } from './stack-depth.ts';
import { OperationParser } from './syntax/operation-parser.ts';
import { scannableText } from './syntax/scannable-text.ts';
import type { ParseOptions } from './syntax/term-parser.ts';

/**
 * Parses a SPARQL 1.1 query or update, with triple terms, reifiers, annotations and base directions
 * of SPARQL 1.2, validates it and translates it to the algebra. `baseIri` must be an absolute IRI;
 * without it and without BASE, relative IRIs are rejected. Throws INVALID_SPARQL with a location,
 * also for a blank text, and LIMIT_EXCEEDED with a location above one of the `limits`.
 */
export function prepareOperation(text: string, options: ParseOptions = {}): Query | Update {
  return runAtOnce(preparing(text, options));
}

/**
 * Kernel form of {@link prepareOperation}, for long texts. Yields between parts of the text, and at
 * the end.
 */
export function* preparing(text: string, options: ParseOptions): Generator<void, Query | Update, void> {
  // The grammar accepts an empty text as an update without operations (rule 29). Blank texts are
  // rejected as mistakes; a text of comments only is accepted.
  if (text.trim() === '') {
    throw new WorldsError('INVALID_SPARQL', 'The SPARQL text is empty: write a query or an update.', {
      location: { line: 1, column: 1 },
    });
  }
  try {
    const operation = yield* new OperationParser(yield* scannableText(text), options).operation();
    // Yields once more, so that planning starts in a new time slice.
    yield;
    return operation;
  } catch (error) {
    throw withoutOverflow(error);
  }
}
