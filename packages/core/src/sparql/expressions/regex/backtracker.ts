import { areCaseVariants } from './case-variants.ts';
import { contains } from './code-point-set.ts';
import { isLineEnd, isLineStart } from './pike-machine.ts';
import { OP, type RegexProgram } from './regex-program.ts';
import { MAX_STEPS, tooManySteps } from './step-limit.ts';

/**
 * Matches patterns with back-references by backtracking. No linear algorithm is known (the problem
 * is NP-complete), so it throws LIMIT_EXCEEDED after {@link MAX_STEPS} steps.
 */
export class Backtracker {
  /** See {@link PikeMachine.steps}. */
  steps = 0;
  /** See {@link PikeMachine.slots}; followed by the slots of loops. */
  readonly slots: Int32Array;

  private readonly program: RegexProgram;
  private readonly ignoreCase: boolean;
  /**
   * Alternatives not tried yet: a position and an instruction, or an old value and `~slot` to
   * restore.
   */
  private readonly pending: number[] = [];

  constructor(program: RegexProgram, ignoreCase: boolean) {
    this.program = program;
    this.ignoreCase = ignoreCase;
    this.slots = new Int32Array(program.slotCount);
  }

  find(text: string, from: number): boolean {
    for (let at = from; at <= text.length; ) {
      if (this.matchesAt(text, at)) return true;
      at += at < text.length && text.codePointAt(at)! > 0xffff ? 2 : 1;
    }
    return false;
  }

  private matchesAt(text: string, from: number): boolean {
    const { operations, x, y, sets, multiLine } = this.program;
    const { pending, slots } = this;
    slots.fill(-1);
    pending.length = 0;
    pending.push(from, 0);
    while (pending.length > 0) {
      let instruction = pending.pop()!;
      let at = pending.pop()!;
      if (instruction < 0) {
        slots[~instruction] = at;
        continue;
      }
      for (let alive = true; alive; ) {
        if (++this.steps > MAX_STEPS) throw tooManySteps(text);
        switch (operations[instruction]) {
          case OP.set: {
            const codePoint = at < text.length ? text.codePointAt(at)! : -1;
            alive = codePoint >= 0 && contains(sets[x[instruction]], codePoint);
            at += codePoint > 0xffff ? 2 : 1;
            break;
          }
          case OP.split:
            pending.push(at, y[instruction]);
            instruction = x[instruction] - 1;
            break;
          case OP.jump:
            instruction = x[instruction] - 1;
            break;
          case OP.save:
            pending.push(slots[x[instruction]], ~x[instruction]);
            slots[x[instruction]] = at;
            break;
          case OP.start:
            alive = isLineStart(text, at, multiLine);
            break;
          case OP.end:
            alive = isLineEnd(text, at, multiLine);
            break;
          case OP.progress:
            alive = slots[x[instruction]] !== at;
            break;
          case OP.backReference: {
            const end = this.endOfRepeat(text, at, x[instruction]);
            alive = end >= 0;
            at = end;
            break;
          }
          default:
            return true;
        }
        instruction += 1;
      }
    }
    return false;
  }

  /**
   * Returns the position after a repetition of a group's text at `at`, or -1. A group without a
   * match counts as empty (F&O 5.6.1).
   */
  private endOfRepeat(text: string, at: number, group: number): number {
    let from = this.slots[2 * group];
    const to = this.slots[2 * group + 1];
    if (from < 0 || to < from) return at;
    while (from < to) {
      this.steps += 1;
      if (at >= text.length) return -1;
      const wanted = text.codePointAt(from)!;
      const actual = text.codePointAt(at)!;
      if (wanted !== actual && !(this.ignoreCase && areCaseVariants(wanted, actual))) return -1;
      from += wanted > 0xffff ? 2 : 1;
      at += actual > 0xffff ? 2 : 1;
    }
    return at;
  }
}
