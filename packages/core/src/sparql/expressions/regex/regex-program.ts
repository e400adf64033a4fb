import { WorldsError } from '../../../model/worlds-error.ts';
import type { CodePointSet } from './code-point-set.ts';
import type { RegexNode } from './regex-syntax.ts';

/** Instructions of compiled patterns, with their operands `x` and `y`. */
export const OP = {
  /** Reads one code point from set `x`. */
  set: 0,
  /** Continues at `x` or, if that fails, at `y`. */
  split: 1,
  jump: 2,
  /**
   * Saves the position in slot `x`. Slots 2n and 2n + 1 are the start and end of group n; the
   * following slots belong to loops.
   */
  save: 3,
  start: 4,
  end: 5,
  /** Matches the text of group `x` again. */
  backReference: 6,
  /**
   * Fails if the position equals slot `x`, which means an empty iteration. Only the backtracking
   * matcher needs it.
   */
  progress: 7,
  match: 8,
} as const;

/** An NFA as a program (Thompson 1968, in the form of Pike and Cox). Starts at instruction 0. */
export interface RegexProgram {
  readonly operations: Uint8Array;
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** Distinct sets, by the number that `set` instructions use. */
  readonly sets: readonly CodePointSet[];
  readonly slotCount: number;
  readonly groupCount: number;
  readonly multiLine: boolean;
}

/**
 * Maximum number of instructions, with counted repetitions expanded. The worst-case time is this
 * times the length of the text.
 */
export const MAX_INSTRUCTIONS = 2000;

/** Maximum number of captured groups. */
const MAX_CAPTURES = 100;

/**
 * Compiles a parsed pattern; `groupCount` 0 omits its groups. Throws LIMIT_EXCEEDED if it is too
 * large.
 */
export function compileRegex(root: RegexNode, groupCount: number, options: { multiLine: boolean }): RegexProgram {
  if (groupCount > MAX_CAPTURES)
    throw new WorldsError(
      'LIMIT_EXCEEDED',
      `A pattern has ${groupCount} groups; the maximum with REPLACE or back-references is ${MAX_CAPTURES}. Write (?: for groups that nothing refers to.`,
    );
  return new RegexCompiler(groupCount).compile(root, options.multiLine);
}

class RegexCompiler {
  private readonly operations: number[] = [];
  private readonly x: number[] = [];
  private readonly y: number[] = [];
  private readonly sets: CodePointSet[] = [];
  private readonly setNumbers = new Map<string, number>();
  private readonly groupCount: number;
  private slotCount: number;

  constructor(groupCount: number) {
    this.groupCount = groupCount;
    this.slotCount = 2 * (groupCount + 1);
  }

  compile(root: RegexNode, multiLine: boolean): RegexProgram {
    this.emit(OP.save, 0);
    this.node(root);
    this.emit(OP.save, 1);
    this.emit(OP.match);
    return {
      operations: Uint8Array.from(this.operations),
      x: Int32Array.from(this.x),
      y: Int32Array.from(this.y),
      sets: this.sets,
      slotCount: this.slotCount,
      groupCount: this.groupCount,
      multiLine,
    };
  }

  private emit(operation: number, x = 0, y = 0): number {
    if (this.operations.length >= MAX_INSTRUCTIONS)
      throw new WorldsError(
        'LIMIT_EXCEEDED',
        `A pattern of REGEX or REPLACE is too large: written out, its repetitions make more than ${MAX_INSTRUCTIONS} steps. Use smaller counts, or * and +.`,
      );
    this.operations.push(operation);
    this.x.push(x);
    this.y.push(y);
    return this.operations.length - 1;
  }

  private node(node: RegexNode): void {
    switch (node.type) {
      case 'set':
        this.emit(OP.set, this.setNumber(node.set));
        break;
      case 'sequence':
        for (const part of node.parts) this.node(part);
        break;
      case 'alternative':
        this.alternative(node.options);
        break;
      case 'repeat':
        this.repeat(node);
        break;
      case 'group':
        if (this.groupCount > 0) this.emit(OP.save, 2 * node.number);
        this.node(node.body);
        if (this.groupCount > 0) this.emit(OP.save, 2 * node.number + 1);
        break;
      case 'start':
        this.emit(OP.start);
        break;
      case 'end':
        this.emit(OP.end);
        break;
      case 'backReference':
        this.emit(OP.backReference, node.group);
        break;
    }
  }

  private setNumber(set: CodePointSet): number {
    const key = set.join();
    let number = this.setNumbers.get(key);
    if (number === undefined) {
      number = this.sets.length;
      this.sets.push(set);
      this.setNumbers.set(key, number);
    }
    return number;
  }

  private alternative(options: readonly RegexNode[]): void {
    const jumps: number[] = [];
    for (const [index, option] of options.entries()) {
      if (index === options.length - 1) {
        this.node(option);
        break;
      }
      const split = this.emit(OP.split);
      this.x[split] = this.operations.length;
      this.node(option);
      jumps.push(this.emit(OP.jump));
      this.y[split] = this.operations.length;
    }
    for (const jump of jumps) this.x[jump] = this.operations.length;
  }

  private repeat({ body, min, max, greedy }: RegexNode & { type: 'repeat' }): void {
    for (let i = 0; i < min; i++) {
      const before = this.operations.length;
      this.node(body);
      // A body that emits no instructions emits none however often it is repeated.
      if (this.operations.length === before) return;
    }
    if (max === Number.POSITIVE_INFINITY) this.loop(body, greedy);
    else this.options(body, max - min, greedy);
  }

  private loop(body: RegexNode, greedy: boolean): void {
    const split = this.emit(OP.split);
    const entry = this.operations.length;
    const slot = canBeEmpty(body) ? this.slotCount++ : -1;
    if (slot >= 0) this.emit(OP.save, slot);
    this.node(body);
    if (slot >= 0) this.emit(OP.progress, slot);
    this.emit(OP.jump, split);
    this.branch(split, entry, this.operations.length, greedy);
  }

  private options(body: RegexNode, count: number, greedy: boolean): void {
    const splits: number[] = [];
    for (let i = 0; i < count; i++) {
      splits.push(this.emit(OP.split));
      this.node(body);
    }
    for (const split of splits) this.branch(split, split + 1, this.operations.length, greedy);
  }

  private branch(split: number, inside: number, outside: number, greedy: boolean): void {
    this.x[split] = greedy ? inside : outside;
    this.y[split] = greedy ? outside : inside;
  }
}

function canBeEmpty(node: RegexNode): boolean {
  switch (node.type) {
    case 'set':
      return false;
    case 'sequence':
      return node.parts.every(canBeEmpty);
    case 'alternative':
      return node.options.some(canBeEmpty);
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.body);
    case 'group':
      return canBeEmpty(node.body);
    default:
      return true;
  }
}
