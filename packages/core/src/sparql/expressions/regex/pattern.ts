import { WorldsError } from '../../../model/worlds-error.ts';
import { checkStringLength } from '../string-limit.ts';
import { Backtracker } from './backtracker.ts';
import { singleMember } from './code-point-set.ts';
import { LazyDfa } from './lazy-dfa.ts';
import { nativeSource, readsOfBacktracking } from './native-regex.ts';
import { PikeMachine } from './pike-machine.ts';
import { compileRegex, type RegexProgram } from './regex-program.ts';
import { type ParsedRegex, parseFlags, parseRegex, type RegexFlags, type RegexNode } from './regex-syntax.ts';
import type { Replacement } from './replacement.ts';
import { MAX_STEPS, READS_PER_STEP, tooManySteps } from './step-limit.ts';

/** How many UTF-16 units a pattern may have. */
const MAX_PATTERN_LENGTH = 10_000;

/**
 * How long a text may be for JavaScript's matcher, in UTF-16 units: a loop puts each round on a
 * stack of limited size, and throws at its end.
 */
const MAX_NATIVE_LENGTH = 1 << 20;

/** What one match costs a replacement besides the reading, in steps. */
const STEPS_PER_MATCH = 4;

/** How many compiled patterns are kept for patterns that are computed row by row. */
const CACHE_SIZE = 128;

/**
 * A compiled pattern of REGEX or REPLACE. It is matched by the fastest of several machines that may
 * be used: string search for a literal; JavaScript's own matcher when it is provably linear; a
 * lazily built DFA for tests and Pike's machine for replacements, which are always linear; a
 * backtracking matcher with a limit for back-references.
 */
export class Pattern {
  readonly groupCount: number;
  /** The flag `q`, which makes the replacement literal too. */
  readonly isLiteral: boolean;
  private readonly parsed: ParsedRegex;
  private readonly flags: RegexFlags;
  private readonly tester: (text: string) => boolean;
  private readonly native: RegExp | undefined;
  /** How long a text may be for it: what it reads at worst is within the limit of steps. */
  private readonly nativeLength: number;
  private machine: ((text: string) => boolean) | undefined;
  private program: RegexProgram | undefined;
  private finder: PikeMachine | Backtracker | undefined;
  private empty: boolean | undefined;

  /**
   * `allowNative: false` leaves JavaScript's matcher and string search out: for tests that compare.
   */
  constructor(parsed: ParsedRegex, flags: RegexFlags, { allowNative = true } = {}) {
    this.parsed = parsed;
    this.flags = flags;
    this.groupCount = parsed.groupCount;
    this.isLiteral = flags.literal;
    const reads =
      allowNative && !flags.multiLine && !parsed.hasBackReference ? readsOfBacktracking(parsed.root) : undefined;
    const isNative = reads !== undefined;
    this.nativeLength = isNative ? Math.min(MAX_NATIVE_LENGTH, Math.floor((MAX_STEPS * READS_PER_STEP) / reads)) : 0;
    this.native = isNative ? new RegExp(nativeSource(parsed.root), 'gu') : undefined;
    this.tester = this.makeTester(allowNative, isNative);
  }

  /** Whether a match may take long though the text is short. */
  get backtracks(): boolean {
    return this.parsed.hasBackReference;
  }

  /** Whether the pattern matches somewhere in the text. */
  test(text: string): boolean {
    return this.tester(text);
  }

  /** Whether the pattern matches the empty string, which REPLACE takes for an error. */
  get matchesEmpty(): boolean {
    return (this.empty ??= this.tester(''));
  }

  /**
   * The text with each match replaced, from left to right and without overlaps. Not for patterns
   * that match the empty string.
   *
   * A search is linear, but a pattern like `a(.*b)?` may read to the end for each of many matches;
   * the steps of all searches together have a limit, beyond which this throws LIMIT_EXCEEDED.
   */
  replace(text: string, replacement: Replacement): string {
    return this.native !== undefined && text.length <= this.nativeLength
      ? replaceNatively(text, this.native, replacement)
      : this.replaceByMachine(text, replacement);
  }

  private makeTester(allowNative: boolean, isNative: boolean): (text: string) => boolean {
    const search = allowNative ? literalSearch(this.parsed.root, this.flags.multiLine) : undefined;
    if (search !== undefined) return search;
    if (isNative) {
      const native = new RegExp(nativeSource(this.parsed.root), 'u');
      return (text) => (text.length <= this.nativeLength ? native.test(text) : this.testByMachine(text));
    }
    return this.makeMachine();
  }

  private testByMachine(text: string): boolean {
    this.machine ??= this.makeMachine();
    return this.machine(text);
  }

  private makeMachine(): (text: string) => boolean {
    if (this.parsed.hasBackReference) {
      const backtracker = new Backtracker(this.compiled(), this.flags.ignoreCase);
      return (text) => {
        backtracker.steps = 0;
        return backtracker.find(text, 0);
      };
    }
    const dfa = new LazyDfa(compileRegex(this.parsed.root, 0, { multiLine: this.flags.multiLine }));
    return (text) => dfa.test(text);
  }

  /** The program with its groups. */
  private compiled(): RegexProgram {
    return (this.program ??= compileRegex(this.parsed.root, this.groupCount, { multiLine: this.flags.multiLine }));
  }

  private replaceByMachine(text: string, replacement: Replacement): string {
    this.finder ??= this.parsed.hasBackReference
      ? new Backtracker(this.compiled(), this.flags.ignoreCase)
      : new PikeMachine(this.compiled());
    const { finder } = this;
    finder.steps = 0;
    let result = '';
    let from = 0;
    while (finder.find(text, from)) {
      result += text.slice(from, finder.slots[0]);
      for (const piece of replacement) {
        if (typeof piece === 'string') result += piece;
        else if (finder.slots[2 * piece + 1] >= 0)
          result += text.slice(finder.slots[2 * piece], finder.slots[2 * piece + 1]);
      }
      from = finder.slots[1];
      checkStringLength(result.length);
      finder.steps += STEPS_PER_MATCH + replacement.length;
      if (finder.steps > MAX_STEPS) throw tooManySteps(text);
    }
    return result + text.slice(from);
  }
}

function replaceNatively(text: string, pattern: RegExp, replacement: Replacement): string {
  let result = '';
  let from = 0;
  let steps = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    result += text.slice(from, match.index);
    for (const piece of replacement) result += typeof piece === 'string' ? piece : (match[piece] ?? '');
    from = match.index + match[0].length;
    checkStringLength(result.length);
    steps += STEPS_PER_MATCH + replacement.length;
    if (steps > MAX_STEPS) throw tooManySteps(text);
  }
  return from === 0 ? text : result + text.slice(from);
}

/**
 * A pattern of plain characters, perhaps with an anchor at either end, is a search for a string.
 */
function literalSearch(root: RegexNode, multiLine: boolean): ((text: string) => boolean) | undefined {
  const parts = root.type === 'sequence' ? root.parts : [root];
  const isAnchoredLeft = parts[0]?.type === 'start';
  const isAnchoredRight = parts.length > (isAnchoredLeft ? 1 : 0) && parts[parts.length - 1].type === 'end';
  if (multiLine && (isAnchoredLeft || isAnchoredRight)) return undefined;
  let literal = '';
  for (const part of parts.slice(isAnchoredLeft ? 1 : 0, isAnchoredRight ? -1 : parts.length)) {
    const character = part.type === 'set' ? singleMember(part.set) : undefined;
    if (character === undefined) return undefined;
    literal += String.fromCodePoint(character);
  }
  if (isAnchoredLeft) return isAnchoredRight ? (text) => text === literal : (text) => text.startsWith(literal);
  return isAnchoredRight ? (text) => text.endsWith(literal) : (text) => text.includes(literal);
}

const CACHE = new Map<string, Pattern | null>();

/**
 * Compiles a pattern, or finds it among those compiled lately. Undefined: the pattern or the flags
 * are not well-formed. Throws LIMIT_EXCEEDED when the pattern is too big.
 */
export function compilePattern(pattern: string, flags: string): Pattern | undefined {
  const key = `${flags}/${pattern}`;
  let compiled = CACHE.get(key);
  if (compiled === undefined) {
    compiled = compileNew(pattern, flags);
    if (CACHE.size >= CACHE_SIZE) CACHE.delete(CACHE.keys().next().value!);
  } else CACHE.delete(key);
  // The latest used is the last one.
  CACHE.set(key, compiled);
  return compiled ?? undefined;
}

function compileNew(pattern: string, flags: string): Pattern | null {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new WorldsError(
      'LIMIT_EXCEEDED',
      `A pattern of REGEX or REPLACE has ${pattern.length} characters; ${MAX_PATTERN_LENGTH} is the most.`,
    );
  const parsedFlags = parseFlags(flags);
  const parsed = parsedFlags && parseRegex(pattern, parsedFlags);
  return parsed ? new Pattern(parsed, parsedFlags, {}) : null;
}
