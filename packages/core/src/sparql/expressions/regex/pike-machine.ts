import { contains } from './code-point-set.ts';
import { OP, type RegexProgram } from './regex-program.ts';
import { MAX_STEPS, tooManySteps } from './step-limit.ts';

const NEWLINE_CODE = 10;

/**
 * The instructions of one position in order of preference; those that read or match with the slots
 * of the way to them.
 */
class ThreadList {
  readonly instructions: Int32Array;
  /** Those of each place behind those of the place before. */
  readonly slots: Int32Array;
  private readonly slotCount: number;
  private readonly where: Uint32Array;
  length = 0;

  constructor(instructionCount: number, slotCount: number) {
    this.instructions = new Int32Array(instructionCount);
    this.where = new Uint32Array(instructionCount);
    this.slotCount = slotCount;
    this.slots = new Int32Array(instructionCount * slotCount);
  }

  has(instruction: number): boolean {
    const at = this.where[instruction];
    return at < this.length && this.instructions[at] === instruction;
  }

  add(instruction: number): number {
    const at = this.length++;
    this.instructions[at] = instruction;
    this.where[instruction] = at;
    return at;
  }

  setSlots(place: number, slots: Int32Array): void {
    this.slots.set(slots, place * this.slotCount);
  }

  copySlots(place: number, into: Int32Array): void {
    const from = place * this.slotCount;
    for (let i = 0; i < this.slotCount; i++) into[i] = this.slots[from + i];
  }
}

/**
 * Finds matches and their groups (Pike's machine): all ways through the program at once, the
 * preferred one first, so that one character costs at most one step for each instruction.
 */
export class PikeMachine {
  /**
   * Counts instructions visited. Set it back before the first `find` of a text: all of them share
   * the limit.
   */
  steps = 0;
  /** Begin and end of the match, then of its groups; -1 for a group that took no part. */
  readonly slots: Int32Array;

  private readonly program: RegexProgram;
  private readonly captureCount: number;
  /** What noting the slots of one way costs, in steps. */
  private readonly slotSteps: number;
  private readonly maxSteps: number;
  private current: ThreadList;
  private next: ThreadList;
  private readonly scratch: Int32Array;
  /** Instructions still to visit, or with `~slot` and the value behind it a slot to set back. */
  private readonly pending: number[] = [];

  /** @param maxSteps for one text; more is LIMIT_EXCEEDED */
  constructor(program: RegexProgram, maxSteps = MAX_STEPS) {
    this.program = program;
    this.maxSteps = maxSteps;
    this.captureCount = 2 * (program.groupCount + 1);
    this.slotSteps = this.captureCount >> 4;
    this.slots = new Int32Array(this.captureCount);
    this.scratch = new Int32Array(this.captureCount);
    this.current = new ThreadList(program.operations.length, this.captureCount);
    this.next = new ThreadList(program.operations.length, this.captureCount);
  }

  /**
   * Finds the leftmost match that begins at `from` or later; of those the preferred one, which
   * `slots` then describes.
   */
  find(text: string, from: number): boolean {
    const { operations, x, sets } = this.program;
    this.current.length = 0;
    let found = false;
    for (let at = from; ; ) {
      if (!found) {
        this.scratch.fill(-1);
        this.follow(this.current, 0, text, at);
      }
      if (this.current.length === 0 && (found || at >= text.length)) return found;
      const codePoint = at < text.length ? text.codePointAt(at)! : -1;
      const after = at + (codePoint > 0xffff ? 2 : 1);
      if (this.steps > this.maxSteps) throw tooManySteps(text);
      this.next.length = 0;
      for (let i = 0; i < this.current.length; i++) {
        const instruction = this.current.instructions[i];
        this.steps += 1;
        if (operations[instruction] === OP.match) {
          // Whoever comes behind is less preferred.
          this.current.copySlots(i, this.slots);
          found = true;
          break;
        }
        if (codePoint >= 0 && operations[instruction] === OP.set && contains(sets[x[instruction]], codePoint)) {
          this.current.copySlots(i, this.scratch);
          this.follow(this.next, instruction + 1, text, after);
        }
      }
      [this.current, this.next] = [this.next, this.current];
      if (codePoint < 0) return found;
      at = after;
    }
  }

  /**
   * Adds what is reached from an instruction without reading, in order of preference, with
   * `scratch` as its slots.
   */
  private follow(list: ThreadList, from: number, text: string, at: number): void {
    const { operations, x, y, multiLine } = this.program;
    const { pending, scratch } = this;
    pending.push(from);
    while (pending.length > 0) {
      const instruction = pending.pop()!;
      if (instruction < 0) {
        scratch[~instruction] = pending.pop()!;
        continue;
      }
      if (list.has(instruction)) continue;
      const place = list.add(instruction);
      this.steps += 1;
      switch (operations[instruction]) {
        case OP.split:
          pending.push(y[instruction], x[instruction]);
          break;
        case OP.jump:
          pending.push(x[instruction]);
          break;
        case OP.save: {
          const slot = x[instruction];
          if (slot < this.captureCount) {
            pending.push(scratch[slot], ~slot);
            scratch[slot] = at;
          }
          pending.push(instruction + 1);
          break;
        }
        case OP.start:
          if (isLineStart(text, at, multiLine)) pending.push(instruction + 1);
          break;
        case OP.end:
          if (isLineEnd(text, at, multiLine)) pending.push(instruction + 1);
          break;
        case OP.progress:
          pending.push(instruction + 1);
          break;
        default:
          this.steps += this.slotSteps;
          list.setSlots(place, scratch);
      }
    }
  }
}

/** F&O 5.6.1.1: a newline that is the last character begins no line. */
export function isLineStart(text: string, at: number, multiLine: boolean): boolean {
  return at === 0 || (multiLine && at < text.length && text.charCodeAt(at - 1) === NEWLINE_CODE);
}

export function isLineEnd(text: string, at: number, multiLine: boolean): boolean {
  return at === text.length || (multiLine && text.charCodeAt(at) === NEWLINE_CODE);
}
