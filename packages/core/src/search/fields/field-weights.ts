import { resolveNumbers } from '../search-settings.ts';

/**
 * Where a query word may match: in the text itself, a label of its subject, or the local name of
 * the subject or the predicate.
 */
export type SearchField = 'text' | 'label' | 'subject' | 'predicate';

/** Weight of a match in each field, >= 0; in the text it is 1. */
export type FieldWeights = Readonly<Record<Exclude<SearchField, 'text'>, number>>;

/**
 * `true` for the default weights, `false` for the text only, or weights; omitted fields have their
 * default.
 */
export type FieldOptions = boolean | Partial<FieldWeights>;

/**
 * Completes field weights; undefined for the text only. Throws INVALID_ARGUMENT for an invalid
 * weight.
 */
export function fieldWeights(options: FieldOptions | undefined): FieldWeights | undefined {
  if (!options) return undefined;
  const weights = resolveNumbers('fields', options === true ? {} : options);
  return Object.values(weights).some((weight) => weight > 0) ? weights : undefined;
}
