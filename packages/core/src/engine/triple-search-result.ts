import type { HitExplanation } from '../search/hit-explanation.ts';
import type { World } from './world.ts';

/**
 * A ranked search hit. Terms are plain strings: an IRI, a blank node's label, or a literal's
 * lexical form.
 */
export interface TripleSearchResult {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  /** 1-based rank among the vector hits, or null if it is not one of them. */
  readonly vecRank: number | null;
  /** 1-based rank among the full-text hits, or null if it is not one of them. */
  readonly ftsRank: number | null;
  /** Fused score; higher is better. Comparable only within one result list. */
  readonly score: number;
  /** The world that contains the triple. */
  readonly world: World;
  /** Why it matched; only with `explain: true`. */
  readonly explanation?: HitExplanation;
}
