import { WorldsError } from '../model/worlds-error.ts';
import type { FusionMethod } from './rank-fusion.ts';
import { resolveNumbers, SEARCH_SETTINGS } from './search-settings.ts';

export interface FusionOptions {
  /** `rrf` by default. */
  readonly method?: FusionMethod | undefined;
  /** Reciprocal rank fusion's damping constant, > 0; 60 by default. */
  readonly k?: number | undefined;
  /** >= 0; 1 by default. */
  readonly textWeight?: number | undefined;
  /** >= 0; 1 by default. */
  readonly vectorWeight?: number | undefined;
}

/** How the text and the vector ranking are joined: a method, or more exactly. */
export type Fusion = FusionMethod | FusionOptions;

export type ResolvedFusion = Required<FusionOptions>;

/**
 * What is not given is as in `defaults`. Throws INVALID_ARGUMENT for numbers that make no sense.
 */
export function resolveFusion(fusion: Fusion | undefined, defaults?: ResolvedFusion): ResolvedFusion {
  if (fusion === undefined && defaults) return defaults;
  const given = typeof fusion === 'string' ? { method: fusion } : (fusion ?? {});
  const { short: methods } = SEARCH_SETTINGS.fusion;
  const { method = defaults?.method ?? methods[0] } = given;
  if (!methods.includes(method))
    throw new WorldsError('INVALID_ARGUMENT', `fusion is ${String(method)}; give ${methods.join(' or ')}.`);
  const resolved = { method, ...resolveNumbers('fusion', given, defaults) };
  if (resolved.textWeight === 0 && resolved.vectorWeight === 0)
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'fusion.textWeight and fusion.vectorWeight are both 0, so nothing counts; give one of them a number above 0.',
    );
  return resolved;
}

/** Pseudo relevance feedback: the best hits tell what else to look for. */
export interface FeedbackOptions {
  /** How many hits are taken for relevant, 1 to 100; 10 by default. */
  readonly documents?: number | undefined;
  /** How many words they add, 1 to 200; 30 by default. */
  readonly terms?: number | undefined;
  /** The part of the new query that these are, from 0 to 1; 0.5 by default. */
  readonly weight?: number | undefined;
}

export type ResolvedFeedback = Required<FeedbackOptions>;

/** Undefined for none. Throws INVALID_ARGUMENT for numbers that make no sense. */
export function resolveFeedback(feedback: boolean | FeedbackOptions | undefined): ResolvedFeedback | undefined {
  return feedback ? resolveNumbers('feedback', feedback === true ? {} : feedback) : undefined;
}
