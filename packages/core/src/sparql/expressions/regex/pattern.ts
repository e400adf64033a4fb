import { DEFAULT_REQUEST_LIMITS, type RequestLimits } from '../../../model/request-limits.ts';
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
import { type FirstTexts, firstTexts, maxCharacters, type RequiredText, requiredTexts } from './required-text.ts';
import { MAX_NATIVE_READS, MAX_STEPS, READS_PER_STEP, tooManySteps } from './step-limit.ts';

/** Maximum length of a pattern, in UTF-16 code units. */
const MAX_PATTERN_LENGTH = 10_000;

/**
 * Maximum text length for JavaScript's matcher, in UTF-16 code units. Each loop iteration takes
 * space on a limited stack, and overflowing it throws.
 */
const MAX_NATIVE_LENGTH = 1 << 20;

/** Cost in steps of one match in a replacement, in addition to reading. */
const STEPS_PER_MATCH = 4;

/** What the machines do for one unit of a text, compared with reading it. */
const READS_OF_MACHINES = 32;

/** Number of cached patterns, for patterns computed per row. */
const CACHE_SIZE = 128;

/**
 * A compiled pattern of REGEX or REPLACE. Uses the fastest applicable matcher: string search for
 * literals; JavaScript's matcher if it is provably linear; otherwise the always linear lazy DFA for
 * tests and Pike machine for replacements; for back-references, a backtracker with a step limit.
 */
export class Pattern {
  readonly groupCount: number;
  /** Flag `q`, which makes the replacement literal, too. */
  readonly isLiteral: boolean;
  private readonly parsed: ParsedRegex;
  private readonly flags: RegexFlags;
  private readonly tester: (text: string) => boolean;
  private readonly native: RegExp | undefined;
  /**
   * Maximum text length for the native matcher, so that its worst case stays within the step limit.
   */
  private readonly nativeLength: number;
  /** Most reads of the native matcher for one unit of the text. */
  private readonly nativeReads: number;
  private machine: ((text: string) => boolean) | undefined;
  private program: RegexProgram | undefined;
  private finder: PikeMachine | Backtracker | undefined;
  private empty: boolean | undefined;

  /**
   * @param allowNative false disables JavaScript's matcher and string search, for differential
   *   tests
   */
  constructor(parsed: ParsedRegex, flags: RegexFlags, { allowNative = true } = {}) {
    this.parsed = parsed;
    this.flags = flags;
    this.groupCount = parsed.groupCount;
    this.isLiteral = flags.literal;
    const reads =
      allowNative && !flags.multiLine && !parsed.hasBackReference ? readsOfBacktracking(parsed.root) : undefined;
    const isNative = reads !== undefined;
    this.nativeReads = reads ?? 0;
    this.nativeLength = isNative ? Math.min(MAX_NATIVE_LENGTH, Math.floor(MAX_NATIVE_READS / reads)) : 0;
    this.native = isNative ? new RegExp(nativeSource(parsed.root), 'gu') : undefined;
    this.tester = this.makeTester(allowNative, isNative);
  }

  /** Whether matching may take long even for a short text. */
  get backtracks(): boolean {
    return this.parsed.hasBackReference;
  }

  /** An upper bound for the cost of matching a text, in reads of one UTF-16 unit. */
  readsOf(text: string): number {
    if (this.backtracks) return MAX_STEPS * READS_PER_STEP;
    return this.native !== undefined && text.length <= this.nativeLength
      ? this.nativeReads * text.length
      : READS_OF_MACHINES * text.length;
  }

  /** Texts of which every match contains at least one; undefined if none are known. */
  get requiredTexts(): readonly RequiredText[] | undefined {
    return requiredTexts(this.parsed.root);
  }

  /** What every matching text begins with; undefined if that is not known. */
  get firstTexts(): FirstTexts | undefined {
    return this.flags.multiLine ? undefined : firstTexts(this.parsed.root);
  }

  /**
   * The maximum number of characters of a match; Infinity if there is none, or if whether they
   * match depends on what is around them.
   */
  get maxCharacters(): number {
    return maxCharacters(this.parsed.root);
  }

  /** Returns whether the pattern matches anywhere in the text. */
  test(text: string): boolean {
    return this.tester(text);
  }

  /** Whether the pattern matches the empty string, which is an error in REPLACE. */
  get matchesEmpty(): boolean {
    return (this.empty ??= this.tester(''));
  }

  /**
   * Replaces each match, from left to right without overlaps. Not for patterns that match the empty
   * string.
   *
   * One search is linear, but a pattern like `a(.*b)?` may read to the end of the text for each of
   * many matches. The steps of all searches together are therefore limited; exceeding the limit
   * throws LIMIT_EXCEEDED.
   */
  replace(text: string, replacement: Replacement, limits: RequestLimits = DEFAULT_REQUEST_LIMITS): string {
    return this.native !== undefined && text.length <= this.nativeLength
      ? replaceNatively(text, this.native, replacement, limits)
      : this.replaceByMachine(text, replacement, limits);
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
    const program = compileRegex(this.parsed.root, 0, { multiLine: this.flags.multiLine });
    let dfa: LazyDfa | undefined;
    return (text) => {
      dfa ??= new LazyDfa(program);
      return dfa.test(text);
    };
  }

  /** Returns the program with capturing groups. */
  private compiled(): RegexProgram {
    return (this.program ??= compileRegex(this.parsed.root, this.groupCount, { multiLine: this.flags.multiLine }));
  }

  private replaceByMachine(text: string, replacement: Replacement, limits: RequestLimits): string {
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
        checkStringLength(result.length, limits);
      }
      from = finder.slots[1];
      finder.steps += STEPS_PER_MATCH + replacement.length;
      if (finder.steps > MAX_STEPS) throw tooManySteps(text);
    }
    return result + text.slice(from);
  }
}

function replaceNatively(text: string, pattern: RegExp, replacement: Replacement, limits: RequestLimits): string {
  let result = '';
  let from = 0;
  let steps = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    result += text.slice(from, match.index);
    for (const piece of replacement) {
      result += typeof piece === 'string' ? piece : (match[piece] ?? '');
      checkStringLength(result.length, limits);
    }
    from = match.index + match[0].length;
    steps += STEPS_PER_MATCH + replacement.length;
    if (steps > MAX_STEPS) throw tooManySteps(text);
  }
  return from === 0 ? text : result + text.slice(from);
}

/**
 * Returns a string search for a pattern of plain characters with optional anchors at both ends;
 * undefined for any other pattern.
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
 * Compiles a pattern or returns it from an LRU cache. Returns undefined if the pattern or the flags
 * are invalid. Throws LIMIT_EXCEEDED if the pattern is too large.
 */
export function compilePattern(pattern: string, flags: string): Pattern | undefined {
  const key = `${flags}/${pattern}`;
  let compiled = CACHE.get(key);
  if (compiled === undefined) {
    compiled = compileNew(pattern, flags);
    if (CACHE.size >= CACHE_SIZE) CACHE.delete(CACHE.keys().next().value!);
  } else CACHE.delete(key);
  // Re-inserted at the end, the most recently used position.
  CACHE.set(key, compiled);
  return compiled ?? undefined;
}

/** Throws LIMIT_EXCEEDED if a pattern is too long to be compiled. */
export function checkPatternLength({ length }: string): void {
  if (length > MAX_PATTERN_LENGTH)
    throw new WorldsError(
      'LIMIT_EXCEEDED',
      `A pattern of REGEX or REPLACE has ${length} characters; the maximum is ${MAX_PATTERN_LENGTH}.`,
    );
}

function compileNew(pattern: string, flags: string): Pattern | null {
  checkPatternLength(pattern);
  const parsedFlags = parseFlags(flags);
  const parsed = parsedFlags && parseRegex(pattern, parsedFlags);
  return parsed ? new Pattern(parsed, parsedFlags, {}) : null;
}
