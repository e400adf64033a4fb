import type { Path, PatternTerm } from './algebra.ts';

/** What triples of a text go to, with their abbreviations spelled out: a pattern or a template. */
export interface TripleSink {
  triple(subject: PatternTerm, predicate: PatternTerm, object: PatternTerm): void;
  /** Only patterns: templates have no paths. */
  path(subject: PatternTerm, path: Path, object: PatternTerm): void;
}
