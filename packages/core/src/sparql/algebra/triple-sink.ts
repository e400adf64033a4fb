import type { Path, PatternTerm } from './algebra.ts';

/** Receives parsed triples with abbreviations expanded: a pattern or a template. */
export interface TripleSink {
  triple(subject: PatternTerm, predicate: PatternTerm, object: PatternTerm): void;
  /** Called for patterns only: templates have no paths. */
  path(subject: PatternTerm, path: Path, object: PatternTerm): void;
}
