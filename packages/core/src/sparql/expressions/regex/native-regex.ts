import { type CodePointSet, singleMember } from './code-point-set.ts';
import type { RegexNode } from './regex-syntax.ts';

/**
 * Maximum number of characters that a backtracking matcher may read from one start, over all
 * alternatives and without its one unbounded loop.
 */
const MAX_READS = 1024;

/** Worst-case effort of a backtracking matcher for a node. */
interface Effort {
  /** Number of alternatives through it, with unbounded loops counted as one. */
  readonly ways: number;
  /** Maximum number of characters read, without unbounded loops. */
  readonly length: number;
  /** Number of unbounded loops that a later failure can re-enter. */
  readonly loops: number;
}

/**
 * Whether JavaScript's backtracking matcher searches a text for this pattern in linear time, so
 * that it can be used for speed. Proved by counting: from each of n starts it reads at most 1,024
 * characters over all alternatives, and either no loop can be re-entered, or a single one can and
 * the pattern is anchored, so there is only one start. A trailing loop is never re-entered, because
 * nothing after it can fail.
 *
 * Capturing groups then have the same meaning, too. JavaScript resets groups on each iteration of a
 * repetition, but repeated bodies here have a single alternative in which each of their groups
 * takes part.
 */
export function isLinearForBacktracking(root: RegexNode): boolean {
  return readsOfBacktracking(root) !== undefined;
}

/**
 * Returns the maximum number of characters that JavaScript's matcher reads per character of the
 * text, or undefined if there is no such bound.
 */
export function readsOfBacktracking(root: RegexNode): number | undefined {
  const effort = effortOf(root, true);
  if (effort === undefined) return undefined;
  const reads = effort.ways * (effort.length + 1);
  const isLinear = effort.loops === 0 || (effort.loops === 1 && isAnchored(root));
  return isLinear && reads <= MAX_READS ? reads : undefined;
}

/** Returns undefined if the effort is too large or unknown. */
function effortOf(node: RegexNode, isLast: boolean): Effort | undefined {
  switch (node.type) {
    case 'set':
      return { ways: 1, length: 1, loops: 0 };
    case 'start':
    case 'end':
      return { ways: 1, length: 0, loops: 0 };
    case 'group':
      return effortOf(node.body, isLast);
    case 'backReference':
      return undefined;
    case 'sequence': {
      let [ways, length, loops] = [1, 0, 0];
      for (const [index, part] of node.parts.entries()) {
        const effort = effortOf(part, isLast && index === node.parts.length - 1);
        if (effort === undefined) return undefined;
        ways *= effort.ways;
        length += effort.length;
        loops += effort.loops;
      }
      return { ways, length, loops };
    }
    case 'alternative': {
      let [ways, length, loops] = [0, 0, 0];
      for (const option of node.options) {
        const effort = effortOf(option, isLast);
        if (effort === undefined) return undefined;
        ways += effort.ways;
        length = Math.max(length, effort.length);
        loops += effort.loops;
      }
      return { ways, length, loops };
    }
    case 'repeat':
      return effortOfRepeat(node, isLast);
  }
}

function effortOfRepeat({ body, min, max }: RegexNode & { type: 'repeat' }, isLast: boolean): Effort | undefined {
  if (max === Number.POSITIVE_INFINITY)
    return body.type === 'set' ? { ways: 1, length: min, loops: isLast ? 0 : 1 } : undefined;
  // Alternatives and loops inside a repetition are not allowed, except alternatives in one that
  // occurs at most once.
  const effort = effortOf(body, false);
  if (effort === undefined || effort.loops > 0 || (max > 1 && effort.ways > 1)) return undefined;
  return { ways: max > 1 ? max - min + 1 : effort.ways + 1 - min, length: effort.length * max, loops: 0 };
}

function isAnchored(node: RegexNode): boolean {
  switch (node.type) {
    case 'start':
      return true;
    case 'group':
      return isAnchored(node.body);
    case 'sequence':
      return node.parts.length > 0 && isAnchored(node.parts[0]);
    case 'alternative':
      return node.options.every(isAnchored);
    default:
      return false;
  }
}

/**
 * Translates a pattern to JavaScript syntax for the flag `u` only: sets are spelled out, so that no
 * flag, escape or class can change their meaning. Not for multi-line patterns or back-references.
 */
export function nativeSource(node: RegexNode): string {
  // V8 of 2026 (Chromium 156) begins a search for a pattern that ends with `$` too close to the end
  // of the text where a set has characters of two UTF-16 units: /[\u{1f600}-\u{1f601}]$/u does not
  // match what it should. A lookahead means the same, takes longer, and is searched for everywhere.
  return sourceOf(node, hasLongSet(node) ? '(?![^])' : '$');
}

/** Whether a set has members beyond U+FFFF. */
function hasLongSet(node: RegexNode): boolean {
  switch (node.type) {
    case 'set':
      return node.set.length > 0 && node.set[node.set.length - 1] > 0xffff;
    case 'group':
    case 'repeat':
      return hasLongSet(node.body);
    case 'sequence':
      return node.parts.some(hasLongSet);
    case 'alternative':
      return node.options.some(hasLongSet);
    default:
      return false;
  }
}

function sourceOf(node: RegexNode, end: string): string {
  switch (node.type) {
    case 'set':
      return setSource(node.set);
    case 'start':
      return '^';
    case 'end':
      return end;
    case 'group':
      return `(${sourceOf(node.body, end)})`;
    case 'sequence':
      return node.parts
        .map((part) => (part.type === 'alternative' ? `(?:${sourceOf(part, end)})` : sourceOf(part, end)))
        .join('');
    case 'alternative':
      return node.options.map((option) => sourceOf(option, end)).join('|');
    case 'repeat': {
      const max = node.max === Number.POSITIVE_INFINITY ? '' : node.max;
      return `(?:${sourceOf(node.body, end)}){${node.min},${max}}${node.greedy ? '' : '?'}`;
    }
    case 'backReference':
      throw new TypeError('The native matcher does not support back-references.');
  }
}

function setSource(set: CodePointSet): string {
  const single = singleMember(set);
  if (single !== undefined) return codePointSource(single);
  let source = '[';
  for (let i = 0; i < set.length; i += 2) {
    source += codePointSource(set[i]);
    if (set[i + 1] > set[i]) source += `-${codePointSource(set[i + 1])}`;
  }
  return `${source}]`;
}

function codePointSource(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  return /^[A-Za-z0-9 ]$/.test(character) ? character : `\\u{${codePoint.toString(16)}}`;
}
