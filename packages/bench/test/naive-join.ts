import type { CursorJoin } from '../src/cursor-join.ts';

/**
 * The solutions of a join over N-Triples lines, counted with nothing but maps: what the joins on
 * cursors are compared with.
 */
export function countNaively(lines: readonly string[], { patterns }: CursorJoin): number {
  const triples = lines.map((line) => {
    const [, subject, predicate, object] = /^<([^>]*)> <([^>]*)> (.*) \.\n$/.exec(line)!;
    return [subject, predicate, object.startsWith('<') ? object.slice(1, -1) : object];
  });
  let solutions: ReadonlyMap<string, string>[] = [new Map()];
  for (const pattern of patterns) {
    const matching = triples.filter((triple) => pattern.every((term, i) => term.startsWith('?') || term === triple[i]));
    const shared = pattern.findIndex((term) => solutions[0]?.has(term));
    const byShared = new Map<string, string[][]>();
    for (const triple of matching) {
      const group = byShared.get(triple[shared]);
      if (group) group.push(triple);
      else byShared.set(triple[shared], [triple]);
    }
    solutions = solutions.flatMap((solution) => {
      const candidates = shared < 0 ? matching : (byShared.get(solution.get(pattern[shared])!) ?? []);
      return candidates.flatMap((triple) => {
        const extended = new Map(solution);
        for (const [i, term] of pattern.entries()) {
          if (!term.startsWith('?')) continue;
          if (extended.has(term) && extended.get(term) !== triple[i]) return [];
          extended.set(term, triple[i]);
        }
        return [extended];
      });
    });
  }
  return solutions.length;
}
