import { contains, rangesOf } from './code-point-set.ts';
import { OP, type RegexProgram } from './regex-program.ts';
import { MAX_STEPS, READS_PER_STEP, tooManySteps } from './step-limit.ts';

const NEWLINE_CODE = 10;
/** Code units of which it is known whether a match can begin with them. */
const KNOWN_UNITS = 256;

/**
 * The instructions active at one position, in order of preference. Those that read or match carry
 * the slots of their path.
 */
class ThreadList {
  readonly instructions: Int32Array;
  /** Slots by place in the list, concatenated. */
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
 * Finds matches and their groups (Pike's machine). Follows all paths through the program in
 * parallel, in order of preference, so that each character costs at most one step per instruction.
 */
export class PikeMachine {
  /**
   * Instructions visited. Reset it before the first `find` on a text: all searches on it share the
   * limit.
   */
  steps = 0;
  /** Start and end of the match, then of each group; -1 for groups that did not take part. */
  readonly slots: Int32Array;

  private readonly program: RegexProgram;
  private readonly captureCount: number;
  /** Cost in steps of saving the slots of one path. */
  private readonly slotSteps: number;
  private readonly maxSteps: number;
  private current: ThreadList;
  private next: ThreadList;
  private readonly scratch: Int32Array;
  /** Instructions to visit; or an old value and `~slot` to restore. */
  private readonly pending: number[] = [];
  /** By code unit: whether a match can begin with it behind the start of the text. */
  private readonly begins: Uint8Array | undefined;

  /** @param maxSteps step limit per text; exceeding it throws LIMIT_EXCEEDED */
  constructor(program: RegexProgram, maxSteps = MAX_STEPS) {
    this.program = program;
    this.maxSteps = maxSteps;
    this.captureCount = 2 * (program.groupCount + 1);
    this.slotSteps = this.captureCount >> 4;
    this.slots = new Int32Array(this.captureCount);
    this.scratch = new Int32Array(this.captureCount);
    this.current = new ThreadList(program.operations.length, this.captureCount);
    this.next = new ThreadList(program.operations.length, this.captureCount);
    this.begins = unitsThatBegin(program);
  }

  /**
   * Finds the leftmost match that starts at or after `from`, and among those the preferred one.
   * Describes it in `slots`.
   */
  find(text: string, from: number): boolean {
    const { operations, x, sets } = this.program;
    this.current.length = 0;
    let found = false;
    for (let at = from; ; ) {
      if (!found && at > 0 && this.current.length === 0) at = this.nextBegin(text, at);
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
          // The remaining threads are less preferred.
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

  /** Returns the first position, from `at` on, at which a match may begin. */
  private nextBegin(text: string, at: number): number {
    const { begins } = this;
    if (!begins) return at;
    let next = at;
    while (next < text.length) {
      const unit = text.charCodeAt(next);
      if (unit >= KNOWN_UNITS || begins[unit] === 1) break;
      next++;
    }
    this.steps += Math.floor((next - at) / READS_PER_STEP);
    return next;
  }

  /**
   * Adds the instructions reachable without reading, in order of preference, with `scratch` as
   * their slots.
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

/**
 * Returns, by code unit, whether a match that reads it first can begin behind the start of the
 * text. Undefined if a match may read nothing, or begin at the end.
 */
function unitsThatBegin({ operations, x, y, sets, multiLine }: RegexProgram): Uint8Array | undefined {
  const begins = new Uint8Array(KNOWN_UNITS);
  const seen = new Set<number>();
  const pending = [0];
  while (pending.length > 0) {
    const instruction = pending.pop()!;
    if (seen.has(instruction)) continue;
    seen.add(instruction);
    switch (operations[instruction]) {
      case OP.set:
        for (const [first, last] of rangesOf(sets[x[instruction]])) begins.fill(1, first, last + 1);
        break;
      case OP.split:
        pending.push(y[instruction], x[instruction]);
        break;
      case OP.jump:
        pending.push(x[instruction]);
        break;
      case OP.save:
      case OP.progress:
        pending.push(instruction + 1);
        break;
      case OP.start:
        if (multiLine) pending.push(instruction + 1);
        break;
      default:
        return undefined;
    }
  }
  return begins;
}

/** F&O 5.6.1.1: a newline that is the last character does not start a line. */
export function isLineStart(text: string, at: number, multiLine: boolean): boolean {
  return at === 0 || (multiLine && at < text.length && text.charCodeAt(at - 1) === NEWLINE_CODE);
}

export function isLineEnd(text: string, at: number, multiLine: boolean): boolean {
  return at === text.length || (multiLine && text.charCodeAt(at) === NEWLINE_CODE);
}
