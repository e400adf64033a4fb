import type { CodePointSet } from './code-point-set.ts';
import type { RegexNode } from './regex-syntax.ts';

/**
 * A text in UTF-8 that every match of a pattern contains. Each position may have either of two
 * bytes, for letters of both cases.
 */
export interface RequiredText {
  readonly bytes: readonly number[];
  readonly others: readonly number[];
}

/** Shorter texts are in almost every text, and are not worth a search. */
const MIN_LENGTH = 2;
/** Each alternative is searched for by itself. */
const MAX_ALTERNATIVES = 8;

const encoder = new TextEncoder();

/**
 * Returns texts of which every match of a pattern contains at least one; undefined if none are
 * known.
 */
export function requiredTexts(root: RegexNode): readonly RequiredText[] | undefined {
  return textsOf(root);
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

/** The parts of a sequence, with those of groups in it, which only number what they match. */
function piecesOf(node: RegexNode): readonly RegexNode[] {
  if (node.type === 'sequence') return node.parts.flatMap(piecesOf);
  if (node.type === 'group' && node.body.type !== 'alternative') return piecesOf(node.body);
  return [node];
}

/**
 * Returns the best of what the parts of a sequence require: what is longest in its shortest text.
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

/** Appends a character, or a letter of either case; returns false for any other set. */
function append(set: CodePointSet, { bytes, others }: { bytes: number[]; others: number[] }): boolean {
  if (set.length === 2 && set[0] === set[1] && !isSurrogate(set[0])) {
    const encoded = encoder.encode(String.fromCodePoint(set[0]));
    bytes.push(...encoded);
    others.push(...encoded);
    return true;
  }
  const isPair = set.length === 4 && set[0] === set[1] && set[2] === set[3] && set[3] < 0x80;
  if (!isPair) return false;
  bytes.push(set[0]);
  others.push(set[2]);
  return true;
}

/** UTF-8 has no bytes for it. */
const isSurrogate = (codePoint: number) => codePoint >= 0xd800 && codePoint <= 0xdfff;

/** Characters in a lower-case text that may come from others than themselves and A to Z. */
const AMBIGUOUS = /[^\0-\x7f]|[ik]/;

/**
 * Returns a text that every text contains whose lower case contains `needle`; undefined if there is
 * none of use. U+0130 has an `i` in its lower case, and U+212A is a `k`.
 */
export function requiredOfLowerCase(needle: string): RequiredText | undefined {
  const [longest] = needle.split(AMBIGUOUS).sort((one, other) => other.length - one.length);
  if (longest.length < MIN_LENGTH) return undefined;
  return {
    bytes: [...encoder.encode(longest)],
    others: [...encoder.encode(longest.toUpperCase())],
  };
}
