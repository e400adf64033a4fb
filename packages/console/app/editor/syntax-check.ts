// The parser of the engine itself, bundled from its sources: what is marked here is what the server
// would refuse, in the same words.
import { WorldsError } from '@rdf-worlds/core/remote';
import { prepareOperation } from '../../../core/src/sparql/prepare-operation.ts';

/** What a text asks for. */
export type QueryForm = 'select' | 'ask' | 'construct' | 'describe' | 'update';

/** A mistake in a text; line and column start at 1. */
export interface SyntaxProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export type SyntaxCheck = { readonly form: QueryForm } | { readonly problem: SyntaxProblem };

/** Parses a query or an update. */
export function checkSyntax(text: string, baseIri: string): SyntaxCheck {
  try {
    const operation = prepareOperation(text, { baseIri });
    return { form: operation.type as QueryForm };
  } catch (error) {
    if (!(error instanceof WorldsError)) throw error;
    const { line, column } = error.location ?? { line: 1, column: 1 };
    const message = error.message
      .replace(/^The SPARQL text is not well-formed: /, '')
      .replace(/ \(line \d+, column \d+\)$/, '');
    return { problem: { message, line, column } };
  }
}
