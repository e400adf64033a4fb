/** What is longer is a text, of which only the beginning is compared. */
const MAX_NAME_LENGTH = 200;

/** Returns a name as names are compared: letter case, accents and punctuation do not count. */
export function plainName(name: string): string {
  return name
    .slice(0, MAX_NAME_LENGTH)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Names are cut to this length before they are compared, which takes the product of both. */
const MAX_COMPARED_LENGTH = 64;

/**
 * Returns how alike two plain names are, from 0 to 1: by the edits that turn one into the other, or
 * by the words that both have, whichever says more.
 */
export function nameSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  const [left, right] = [a.slice(0, MAX_COMPARED_LENGTH), b.slice(0, MAX_COMPARED_LENGTH)];
  const longer = Math.max(left.length, right.length);
  if (longer === 0) return 0;
  const byEdits = 1 - editDistance(left, right) / longer;
  return Math.max(byEdits, sharedWords(left, right));
}

/** The share of the shorter name's words that the longer has: "Ada" in "Ada Lovelace". Below 1. */
function sharedWords(a: string, b: string): number {
  const [few, many] = [a.split(' '), b.split(' ')].sort((x, y) => x.length - y.length);
  const known = new Set(many);
  const shared = few.filter((word) => word.length > 1 && known.has(word)).length;
  if (shared < few.length) return 0;
  return 0.7 + 0.2 * (shared / many.length);
}

/**
 * Optimal string alignment: insertions, deletions, substitutions, and swaps of neighbours (Damerau
 * 1964; the restricted form).
 */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) {
      const isSame = a[i - 1] === b[k - 1];
      let least = Math.min(row[k] + 1, next[k - 1] + 1, row[k - 1] + (isSame ? 0 : 1));
      if (i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1]) least = Math.min(least, before[k - 2] + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[b.length];
}
