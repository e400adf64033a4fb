import type { HitExplanation } from '../search/hit-explanation.ts';
import type { World } from './world.ts';

/**
 * One ranked hit. Terms are their plain values: an IRI, a blank node's label, a literal's lexical
 * form.
 */
export interface TripleSearchResult {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  /** 1-based rank among the vector hits, or null when it is none of them. */
  readonly vecRank: number | null;
  /** 1-based rank among the full-text hits, or null when it is none of them. */
  readonly ftsRank: number | null;
  /** The fused score; higher is better, comparable only within one answer. */
  readonly score: number;
  /** The world that holds the triple. */
  readonly world: World;
  /** Why it is a hit; with `explain: true`. */
  readonly explanation?: HitExplanation;
}
