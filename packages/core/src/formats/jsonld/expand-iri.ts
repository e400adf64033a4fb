import type { IriMeter } from '../iri-meter.ts';
import type { Context } from './context.ts';
import { isKeyword, looksLikeIri, looksLikeKeyword } from './keywords.ts';

export interface IriExpansion {
  /** Resolve against the base IRI. */
  readonly documentRelative?: boolean;
  /** Look up terms and prepend the vocabulary mapping. */
  readonly vocab?: boolean;
}

/** For names of properties and types. */
export const AS_VOCAB: IriExpansion = { vocab: true };
/** For references to nodes. */
export const AS_REFERENCE: IriExpansion = { documentRelative: true };
/** For types, and for references with `@type: @vocab`. */
export const AS_TYPE: IriExpansion = { documentRelative: true, vocab: true };

/**
 * IRI Expansion (JSON-LD 1.1 API section 5.2.2) with a complete context. Steps 3 and 6.3, which
 * define terms of the context being processed, are in `term-definition.ts`. Throws LIMIT_EXCEEDED
 * if the IRI gets too long.
 */
export function expandIri(
  context: Context,
  value: string,
  { documentRelative, vocab }: IriExpansion,
  meter: IriMeter,
): string | null {
  if (isKeyword(value)) return value;
  if (looksLikeKeyword(value)) return null;
  const definition = context.term(value);
  if (definition) {
    if (definition.iri !== null && isKeyword(definition.iri)) return definition.iri;
    if (vocab) return definition.iri;
  }
  const colon = value.indexOf(':', 1);
  if (colon > 0) {
    if ((colon === 1 && value[0] === '_') || value.startsWith('//', colon + 1)) return value;
    const prefix = context.term(value.slice(0, colon));
    if (prefix?.prefix && prefix.iri !== null) return counted(prefix.iri + value.slice(colon + 1), meter);
    if (looksLikeIri(value)) return value;
  }
  if (vocab && context.vocab !== null) return counted(context.vocab + value, meter);
  if (documentRelative && context.base) return counted(context.base.resolve(value), meter);
  return value;
}

function counted(iri: string, meter: IriMeter): string {
  meter.claim(iri);
  return iri;
}
