import { resolveNumbers } from '../search-settings.ts';

/**
 * Where a word of a query may be found: in the text itself, in a label of its subject, in the local
 * name of the subject, or of the predicate.
 */
export type SearchField = 'text' | 'label' | 'subject' | 'predicate';

/** What a word counts for in each field, >= 0; in the text it counts for 1. */
export type FieldWeights = Readonly<Record<Exclude<SearchField, 'text'>, number>>;

/**
 * `true` for the default weights, `false` for the text alone, or weights; a field that is not given
 * has its default.
 */
export type FieldOptions = boolean | Partial<FieldWeights>;

/** Undefined for the text alone. Throws INVALID_ARGUMENT for a weight that is none. */
export function fieldWeights(options: FieldOptions | undefined): FieldWeights | undefined {
  if (!options) return undefined;
  const weights = resolveNumbers('fields', options === true ? {} : options);
  return Object.values(weights).some((weight) => weight > 0) ? weights : undefined;
}
