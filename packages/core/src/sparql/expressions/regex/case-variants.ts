import { type CodePointSet, codePointSet, contains, rangesOf } from './code-point-set.ts';
import { codePointsMatching } from './unicode-category.ts';

let variants: ReadonlyMap<number, readonly number[]> | undefined;

/**
 * Returns the case variants of each character. XPath F&O 5.6.1.1, flag `i`: "the characters are
 * case-variants of each other", that is, equal after fn:lower-case or equal after fn:upper-case.
 */
function caseVariants(): ReadonlyMap<number, readonly number[]> {
  if (variants !== undefined) return variants;
  const cased = rangesOf(codePointsMatching('\\p{Changes_When_Casemapped}')).flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i),
  );
  const sharing = new Map<string, number[]>();
  const share = (key: string, codePoint: number) => {
    const members = sharing.get(key);
    if (members) members.push(codePoint);
    else sharing.set(key, [codePoint]);
  };
  for (const codePoint of cased) {
    const character = String.fromCodePoint(codePoint);
    share(`l${character.toLowerCase()}`, codePoint);
    share(`u${character.toUpperCase()}`, codePoint);
  }
  const table = new Map<number, Set<number>>();
  for (const members of sharing.values()) {
    if (members.length < 2) continue;
    for (const member of members) {
      let others = table.get(member);
      if (others === undefined) table.set(member, (others = new Set()));
      for (const other of members) others.add(other);
    }
  }
  variants = new Map([...table].map(([member, others]) => [member, [...others]]));
  return variants;
}

/** Extends a set by the case variants of its members. */
export function withCaseVariants(set: CodePointSet): CodePointSet {
  const added: [number, number][] = [];
  const table = caseVariants();
  // A literal character needs one lookup; a class may contain any cased character.
  if (set.length === 2 && set[0] === set[1]) {
    for (const other of table.get(set[0]) ?? []) added.push([other, other]);
  } else {
    for (const [member, others] of table) {
      if (contains(set, member)) for (const other of others) added.push([other, other]);
    }
  }
  return added.length === 0 ? set : codePointSet([...rangesOf(set), ...added]);
}

/** Whether two code points differ at most in case. */
export function areCaseVariants(a: number, b: number): boolean {
  return a === b || (caseVariants().get(a)?.includes(b) ?? false);
}
