import { Buffer } from '#platform';
import { type CodePointSet, codePointSet, union } from './code-point-set.ts';

/** General categories of XSD 1.1 part 2, G.4.2.2: those of Unicode except surrogates. */
const NAME = /^(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|Z[slp]?|S[mcko]?|C[cfon]?)$/;

const SURROGATES: CodePointSet = [0xd800, 0xdfff];

/** Ranges with assigned characters, which must be searched individually. */
const SEARCHED: readonly (readonly [first: number, last: number])[] = [
  [0x0000, 0xd7ff],
  [0xe000, 0xffff],
  [0x10000, 0x3ffff],
  [0xe0000, 0xeffff],
];
/**
 * Planes of a single category except for their last two code points: unassigned planes and the two
 * private-use planes.
 */
const UNIFORM_PLANES = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16];

/**
 * Returns code points in order, without surrogates. Not cached, because each category needs it only
 * once.
 */
function charactersBetween(first: number, last: number): string {
  const size = last - first + 1;
  if (last <= 0xffff)
    return Buffer.from(Uint16Array.from({ length: size }, (_, i) => first + i).buffer).toString('utf16le');
  const units = new Uint16Array(2 * size);
  for (let i = 0; i < size; i++) {
    units[2 * i] = 0xd800 + ((first + i - 0x10000) >> 10);
    units[2 * i + 1] = 0xdc00 + ((first + i) & 0x3ff);
  }
  return Buffer.from(units.buffer).toString('utf16le');
}

/**
 * Returns the code points of a character class according to JavaScript's tables, which use the same
 * Unicode version as `toUpperCase`. Surrogates are excluded.
 */
export function codePointsMatching(characterClass: string): CodePointSet {
  const ranges: [number, number][] = [];
  const runs = new RegExp(`${characterClass}+`, 'gu');
  for (const [first, last] of SEARCHED) {
    const shift = last > 0xffff ? 1 : 0;
    for (const { index, 0: run } of charactersBetween(first, last).matchAll(runs))
      ranges.push([first + (index >> shift), first + ((index + run.length) >> shift) - 1]);
  }
  const one = new RegExp(`^${characterClass}$`, 'u');
  for (const plane of UNIFORM_PLANES) {
    const start = plane * 0x10000;
    if (one.test(String.fromCodePoint(start))) ranges.push([start, start + 0xfffd]);
    if (one.test(String.fromCodePoint(start + 0xfffe))) ranges.push([start + 0xfffe, start + 0xffff]);
  }
  return codePointSet(ranges);
}

const CATEGORIES = new Map<string, CodePointSet>();

/**
 * Returns the code points of a category such as `Lu` or `L`; undefined if there is no such
 * category.
 */
export function unicodeCategory(name: string): CodePointSet | undefined {
  if (!NAME.test(name)) return undefined;
  let set = CATEGORIES.get(name);
  if (set === undefined) {
    set = codePointsMatching(`\\p{${name}}`);
    // Surrogates are code points without characters, in category Cs, which is part of C.
    if (name === 'C') set = union([set, SURROGATES]);
    CATEGORIES.set(name, set);
  }
  return set;
}

/** XSD 1.1 part 2, G.4.2.5: `[#x0000-#x10FFFF]-[\p{P}\p{Z}\p{C}]`. */
export function wordCharacters(): CodePointSet {
  let set = CATEGORIES.get('\\w');
  if (set === undefined) {
    set = codePointsMatching('[^\\p{P}\\p{Z}\\p{C}]');
    CATEGORIES.set('\\w', set);
  }
  return set;
}
