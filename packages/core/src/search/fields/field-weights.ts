import { WorldsError } from '../../model/worlds-error.ts';

/** Where a word of a query may be found: in the text itself, in a label of its subject, in the local name of the subject, or of the predicate. */
export type SearchField = 'text' | 'label' | 'subject' | 'predicate';

/** What a word counts for in each field, >= 0; in the text it counts for 1. */
export type FieldWeights = Readonly<Record<Exclude<SearchField, 'text'>, number>>;

/** `true` for the default weights, `false` for the text alone, or weights; a field that is not given has its default. */
export type FieldOptions = boolean | Partial<FieldWeights>;

/** A word is worth most where somebody wrote it. */
export const DEFAULT_FIELD_WEIGHTS: FieldWeights = { label: 0.75, subject: 0.5, predicate: 0.5 };

/** Undefined for the text alone. Throws INVALID_ARGUMENT for a weight that is none. */
export function fieldWeights(options: FieldOptions | undefined): FieldWeights | undefined {
  if (!options) return undefined;
  const weights = options === true ? DEFAULT_FIELD_WEIGHTS : { ...DEFAULT_FIELD_WEIGHTS, ...options };
  for (const [field, weight] of Object.entries(weights)) {
    if (!(weight >= 0 && Number.isFinite(weight)))
      throw new WorldsError('INVALID_ARGUMENT', `fields.${field} is ${weight}; give a number of at least 0.`);
  }
  return Object.values(weights).some((weight) => weight > 0) ? weights : undefined;
}
