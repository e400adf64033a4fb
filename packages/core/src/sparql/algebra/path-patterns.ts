import type { Path, PatternTerm, Variable } from './algebra.ts';
import type { TripleSink } from './triple-sink.ts';

/**
 * Translates a property path between two terms (section 18.2.2.4): links, inverses and sequences
 * become triple patterns with fresh variables in between; other paths are kept.
 */
export function addPath(
  sink: TripleSink,
  subject: PatternTerm,
  path: Path,
  object: PatternTerm,
  freshVariable: () => Variable,
): void {
  switch (path.type) {
    case 'link':
      sink.triple(subject, path.iri, object);
      break;
    case 'inverse':
      addPath(sink, object, path.path, subject, freshVariable);
      break;
    case 'sequence': {
      let from = subject;
      const last = path.paths.length - 1;
      path.paths.forEach((step, at) => {
        const to = at === last ? object : freshVariable();
        addPath(sink, from, step, to, freshVariable);
        from = to;
      });
      break;
    }
    default:
      sink.path(subject, path, object);
  }
}
