import { rangesOf } from './regex/code-point-set.ts';
import type { RequiredText } from './regex/required-text.ts';
import { codePointsMatching } from './regex/unicode-category.ts';

/** A case mapping that is applied to a text before it is searched. */
export type CaseMap = 'LCASE' | 'UCASE';

/**
 * Where a part may begin and end: inside of what one character becomes, or only between characters.
 * `UCASE("ß")` is "SS", so `CONTAINS(UCASE("ß"), "S")` holds.
 */
export interface Ends {
  readonly startsInside: boolean;
  readonly endsInside: boolean;
}

/** Maximum number of spellings. Each one costs a search. */
const MAX_SPELLINGS = 8;
/** Longer texts are found by a part of them. */
const MAX_CHARACTERS = 64;

/**
 * Characters other than letters of ASCII whose lower or upper case contains such a letter. They
 * suffice for texts in ASCII, and the table of all characters takes milliseconds to make. In order:
 * İ, the Kelvin sign, ı, ſ, ß, ŉ, ǰ, ẖ to ẚ, and the ligatures ﬀ to ﬆ.
 */
const TO_ASCII =
  '\u0130\u212a\u0131\u017f\u00df\u0149\u01f0\u1e96\u1e97\u1e98\u1e99\u1e9a\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06';
const ASCII = /^[\0-\x7f]*$/;

/** The characters from which one case mapping makes others. */
interface Origins {
  /** By character: those that become it, including itself if it stays as it is. */
  readonly of: (character: string) => readonly string[];
  /** Characters that become several characters. */
  readonly longer: readonly (readonly [character: string, result: readonly string[]])[];
}

/**
 * Full mappings of Unicode, as in `fn:lower-case` and `fn:upper-case` (XPath F&O 5.4.7 and 5.4.8).
 */
const MAPPINGS: Readonly<Record<CaseMap, (text: string) => string>> = {
  LCASE: (text) => text.toLowerCase(),
  UCASE: (text) => text.toUpperCase(),
};

function originsIn(characters: Iterable<string>, map: CaseMap): Origins {
  const apply = MAPPINGS[map];
  const singles = new Map<string, string[]>();
  const longer: [string, string[]][] = [];
  for (const character of characters) {
    const result = [...apply(character)];
    if (result.length > 1) longer.push([character, result]);
    else if (result[0] !== character) add(singles, result[0], character);
  }
  // A capital sigma at the end of a word becomes the final form.
  if (map === 'LCASE') add(singles, 'ς', 'Σ');
  const of = (character: string) => [
    ...(apply(character) === character ? [character] : []),
    ...(singles.get(character) ?? []),
  ];
  return { of, longer };
}

function add(lists: Map<string, string[]>, key: string, character: string): void {
  const list = lists.get(key);
  if (list) list.push(character);
  else lists.set(key, [character]);
}

function* asciiOrigins(): Generator<string> {
  for (let code = 0; code < 0x80; code++) yield String.fromCharCode(code);
  yield* TO_ASCII;
}

function* casedCharacters(): Generator<string> {
  for (const [first, last] of rangesOf(codePointsMatching('\\p{Changes_When_Casemapped}')))
    for (let codePoint = first; codePoint <= last; codePoint++) yield String.fromCodePoint(codePoint);
}

const tables = new Map<string, Origins>();

function originsFor(text: string, map: CaseMap): Origins {
  const isAscii = ASCII.test(text);
  const key = `${map} ${isAscii}`;
  let table = tables.get(key);
  if (!table) {
    table = originsIn(isAscii ? asciiOrigins() : casedCharacters(), map);
    tables.set(key, table);
  }
  return table;
}

/**
 * Whether a text's lower or upper case has a part exactly if the text has one of its
 * {@link spellings}. Not so for sigmas: which one a capital becomes depends on what is around it.
 */
export function areSpellingsExact(part: string, map: CaseMap): boolean {
  return map === 'UCASE' || !/[σς]/.test(part);
}

/**
 * Returns the spellings that become a part of a lower-cased or upper-cased text. Returns undefined
 * if there are too many.
 */
export function spellings(part: string, map: CaseMap, ends: Ends): readonly RequiredText[] | undefined {
  if (part.length > 2 * MAX_CHARACTERS) return undefined;
  const characters = [...part];
  return characters.length > MAX_CHARACTERS
    ? undefined
    : spellingsOf(characters, originsFor(part, map), ends, MAX_SPELLINGS);
}

/** A spelling of the rest of a part, from its first character on. */
interface Spelling {
  readonly letter: RequiredText;
  readonly next: Spelling | undefined;
}

function spellingsOf(
  part: readonly string[],
  origins: Origins,
  { startsInside, endsInside }: Ends,
  max: number,
): readonly RequiredText[] | undefined {
  if (part.length === 0) return [{ bytes: [], others: [] }];
  // By position: the spellings of the rest of the part. Undefined stands for the end.
  const rests: (Spelling | undefined)[][] = [];
  rests[part.length] = [undefined];
  for (let at = part.length - 1; at >= 0; at--) {
    const rest: Spelling[] = [];
    const append = (characters: readonly string[], end: number) => {
      for (const letter of letters(characters)) for (const next of rests[end]) rest.push({ letter, next });
    };
    append(origins.of(part[at]), at + 1);
    for (const [character, result] of origins.longer) {
      const end = at + result.length;
      if (isAt(result, part, at, 0) && (end <= part.length || endsInside))
        append([character], Math.min(end, part.length));
    }
    if (rest.length > max) return undefined;
    rests[at] = rest;
  }
  const all = [...rests[0]];
  if (startsInside) {
    for (const [character, result] of origins.longer) {
      for (let skipped = 1; skipped < result.length; skipped++) {
        const end = result.length - skipped;
        if (!isAt(result, part, 0, skipped) || (end > part.length && !endsInside)) continue;
        for (const letter of letters([character]))
          for (const next of rests[Math.min(end, part.length)]) all.push({ letter, next });
      }
    }
  }
  return all.length > max ? undefined : withoutDuplicates(all.map(joined));
}

/** Whether what both have from their positions on is the same. */
function isAt(result: readonly string[], part: readonly string[], at: number, skipped: number): boolean {
  for (let i = skipped; i < result.length && at + i - skipped < part.length; i++) {
    if (result[i] !== part[at + i - skipped]) return false;
  }
  return true;
}

const encoder = new TextEncoder();

/** Pairs characters that differ in one byte: a search tests both together. */
function letters(characters: readonly string[]): readonly RequiredText[] {
  const pairs: { bytes: number[]; others: number[] }[] = [];
  for (const character of characters) {
    const bytes = [...encoder.encode(character)];
    const pair = pairs.find((one) => one.bytes === one.others && differenceOf(one.bytes, bytes) === 1);
    if (pair) pair.others = bytes;
    else pairs.push({ bytes, others: bytes });
  }
  return pairs;
}

function differenceOf(one: readonly number[], other: readonly number[]): number {
  if (one.length !== other.length) return Number.POSITIVE_INFINITY;
  return one.filter((byte, i) => byte !== other[i]).length;
}

function joined(spelling: Spelling | undefined): RequiredText {
  const bytes: number[] = [];
  const others: number[] = [];
  for (let one = spelling; one !== undefined; one = one.next) {
    bytes.push(...one.letter.bytes);
    others.push(...one.letter.others);
  }
  return { bytes, others };
}

function withoutDuplicates(texts: readonly RequiredText[]): readonly RequiredText[] {
  return [...new Map(texts.map((text) => [`${text.bytes} ${text.others}`, text])).values()];
}

/** Which part of a text {@link requiredSpellings} looks at. */
export type PartAt = 'start' | 'end' | 'anywhere';

/**
 * Returns texts of which every text contains at least one whose lower or upper case has a part: the
 * spellings of as much of the part as has few of them. With `at`, the text begins or ends with one.
 */
export function requiredSpellings(part: string, map: CaseMap, at: PartAt): readonly RequiredText[] {
  const whole = [...part.slice(0, 2 * MAX_CHARACTERS)];
  const characters =
    at === 'end' ? [...part.slice(-2 * MAX_CHARACTERS)].slice(-MAX_CHARACTERS) : whole.slice(0, MAX_CHARACTERS);
  const origins = originsFor(characters.join(''), map);
  const of = (first: number, last: number) => {
    const ends = { startsInside: at !== 'start', endsInside: at !== 'end' };
    return spellingsOf(characters.slice(first, last), origins, ends, MAX_SPELLINGS);
  };
  let best: readonly RequiredText[] = [{ bytes: [], others: [] }];
  const consider = (texts: readonly RequiredText[] | undefined) => {
    if (texts && shortest(texts) > shortest(best)) best = texts;
    return texts !== undefined;
  };
  const { length } = characters;
  if (at === 'start') for (let last = 1; last <= length && consider(of(0, last)); last++);
  else if (at === 'end') for (let first = length - 1; first >= 0 && consider(of(first, length)); first--);
  else {
    for (let first = 0, last = 1; last <= length; ) {
      if (consider(of(first, last)) || first === last) last++;
      else first++;
    }
  }
  return best;
}

function shortest(texts: readonly RequiredText[]): number {
  return Math.min(...texts.map(({ bytes }) => bytes.length));
}
