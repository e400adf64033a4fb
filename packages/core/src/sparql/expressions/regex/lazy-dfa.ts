import { Alphabet } from './alphabet.ts';
import { OP, type RegexProgram } from './regex-program.ts';
import { MAX_STEPS, READS_PER_STEP, tooManySteps } from './step-limit.ts';

/**
 * Maximum number of cached transitions per pattern, 4 bytes each. When it is reached, the cache is
 * cleared.
 */
const MAX_TRANSITIONS = 1 << 16;
const MIN_STATES = 16;
/** Maximum total number of instructions in the cached states. */
const MAX_KERNEL_TOTAL = 1 << 17;

/** Cost in steps of one instruction in a newly built state. */
const STEPS_PER_INSTRUCTION = 8;

const UNKNOWN = -1;
/** State from which no match is possible. */
const DEAD = 0;
const MATCHED = 1;

/** What precedes a position, as far as anchors depend on it. */
const INSIDE = 0;
const AT_START = 1;
const AFTER_NEWLINE = 2;

/** What follows a position. */
const CHARACTER = 0;
const NEWLINE = 1;
const NOTHING = 2;

const NEWLINE_CODE = 10;

/**
 * Tests whether a text contains a match, in time linear in its length, by subset construction with
 * states built on demand (Cox, "Regular Expression Matching in the Wild"). A state is a set of
 * instructions plus what precedes the position; anchors are resolved once the next character is
 * known.
 */
export class LazyDfa {
  /** Transitions built and followed; tests use it to verify linear time. */
  steps = 0;

  private readonly program: RegexProgram;
  private readonly alphabet: Alphabet;
  private readonly newlineClass: number;
  /** Whether a match can start only at the start of the text. */
  private readonly isAnchored: boolean;
  private readonly maxStates: number;
  private readonly maxSteps: number;

  /** Per state: its instructions, and what precedes the position. */
  private kernels: (readonly number[])[] = [];
  private befores: number[] = [];
  private kernelTotal = 0;
  private readonly numbers = new Map<string, number>();
  private transitions = new Int32Array(0);
  /** Scratch space of `close`. */
  private readonly visited: Uint32Array;
  private visit = 0;

  /** @param maxSteps step limit per text; exceeding it throws LIMIT_EXCEEDED */
  constructor(program: RegexProgram, maxSteps = MAX_STEPS) {
    this.program = program;
    this.maxSteps = maxSteps;
    this.alphabet = new Alphabet(program.sets, program.multiLine);
    this.newlineClass = this.alphabet.classOf(NEWLINE_CODE);
    this.visited = new Uint32Array(program.operations.length);
    this.maxStates = Math.max(MIN_STATES, Math.floor(MAX_TRANSITIONS / this.alphabet.size));
    this.isAnchored = !program.multiLine && this.isDeadEnd(CHARACTER) && this.isDeadEnd(NOTHING);
    this.forget();
  }

  /** Whether an attempt that starts inside a text can neither read on nor match. */
  private isDeadEnd(after: number): boolean {
    return this.close([0], INSIDE, after)?.length === 0;
  }

  test(text: string): boolean {
    const { alphabet } = this;
    const { direct, size } = alphabet;
    let state = this.stateOf([0], AT_START);
    const { length } = text;
    const end = Math.min(length, this.maxSteps * READS_PER_STEP);
    // Building a state takes far longer than following a transition; see `stateOf`.
    const lastStep = this.steps + this.maxSteps / STEPS_PER_INSTRUCTION;
    let { transitions } = this;
    let read = 0;
    for (let i = 0; i < end; i++) {
      let codePoint = text.charCodeAt(i);
      if (codePoint >= 0xd800 && codePoint < 0xdc00 && i + 1 < length) {
        const low = text.charCodeAt(i + 1);
        if ((low & 0xfc00) === 0xdc00) {
          codePoint = (codePoint - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000;
          i += 1;
        }
      }
      const klass = codePoint < 256 ? direct[codePoint] : alphabet.classOf(codePoint);
      read += 1;
      let next = transitions[state * size + klass];
      if (next === UNKNOWN) {
        if (this.steps > lastStep) throw tooManySteps(text);
        next = this.follow(state, klass);
        transitions = this.transitions;
      }
      if (next <= MATCHED) {
        this.steps += read;
        return next === MATCHED;
      }
      state = next;
    }
    this.steps += read;
    if (end < length) throw tooManySteps(text);
    return this.matchesAtEnd(state);
  }

  private matchesAtEnd(state: number): boolean {
    return this.close(this.kernels[state], this.befores[state], NOTHING) === undefined;
  }

  private follow(state: number, klass: number): number {
    const { operations, x } = this.program;
    const isNewline = klass === this.newlineClass;
    const closed = this.close(this.kernels[state], this.befores[state], isNewline ? NEWLINE : CHARACTER);
    if (closed === undefined) return this.remember(state, klass, MATCHED);
    const kernel: number[] = [];
    for (const at of closed) {
      this.steps += 1;
      if (operations[at] === OP.set && this.alphabet.isIn(x[at], klass)) kernel.push(at + 1);
    }
    if (!this.isAnchored) kernel.push(0);
    if (kernel.length === 0) return this.remember(state, klass, DEAD);
    if (this.kernels.length < this.maxStates && this.kernelTotal < MAX_KERNEL_TOTAL) {
      const next = this.stateOf(kernel, isNewline && this.program.multiLine ? AFTER_NEWLINE : INSIDE);
      return this.remember(state, klass, next);
    }
    this.forget();
    return this.stateOf(kernel, isNewline && this.program.multiLine ? AFTER_NEWLINE : INSIDE);
  }

  private remember(state: number, klass: number, next: number): number {
    this.transitions[state * this.alphabet.size + klass] = next;
    return next;
  }

  private forget(): void {
    this.numbers.clear();
    this.kernels = [[], []];
    this.befores = [INSIDE, INSIDE];
    this.kernelTotal = 0;
    this.transitions = new Int32Array(MIN_STATES * this.alphabet.size).fill(UNKNOWN);
  }

  private stateOf(kernel: readonly number[], before: number): number {
    const sorted = [...new Set(kernel)].sort((a, b) => a - b);
    const key = `${before}:${sorted.join()}`;
    let number = this.numbers.get(key);
    if (number !== undefined) return number;
    number = this.kernels.length;
    this.kernels.push(sorted);
    this.befores.push(before);
    this.kernelTotal += sorted.length;
    this.numbers.set(key, number);
    const needed = this.kernels.length * this.alphabet.size;
    if (needed > this.transitions.length) {
      const grown = new Int32Array(Math.max(needed, this.transitions.length * 2)).fill(UNKNOWN);
      grown.set(this.transitions);
      this.transitions = grown;
    }
    return number;
  }

  /**
   * Returns the instructions reachable from a kernel without reading, at a position between
   * `before` and `after`; undefined if they include the match.
   */
  private close(kernel: readonly number[], before: number, after: number): readonly number[] | undefined {
    const { operations, x, y } = this.program;
    const { visited } = this;
    this.visit += 1;
    const closed: number[] = [];
    const pending = [...kernel];
    while (pending.length > 0) {
      const at = pending.pop()!;
      if (visited[at] === this.visit) continue;
      visited[at] = this.visit;
      this.steps += 1;
      switch (operations[at]) {
        case OP.set:
          closed.push(at);
          break;
        case OP.split:
          pending.push(x[at], y[at]);
          break;
        case OP.jump:
          pending.push(x[at]);
          break;
        case OP.start:
          if (isAtStart(before, after)) pending.push(at + 1);
          break;
        case OP.end:
          if (after === NOTHING || (after === NEWLINE && this.program.multiLine)) pending.push(at + 1);
          break;
        case OP.match:
          return undefined;
        default:
          pending.push(at + 1);
      }
    }
    return closed;
  }
}

/**
 * F&O 5.6.1.1, flag `m`: "immediately after a newline character other than a newline that appears
 * as the last character in the input string".
 */
function isAtStart(before: number, after: number): boolean {
  return before === AT_START || (before === AFTER_NEWLINE && after !== NOTHING);
}
