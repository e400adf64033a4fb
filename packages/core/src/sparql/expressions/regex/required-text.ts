import type { CodePointSet } from './code-point-set.ts';
import type { RegexNode } from './regex-syntax.ts';

/**
 * A literal, in UTF-8, that occurs in every string that a pattern matches. Searching stored bytes
 * for it rules out most strings before the regular expression runs. Position `i` is `bytes[i]` or
 * `others[i]`: the two differ where a letter matches in both cases.
 */
export interface RequiredText {
  readonly bytes: readonly number[];
  readonly others: readonly number[];
}

/** Minimum length in bytes. A shorter literal occurs in almost every string. */
const MIN_LENGTH = 2;
/** Maximum number of alternatives. Each one costs a search. */
const MAX_ALTERNATIVES = 8;

const encoder = new TextEncoder();

/**
 * Returns literals of which every match of a pattern contains at least one. Returns undefined if
 * there are none, as for `a|.`.
 */
export function requiredTexts(root: RegexNode): readonly RequiredText[] | undefined {
  return textsOf(root);
}

/** How every text begins that a pattern matches. */
export interface FirstTexts {
  /** The text begins with one of these. */
  readonly texts: readonly RequiredText[];
  /** Whether every text that begins so matches. */
  readonly isWhole: boolean;
}

/**
 * Returns what a text must begin with to match a pattern, as for `^(the|an?)`. Returns undefined if
 * the pattern does not begin with `^`, or with a known text after it. `^` must match only at the
 * start of the text, as it does without the flag `m`.
 */
export function firstTexts(root: RegexNode): FirstTexts | undefined {
  const [start, ...parts] = piecesOf(root);
  if (start?.type !== 'start') return undefined;
  const first = beginningOf(parts);
  return first?.texts.every(({ bytes }) => bytes.length > 0) ? first : undefined;
}

/** As {@link firstTexts}, for a sequence; the texts may be empty. */
function beginningOf(parts: readonly RegexNode[]): FirstTexts | undefined {
  const run: { bytes: number[]; others: number[] } = { bytes: [], others: [] };
  let at = 0;
  for (; at < parts.length; at++) {
    const part = parts[at];
    if (part.type !== 'set' || !append(part.set, run)) break;
  }
  const next = parts[at];
  if (next === undefined) return { texts: [run], isWhole: true };
  const body = next.type === 'group' ? next.body : next;
  if (run.bytes.length > 0 || body.type !== 'alternative') return { texts: [run], isWhole: false };
  const options = body.options.map((option) => beginningOf(piecesOf(option)));
  const texts = options.flatMap((option) => option?.texts ?? []);
  if (options.includes(undefined) || texts.length > MAX_ALTERNATIVES) return undefined;
  return { texts, isWhole: at === parts.length - 1 && options.every((option) => option?.isWhole) };
}

function textsOf(node: RegexNode): readonly RequiredText[] | undefined {
  switch (node.type) {
    case 'set':
    case 'sequence':
      return bestOf(piecesOf(node));
    case 'group':
      return textsOf(node.body);
    case 'repeat':
      return node.min > 0 ? textsOf(node.body) : undefined;
    case 'alternative': {
      const all: RequiredText[] = [];
      for (const option of node.options) {
        const texts = textsOf(option);
        if (!texts || all.length + texts.length > MAX_ALTERNATIVES) return undefined;
        all.push(...texts);
      }
      return all;
    }
    default:
      return undefined;
  }
}

/**
 * Returns the maximum number of characters of a match. Returns Infinity if there is none, and for
 * patterns with anchors and back-references: whether these match depends on what is around them.
 */
export function maxCharacters(node: RegexNode): number {
  switch (node.type) {
    case 'set':
      return 1;
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + maxCharacters(part), 0);
    case 'group':
      return maxCharacters(node.body);
    case 'alternative':
      return Math.max(0, ...node.options.map(maxCharacters));
    case 'repeat': {
      const most = maxCharacters(node.body);
      return most === 0 || node.max === 0 ? 0 : most * node.max;
    }
    default:
      return Number.POSITIVE_INFINITY;
  }
}

/** Returns the parts of a sequence, with capturing groups replaced by their contents. */
function piecesOf(node: RegexNode): readonly RegexNode[] {
  if (node.type === 'sequence') return node.parts.flatMap(piecesOf);
  if (node.type === 'group' && node.body.type !== 'alternative') return piecesOf(node.body);
  return [node];
}

/**
 * Returns the most selective literals that the parts of a sequence require: those whose shortest
 * alternative is longest. Adjacent characters form one literal.
 */
function bestOf(parts: readonly RegexNode[]): readonly RequiredText[] | undefined {
  let best: readonly RequiredText[] | undefined;
  let bestLength = MIN_LENGTH - 1;
  const consider = (texts: readonly RequiredText[] | undefined) => {
    if (!texts) return;
    const length = Math.min(...texts.map(({ bytes }) => bytes.length));
    if (length <= bestLength) return;
    best = texts;
    bestLength = length;
  };
  let run: { bytes: number[]; others: number[] } = { bytes: [], others: [] };
  for (const part of parts) {
    if (part.type === 'start' || part.type === 'end') continue;
    if (part.type === 'set' && append(part.set, run)) continue;
    consider([run]);
    run = { bytes: [], others: [] };
    if (part.type !== 'set') consider(textsOf(part));
  }
  consider([run]);
  return best;
}

/**
 * Appends a single character, or a letter in both cases if these have the same number of bytes.
 * Returns false for any other set.
 */
function append(set: CodePointSet, { bytes, others }: { bytes: number[]; others: number[] }): boolean {
  if (set.length === 2 && set[0] === set[1] && !isSurrogate(set[0])) {
    const encoded = encoder.encode(String.fromCodePoint(set[0]));
    bytes.push(...encoded);
    others.push(...encoded);
    return true;
  }
  const isPair = set.length === 4 && set[0] === set[1] && set[2] === set[3];
  if (!isPair || isSurrogate(set[0]) || isSurrogate(set[2])) return false;
  const [one, other] = [set[0], set[2]].map((character) => encoder.encode(String.fromCodePoint(character)));
  if (one.length !== other.length) return false;
  bytes.push(...one);
  others.push(...other);
  return true;
}

/** Lone surrogates have no UTF-8 encoding. */
const isSurrogate = (codePoint: number) => codePoint >= 0xd800 && codePoint <= 0xdfff;
