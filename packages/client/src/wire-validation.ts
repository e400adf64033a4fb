import type { SparqlProblem, SparqlValidation } from '@rdf-worlds/core';

/** The answer to a text with `validate`. */
export interface WireValidation extends Pick<SparqlValidation, 'form' | 'prefixes'> {
  readonly error?: Omit<SparqlProblem, 'location'> & { readonly line?: number; readonly column?: number };
}

export function validationOf({ form, prefixes, error }: WireValidation): SparqlValidation {
  if (!error) return { form, prefixes };
  const { line, column, ...problem } = error;
  const location = line === undefined || column === undefined ? undefined : { line, column };
  return { prefixes, error: location ? { ...problem, location } : problem };
}
