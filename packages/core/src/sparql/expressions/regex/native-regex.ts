import { areDisjoint, type CodePointSet, singleMember } from './code-point-set.ts';
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
  /**
   * Number of unbounded loops that a later failure can re-enter, to go on from a character less.
   */
  readonly loops: number;
  /**
   * Number of unbounded loops that can be re-entered, but not to go on: what follows matches none
   * of the characters that they read.
   */
  readonly closedLoops: number;
  /** Whether a match can begin with a character that an unbounded loop reads. */
  readonly beginsInLoops: boolean;
}

const NO_EFFORT: Effort = { ways: 1, length: 0, loops: 0, closedLoops: 0, beginsInLoops: false };

/**
 * Whether JavaScript's backtracking matcher searches a text for this pattern in linear time, so
 * that it can be used for speed. Proved by counting: from each of n starts it reads at most 1,024
 * characters over all alternatives and without its unbounded loops. A trailing loop is never
 * re-entered, because nothing after it can fail. Of the other loops
 *
 * - either one can be re-entered to go on, and reads each character of its run again with what
 *   follows it; or all are closed, and each character is read at most three times, once by the loop
 *   and once or twice by what follows it;
 * - the pattern is anchored, so there is only one start, or no loop reads a character with which a
 *   match can begin. Then the starts from which a loop reads a given character lie between it and
 *   the first of them, where only the rest of the pattern can have read them: they are at most as
 *   many as its length.
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
  const first = firstOf(root);
  const effort = effortOf(root, { isLast: true, next: undefined, first });
  if (effort === undefined) return undefined;
  const { ways, length, loops, closedLoops, beginsInLoops } = effort;
  let reads = ways * (length + 1);
  if (loops + closedLoops > 0) {
    const hasOneStart = isAnchored(root);
    const startsApart = Array.isArray(first) && !beginsInLoops;
    if (loops > 1 || (loops === 1 && closedLoops > 0) || !(hasOneStart || startsApart)) return undefined;
    if (closedLoops > 0) reads = ways * (length + 3);
    if (!hasOneStart) reads *= length + 1;
  }
  return reads <= MAX_READS ? reads : undefined;
}

/** Where a node stands in its pattern. */
interface Place {
  /** Whether nothing follows it. */
  readonly isLast: boolean;
  /** What follows it; undefined if that is not one set, or may be empty. */
  readonly next: CodePointSet | 'end' | undefined;
  /** What the pattern begins with. */
  readonly first: CodePointSet | 'end' | undefined;
}

/**
 * Returns the set of which a node reads a member first, whatever it matches; `end` for the end of
 * the text; undefined if there is no such set.
 */
function firstOf(node: RegexNode): CodePointSet | 'end' | undefined {
  switch (node.type) {
    case 'set':
      return node.set;
    case 'end':
      return 'end';
    case 'group':
      return firstOf(node.body);
    case 'sequence':
      return node.parts.length > 0 ? firstOf(node.parts[0]) : undefined;
    case 'repeat':
      return node.min > 0 ? firstOf(node.body) : undefined;
    default:
      return undefined;
  }
}

/** Returns undefined if the effort is too large or unknown. */
function effortOf(node: RegexNode, place: Place): Effort | undefined {
  switch (node.type) {
    case 'set':
      return { ...NO_EFFORT, length: 1 };
    case 'start':
    case 'end':
      return NO_EFFORT;
    case 'group':
      return effortOf(node.body, place);
    case 'backReference':
      return undefined;
    case 'sequence': {
      let { ways, length, loops, closedLoops, beginsInLoops } = NO_EFFORT;
      for (const [index, part] of node.parts.entries()) {
        const isLast = index === node.parts.length - 1;
        const here = isLast ? place : { ...place, isLast: false, next: firstOf(node.parts[index + 1]) };
        const effort = effortOf(part, here);
        if (effort === undefined) return undefined;
        ways *= effort.ways;
        length += effort.length;
        loops += effort.loops;
        closedLoops += effort.closedLoops;
        beginsInLoops ||= effort.beginsInLoops;
      }
      return { ways, length, loops, closedLoops, beginsInLoops };
    }
    case 'alternative': {
      let { length, loops, closedLoops, beginsInLoops } = NO_EFFORT;
      let ways = 0;
      for (const option of node.options) {
        const effort = effortOf(option, place);
        if (effort === undefined) return undefined;
        ways += effort.ways;
        length = Math.max(length, effort.length);
        loops += effort.loops;
        closedLoops += effort.closedLoops;
        beginsInLoops ||= effort.beginsInLoops;
      }
      return { ways, length, loops, closedLoops, beginsInLoops };
    }
    case 'repeat':
      return effortOfRepeat(node, place);
  }
}

function effortOfRepeat(
  { body, min, max }: RegexNode & { type: 'repeat' },
  { isLast, next, first }: Place,
): Effort | undefined {
  if (max === Number.POSITIVE_INFINITY) {
    if (body.type !== 'set') return undefined;
    if (isLast) return { ...NO_EFFORT, length: min };
    const isClosed = next === 'end' || (next !== undefined && areDisjoint(body.set, next));
    const beginsInLoops = first === undefined || first === 'end' || !areDisjoint(body.set, first);
    return { ...NO_EFFORT, length: min, loops: isClosed ? 0 : 1, closedLoops: isClosed ? 1 : 0, beginsInLoops };
  }
  // Alternatives and loops inside a repetition are not allowed, except alternatives in one that
  // occurs at most once.
  const effort = effortOf(body, { isLast: false, next: undefined, first });
  if (effort === undefined || effort.loops + effort.closedLoops > 0) return undefined;
  if (max > 1 && effort.ways > 1) return undefined;
  return { ...NO_EFFORT, ways: max > 1 ? max - min + 1 : effort.ways + 1 - min, length: effort.length * max };
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
