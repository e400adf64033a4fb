import { WorldsError } from '../model/worlds-error.ts';
import type { FusionMethod } from './rank-fusion.ts';
import { resolveNumbers, SEARCH_SETTINGS } from './search-settings.ts';

/**
 * Settings for combining the text and the vector ranking. A weight of 0 ignores a ranking; both 0
 * throw INVALID_ARGUMENT.
 */
export interface FusionOptions {
  /** `adaptive` by default, and `rrf` if `k` is given. */
  readonly method?: FusionMethod | undefined;
  /** Damping constant of reciprocal rank fusion, > 0; 60 by default. */
  readonly k?: number | undefined;
  /** >= 0; 1 by default. */
  readonly textWeight?: number | undefined;
  /** >= 0; 1 by default. */
  readonly vectorWeight?: number | undefined;
}

/** How the text and the vector ranking are combined: a method, or its full settings. */
export type Fusion = FusionMethod | FusionOptions;

export type ResolvedFusion = Required<FusionOptions>;

/**
 * Completes fusion settings from `defaults`, then the standard values. Throws INVALID_ARGUMENT for
 * invalid numbers.
 */
export function resolveFusion(fusion: Fusion | undefined, defaults?: ResolvedFusion): ResolvedFusion {
  if (fusion === undefined && defaults) return defaults;
  const given = typeof fusion === 'string' ? { method: fusion } : (fusion ?? {});
  const { short: methods } = SEARCH_SETTINGS.fusion;
  // Only reciprocal rank fusion has a `k`.
  const { method = given.k !== undefined ? 'rrf' : (defaults?.method ?? methods[0]) } = given;
  if (!methods.includes(method))
    throw new WorldsError('INVALID_ARGUMENT', `fusion is ${String(method)}; pass ${methods.join(' or ')}.`);
  const resolved = { method, ...resolveNumbers('fusion', given, defaults) };
  if (resolved.textWeight === 0 && resolved.vectorWeight === 0)
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'fusion.textWeight and fusion.vectorWeight are both 0; set at least one of them to a number above 0.',
    );
  return resolved;
}

/** Pseudo-relevance feedback: expands the query with words of its best hits. */
export interface FeedbackOptions {
  /** Number of hits assumed to be relevant, 1 to 100; 10 by default. */
  readonly documents?: number | undefined;
  /** Number of words added, 1 to 200; 30 by default. */
  readonly terms?: number | undefined;
  /** Share of the added words in the expanded query, 0 to 1; 0.5 by default. */
  readonly weight?: number | undefined;
}

export type ResolvedFeedback = Required<FeedbackOptions>;

/**
 * Completes feedback settings; returns undefined if feedback is off. Throws INVALID_ARGUMENT for
 * invalid numbers.
 */
export function resolveFeedback(feedback: boolean | FeedbackOptions | undefined): ResolvedFeedback | undefined {
  return feedback ? resolveNumbers('feedback', feedback === true ? {} : feedback) : undefined;
}
