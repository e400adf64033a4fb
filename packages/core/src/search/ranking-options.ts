import { WorldsError } from '../model/worlds-error.ts';
import { DEFAULT_FUSION_K, type FusionMethod } from './rank-fusion.ts';

export interface FusionOptions {
  /** `rrf` by default. */
  readonly method?: FusionMethod;
  /** Reciprocal rank fusion's damping constant, > 0; 60 by default. */
  readonly k?: number;
  /** >= 0; 1 by default. */
  readonly textWeight?: number;
  /** >= 0; 1 by default. */
  readonly vectorWeight?: number;
}

/** How the text and the vector ranking are joined: a method, or more exactly. */
export type Fusion = FusionMethod | FusionOptions;

export type ResolvedFusion = Required<FusionOptions>;

export const DEFAULT_FUSION: ResolvedFusion = { method: 'rrf', k: DEFAULT_FUSION_K, textWeight: 1, vectorWeight: 1 };

/** What is not given is as in `defaults`. Throws INVALID_ARGUMENT for numbers that make no sense. */
export function resolveFusion(fusion: Fusion | undefined, defaults = DEFAULT_FUSION): ResolvedFusion {
  if (fusion === undefined) return defaults;
  const given = typeof fusion === 'string' ? { method: fusion } : fusion;
  const { method = defaults.method, k = defaults.k } = given;
  const { textWeight = defaults.textWeight, vectorWeight = defaults.vectorWeight } = given;
  if (method !== 'rrf' && method !== 'convex') throw wrong(`fusion is ${String(method)}; give rrf or convex.`);
  if (!(k > 0 && Number.isFinite(k))) throw wrong(`fusion.k is ${k}; give a number above 0, 60 when in doubt.`);
  for (const [name, weight] of Object.entries({ textWeight, vectorWeight })) {
    if (!(weight >= 0 && Number.isFinite(weight)))
      throw wrong(`fusion.${name} is ${weight}; give a number of at least 0.`);
  }
  return { method, k, textWeight, vectorWeight };
}

/** Pseudo relevance feedback: the best hits tell what else to look for. */
export interface FeedbackOptions {
  /** How many hits are taken for relevant, 1 to 100; 10 by default. */
  readonly documents?: number;
  /** How many words they add, 1 to 200; 30 by default. */
  readonly terms?: number;
  /** The part of the new query that these are, from 0 to 1; 0.5 by default. */
  readonly weight?: number;
}

export type ResolvedFeedback = Required<FeedbackOptions>;

const DEFAULT_FEEDBACK: ResolvedFeedback = { documents: 10, terms: 30, weight: 0.5 };

/** Undefined for none. Throws INVALID_ARGUMENT for numbers that make no sense. */
export function resolveFeedback(feedback: boolean | FeedbackOptions | undefined): ResolvedFeedback | undefined {
  if (!feedback) return undefined;
  const resolved = feedback === true ? DEFAULT_FEEDBACK : { ...DEFAULT_FEEDBACK, ...feedback };
  const { documents, terms, weight } = resolved;
  if (!(Number.isInteger(documents) && documents >= 1 && documents <= 100))
    throw wrong(`feedback.documents is ${documents}; give an integer from 1 to 100.`);
  if (!(Number.isInteger(terms) && terms >= 1 && terms <= 200))
    throw wrong(`feedback.terms is ${terms}; give an integer from 1 to 200.`);
  if (!(weight >= 0 && weight <= 1)) throw wrong(`feedback.weight is ${weight}; give a number from 0 to 1.`);
  return resolved;
}

function wrong(message: string): WorldsError {
  return new WorldsError('INVALID_ARGUMENT', message);
}
