import { WorldsError } from '../../../model/worlds-error.ts';
import { withCaseVariants } from './case-variants.ts';
import { type CodePointSet, codePointSet, complement, EVERY_CODE_POINT, subtract, union } from './code-point-set.ts';
import { unicodeBlock } from './unicode-block.ts';
import { unicodeCategory, wordCharacters } from './unicode-category.ts';

/**
 * A parsed pattern. The flags `i` and `s` are already applied to the sets; `start` and `end` still
 * depend on the flag `m`.
 */
export type RegexNode =
  | { readonly type: 'set'; readonly set: CodePointSet }
  | { readonly type: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly type: 'alternative'; readonly options: readonly RegexNode[] }
  | {
      readonly type: 'repeat';
      readonly body: RegexNode;
      readonly min: number;
      /** Infinity if unbounded. */
      readonly max: number;
      readonly greedy: boolean;
    }
  /** A capturing group, numbered from 1. */
  | { readonly type: 'group'; readonly number: number; readonly body: RegexNode }
  | { readonly type: 'start' }
  | { readonly type: 'end' }
  | { readonly type: 'backReference'; readonly group: number };

export interface RegexFlags {
  /** `s`: `.` matches any character. */
  readonly dotAll: boolean;
  /** `m`: `^` and `$` match at line boundaries. */
  readonly multiLine: boolean;
  /** `i`: ignores case. */
  readonly ignoreCase: boolean;
  /** `x`: ignores whitespace outside of classes. */
  readonly extended: boolean;
  /** `q`: all characters of the pattern are literal. */
  readonly literal: boolean;
}

/** Parses flags (XPath F&O 5.6.1.1). Returns undefined for an unknown flag (err:FORX0001). */
export function parseFlags(flags: string): RegexFlags | undefined {
  if (!/^[smixq]*$/.test(flags)) return undefined;
  // "If q is used together with m, s or x, those flags have no effect."
  const literal = flags.includes('q');
  return {
    dotAll: !literal && flags.includes('s'),
    multiLine: !literal && flags.includes('m'),
    ignoreCase: flags.includes('i'),
    extended: !literal && flags.includes('x'),
    literal,
  };
}

export interface ParsedRegex {
  readonly root: RegexNode;
  readonly groupCount: number;
  readonly hasBackReference: boolean;
}

/** Maximum nesting depth of groups and class subtractions. */
const MAX_DEPTH = 200;

/**
 * Parses a regular expression of XPath F&O 5.6.1: the syntax of XSD 1.1 part 2, appendix G, plus
 * anchors, reluctant quantifiers, capturing and non-capturing groups, and back-references. Returns
 * undefined if it is invalid (err:FORX0002). Throws LIMIT_EXCEEDED if groups nest too deep.
 */
export function parseRegex(pattern: string, flags: RegexFlags): ParsedRegex | undefined {
  return new RegexParser(pattern, flags).parse();
}

/**
 * Thrown only within this file. Each pattern is parsed once, so the cost of an exception does not
 * matter.
 */
class NotAPattern extends Error {}

/** XSD 1.1 part 2, G.4.2.1: single-character escapes, and `\$` of XPath. */
const SINGLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ...[...'\\|.?*+(){}-[]^$'].map((character): [string, string] => [character, character]),
]);

const WHITESPACE = codePointSet([
  [9, 10],
  [13, 13],
  [32, 32],
]);

/** XML 1.1 productions 4 and 4a, the meaning of `\i` and `\c` (XSD 1.1 part 2, G.4.2.5). */
const NAME_START = codePointSet([
  [0x3a, 0x3a],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
  [0xc0, 0xd6],
  [0xd8, 0xf6],
  [0xf8, 0x2ff],
  [0x370, 0x37d],
  [0x37f, 0x1fff],
  [0x200c, 0x200d],
  [0x2070, 0x218f],
  [0x2c00, 0x2fef],
  [0x3001, 0xd7ff],
  [0xf900, 0xfdcf],
  [0xfdf0, 0xfffd],
  [0x10000, 0xeffff],
]);
const NAME_REST = codePointSet([
  [0x2d, 0x2e],
  [0x30, 0x39],
  [0xb7, 0xb7],
  [0x300, 0x36f],
  [0x203f, 0x2040],
]);

/** XSD 1.1 part 2, G.4.2.5: multi-character escapes; upper case denotes the complement. */
const MULTI_ESCAPES: ReadonlyMap<string, () => CodePointSet> = new Map([
  ['s', () => WHITESPACE],
  ['i', () => NAME_START],
  ['c', () => union([NAME_START, NAME_REST])],
  ['d', () => unicodeCategory('Nd')!],
  ['w', wordCharacters],
]);

/** `.` without the flag `s` (XSD 1.1 part 2, G.4.2.5; F&O 3.1 section 5.6.1). */
const NOT_LINE_END = complement(
  codePointSet([
    [10, 10],
    [13, 13],
  ]),
);

/** Characters that must be escaped in a pattern and in a class, respectively. */
const SPECIAL = new Set('.\\?*+{}()|[]^$');
const SPECIAL_IN_CLASS = new Set('\\[]');

const EMPTY: RegexNode = { type: 'sequence', parts: [] };

class RegexParser {
  private readonly characters: readonly string[];
  private readonly flags: RegexFlags;
  private at = 0;
  private depth = 0;
  private groupCount = 0;
  private hasBackReference = false;
  /** Groups that are already closed; only these may be referenced. */
  private readonly closed = new Set<number>();

  constructor(pattern: string, flags: RegexFlags) {
    this.characters = Array.from(pattern);
    this.flags = flags;
  }

  parse(): ParsedRegex | undefined {
    try {
      const root = this.flags.literal ? this.literals() : this.alternative();
      if (this.at < this.characters.length) return undefined;
      return { root, groupCount: this.groupCount, hasBackReference: this.hasBackReference };
    } catch (error) {
      if (error instanceof NotAPattern) return undefined;
      throw error;
    }
  }

  private literals(): RegexNode {
    this.at = this.characters.length;
    return { type: 'sequence', parts: this.characters.map((character) => this.literal(character)) };
  }

  private peek(): string | undefined {
    if (this.flags.extended) while (/^[ \t\r\n]$/.test(this.characters[this.at] ?? '')) this.at += 1;
    return this.characters[this.at];
  }

  private take(character: string): boolean {
    if (this.peek() !== character) return false;
    this.at += 1;
    return true;
  }

  private alternative(): RegexNode {
    const options = [this.sequence()];
    while (this.take('|')) options.push(this.sequence());
    return options.length === 1 ? options[0] : { type: 'alternative', options };
  }

  private sequence(): RegexNode {
    const parts: RegexNode[] = [];
    for (;;) {
      const character = this.peek();
      if (character === undefined || character === '|' || character === ')') break;
      parts.push(this.quantified(this.atom(character)));
    }
    return parts.length === 1 ? parts[0] : parts.length === 0 ? EMPTY : { type: 'sequence', parts };
  }

  private atom(character: string): RegexNode {
    switch (character) {
      case '(':
        return this.group();
      case '[':
        return { type: 'set', set: this.classExpression() };
      case '\\':
        return this.escape();
      case '.':
        this.at += 1;
        return { type: 'set', set: this.flags.dotAll ? EVERY_CODE_POINT : NOT_LINE_END };
      case '^':
        this.at += 1;
        return { type: 'start' };
      case '$':
        this.at += 1;
        return { type: 'end' };
    }
    if (SPECIAL.has(character)) throw new NotAPattern();
    this.at += 1;
    return this.literal(character);
  }

  private literal(character: string): RegexNode {
    return { type: 'set', set: this.folded(singleton(character)) };
  }

  private folded(set: CodePointSet): CodePointSet {
    return this.flags.ignoreCase ? withCaseVariants(set) : set;
  }

  private nest(): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH)
      throw new WorldsError('LIMIT_EXCEEDED', `A pattern nests more than ${MAX_DEPTH} groups or classes.`);
  }

  private group(): RegexNode {
    this.nest();
    this.at += 1;
    // F&O 3.1 section 5.6.1: "non-capturing groups are also recognized".
    const isCapturing = !this.take('?');
    if (!isCapturing && !this.take(':')) throw new NotAPattern();
    const number = isCapturing ? ++this.groupCount : 0;
    const body = this.alternative();
    if (!this.take(')')) throw new NotAPattern();
    this.depth -= 1;
    if (!isCapturing) return body;
    this.closed.add(number);
    return { type: 'group', number, body };
  }

  private quantified(body: RegexNode): RegexNode {
    let min: number;
    let max: number;
    switch (this.peek()) {
      case '?':
        [min, max] = [0, 1];
        this.at += 1;
        break;
      case '*':
        [min, max] = [0, Number.POSITIVE_INFINITY];
        this.at += 1;
        break;
      case '+':
        [min, max] = [1, Number.POSITIVE_INFINITY];
        this.at += 1;
        break;
      case '{':
        this.at += 1;
        [min, max] = this.bounds();
        break;
      default:
        return body;
    }
    const greedy = !this.take('?');
    return { type: 'repeat', body, min, max, greedy };
  }

  private bounds(): [min: number, max: number] {
    const min = this.number();
    let max = min;
    if (this.take(',')) max = this.peek() === '}' ? Number.POSITIVE_INFINITY : this.number();
    if (!this.take('}') || max < min) throw new NotAPattern();
    return [min, max];
  }

  private number(): number {
    let digits = '';
    for (let next = this.peek(); next !== undefined && next >= '0' && next <= '9'; next = this.peek()) {
      digits += next;
      this.at += 1;
    }
    if (digits === '') throw new NotAPattern();
    return Number(digits);
  }

  private escape(): RegexNode {
    const next = this.characters[this.at + 1];
    if (next !== undefined && next >= '1' && next <= '9') return this.backReference();
    return { type: 'set', set: this.escapedSet() };
  }

  /** F&O 5.6.1: further digits belong to the number as long as such a group exists. */
  private backReference(): RegexNode {
    this.at += 1;
    let group = Number(this.characters[this.at]);
    this.at += 1;
    for (;;) {
      const next = this.characters[this.at];
      if (next === undefined || next < '0' || next > '9' || group * 10 + Number(next) > this.groupCount) break;
      group = group * 10 + Number(next);
      this.at += 1;
    }
    // "It is an error if the group does not exist or is not closed yet" (err:FORX0002).
    if (!this.closed.has(group)) throw new NotAPattern();
    this.hasBackReference = true;
    return { type: 'backReference', group };
  }

  /** Parses a single- or multi-character escape, starting at its backslash. */
  private escapedSet(): CodePointSet {
    const single = this.singleEscape();
    if (single !== undefined) return this.folded(singleton(single));
    this.at += 1;
    const name = this.characters[this.at];
    if (name === undefined) throw new NotAPattern();
    this.at += 1;
    if (name === 'p' || name === 'P') {
      const set = this.property();
      return name === 'P' ? complement(set) : set;
    }
    const set = MULTI_ESCAPES.get(name.toLowerCase());
    if (set === undefined) throw new NotAPattern();
    return name === name.toLowerCase() ? set() : complement(set());
  }

  /**
   * Consumes a single-character escape and returns its character. For any other escape, consumes
   * nothing and returns undefined.
   */
  private singleEscape(): string | undefined {
    const character = SINGLE_ESCAPES.get(this.characters[this.at + 1] ?? '');
    if (character !== undefined) this.at += 2;
    return character;
  }

  private property(): CodePointSet {
    const end = this.characters.indexOf('}', this.at);
    if (this.characters[this.at] !== '{' || end < 0) throw new NotAPattern();
    const name = this.characters.slice(this.at + 1, end).join('');
    this.at = end + 1;
    const set = name.startsWith('Is') ? unicodeBlock(name.slice(2)) : unicodeCategory(name);
    if (set === undefined) throw new NotAPattern();
    return set;
  }

  /**
   * XSD 1.1 part 2, G.4.1: `[a-z-[aeiou]]`. Whitespace is significant here even with the flag `x`.
   * Case variants are added before a complement or subtraction, and not to `\p{Lu}` and other
   * properties (F&O 5.6.1.1).
   */
  private classExpression(): CodePointSet {
    this.nest();
    this.at += 1;
    const isNegative = this.takeInClass('^');
    const sets: CodePointSet[] = [];
    let minus: CodePointSet | undefined;
    while (!this.takeInClass(']')) {
      if (this.characters[this.at] === '-' && this.characters[this.at + 1] === '[') {
        if (sets.length === 0) throw new NotAPattern();
        this.at += 1;
        minus = this.classExpression();
        if (!this.takeInClass(']')) throw new NotAPattern();
        break;
      }
      sets.push(this.classPart(sets.length === 0));
    }
    if (sets.length === 0) throw new NotAPattern();
    this.depth -= 1;
    const positive = union(sets);
    const set = isNegative ? complement(positive) : positive;
    return minus === undefined ? set : subtract(set, minus);
  }

  private takeInClass(character: string): boolean {
    if (this.characters[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  /**
   * Parses a character, a character range or a multi-character escape. A hyphen is literal only at
   * either end.
   */
  private classPart(isFirst: boolean): CodePointSet {
    const isHyphen = this.characters[this.at] === '-';
    if (isHyphen && !isFirst && this.characters[this.at + 1] !== ']') throw new NotAPattern();
    const first = this.classCharacter();
    if (first === undefined) return this.escapedSet();
    const next = this.characters[this.at + 1];
    if (this.characters[this.at] !== '-' || next === ']' || next === '[' || next === undefined)
      return this.folded(singleton(first));
    if (isHyphen) throw new NotAPattern();
    this.at += 1;
    const last = this.classCharacter();
    if (last === undefined) throw new NotAPattern();
    const from = first.codePointAt(0)!;
    const to = last.codePointAt(0)!;
    if (from > to) throw new NotAPattern();
    return this.folded([from, to]);
  }

  /** Returns undefined for a multi-character escape. */
  private classCharacter(): string | undefined {
    const character = this.characters[this.at];
    if (character === '\\') return this.singleEscape();
    if (character === undefined || SPECIAL_IN_CLASS.has(character)) throw new NotAPattern();
    this.at += 1;
    return character;
  }
}

function singleton(character: string): CodePointSet {
  const codePoint = character.codePointAt(0)!;
  return [codePoint, codePoint];
}
