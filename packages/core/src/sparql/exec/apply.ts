import { newColumn } from '../../contracts/new-column.ts';
import { NO_TERM } from '../../contracts/term-source.ts';
import { expressionText } from '../explain/algebra-text.ts';
import { Batch, columnsBySlot, gatherRows, NO_BATCH, NO_ROWS, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import type { Operator, PlanNames } from './operator.ts';
import { Pace } from './pace.ts';
import { ProbeJoin } from './probe-join.ts';
import { resumed } from './resumed.ts';
import { MAY_SUSPEND, type RowTest } from './row-function.ts';
import { SlotSet, unionOf } from './slot-set.ts';

/** What happens to outer rows with and without a match. */
export type ApplyKind = 'inner' | 'left' | 'semi' | 'anti' | 'mark';

/**
 * Leaf of a correlated subplan: yields the outer rows for which {@link Apply} currently runs it.
 */
export class Seed implements Operator {
  readonly name = 'seed';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs = [];
  /** Slot that holds the 1-based row number. */
  readonly rowSlot: number;

  /** @param isRead selects the outer slots that the subplan reads; all if omitted */
  constructor(outer: Operator, rowSlot: number, isRead?: (slot: number) => boolean) {
    this.slots = (isRead ? outer.slots.filter(isRead) : outer.slots).concat(rowSlot);
    this.certain = (isRead ? SlotSet.of(this.slots, (slot) => outer.certain.has(slot)) : outer.certain).with([rowSlot]);
    this.estimate = outer.estimate;
    this.rowSlot = rowSlot;
  }

  detail(names: PlanNames): string {
    return this.slots
      .filter((slot) => slot !== this.rowSlot)
      .map(names.variable)
      .join(' ');
  }

  *run(execution: Execution): Stream {
    const seeded = execution.seeds.get(this);
    if (seeded && seeded.rows.length > 0) yield seeded.rows;
  }
}

/**
 * Runs a correlated subplan for each batch of its input: OPTIONAL, EXISTS and parts of a group by
 * index lookups, without evaluating their pattern as a whole. The subplan passes the row number
 * through, which tells which rows found a match. `mark` keeps all rows and adds a boolean that
 * tells whether they matched.
 */
export class Apply implements Operator {
  readonly name: string;
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator, Operator];
  readonly kind: ApplyKind;
  private readonly seed: Seed;
  private readonly condition: RowTest | undefined;
  /** Slot of the boolean; -1 unless the kind is `mark`. */
  private readonly markSlot: number;

  constructor(
    outer: Operator,
    seed: Seed,
    part: Operator,
    kind: ApplyKind,
    { condition, markSlot = -1 }: { readonly condition?: RowTest; readonly markSlot?: number } = {},
  ) {
    this.name = `apply (${kind})`;
    this.inputs = [outer, part];
    this.kind = kind;
    this.seed = seed;
    this.condition = condition;
    this.markSlot = markSlot;
    const partSlots = part.slots.filter((slot) => slot !== seed.rowSlot);
    const marks = kind === 'mark' ? [markSlot] : [];
    const givesPart = kind === 'left' || kind === 'inner';
    this.slots = givesPart ? unionOf(outer.slots, partSlots) : outer.slots.concat(marks);
    this.certain =
      kind === 'inner' ? outer.certain.with(partSlots, (slot) => part.certain.has(slot)) : outer.certain.with(marks);
    this.estimate = estimateOf(kind, outer.estimate, part.estimate);
  }

  detail(): string {
    return this.condition ? `if ${expressionText(this.condition.expression)}` : '';
  }

  /**
   * Returns a function that does the work for a batch whose rows have at most one match of a single
   * pattern each, such as a property of a subject: its object is all that there is to know of it.
   * The function returns undefined for other batches.
   */
  private lookUp(execution: Execution): ((rows: Batch) => Batch | undefined) | undefined {
    const { kind, slots, seed, markSlot } = this;
    const [outer, part] = this.inputs;
    if (!(part instanceof ProbeJoin) || part.inputs[0] !== seed || this.condition || kind === 'inner') return undefined;
    const lookup = part.lookup(execution);
    if (!lookup) return undefined;
    const given = SlotSet.of(outer.slots);
    const added = kind === 'mark' ? markSlot : part.objectSlot;
    let objects = NO_ROWS;
    let chosen = NO_ROWS;
    let output = NO_BATCH;
    return (rows) => {
      if (objects.length < rows.length) objects = newColumn(rows.capacity);
      const count = execution.call(part, rows.length, () => lookup(rows, objects));
      if (count === undefined) return undefined;
      if (kind === 'left' || kind === 'mark') {
        if (kind === 'mark')
          for (let row = 0; row < rows.length; row++) objects[row] = execution.booleanId(objects[row] !== NO_TERM);
        const columns = columnsBySlot(slots, (slot) => {
          const column = given.has(slot) ? rows.columns[slot] : undefined;
          return column ?? (slot === added ? objects : undefined);
        });
        const whole = new Batch(columns, rows.capacity);
        whole.length = rows.length;
        return whole;
      }
      const isSemi = kind === 'semi';
      if (count === (isSemi ? rows.length : 0)) return rows;
      if (chosen.length < rows.length) {
        chosen = newColumn(roomFor(rows.length));
        output = Batch.withSlots(slots, chosen.length);
      }
      let kept = 0;
      for (let row = 0; row < rows.length; row++) {
        chosen[kept] = row;
        if ((objects[row] !== NO_TERM) === isSemi) kept++;
      }
      gatherRows(slots, rows, chosen, output, 0, kept);
      output.length = kept;
      return output;
    };
  }

  *run(execution: Execution): Stream {
    const [outer, part] = this.inputs;
    const { rowSlot } = this.seed;
    const capacity = execution.batchRows;
    // Buffers are sized by the actual rows: in a chain of OPTIONALs, each operator has the slots of
    // all previous ones.
    let numbers = NO_ROWS;
    let matched = new Uint8Array(0);
    let chosen = NO_ROWS;
    let output = new Batch([], 0);
    const room = (rows: number): Batch => {
      if (output.capacity < rows) output = Batch.withSlots(this.slots, roomFor(rows));
      output.length = rows;
      return output;
    };
    const condition = this.condition?.start(execution, MAY_SUSPEND);
    const pace = new Pace(execution);
    const added = SlotSet.of(outer.slots).outside(this.slots);
    const lookUp = this.lookUp(execution);

    for (const all of execution.run(outer)) {
      if (isPause(all)) {
        yield PAUSE;
        continue;
      }
      // Input batches may be longer than this run's batch size.
      for (let start = 0; start < all.length; start += capacity) {
        if (execution.pauseDue) yield PAUSE;
        const rows = sliceOf(all, outer.slots, start, Math.min(start + capacity, all.length));
        const looked = lookUp?.(rows);
        if (looked) {
          if (looked.length > 0) yield looked;
          continue;
        }
        if (numbers.length < rows.length) {
          numbers = newColumn(roomFor(rows.length));
          for (let row = 0; row < numbers.length; row++) numbers[row] = row + 1;
          matched = new Uint8Array(numbers.length + 1);
        }
        const columns = [...rows.columns];
        while (columns.length <= rowSlot) columns.push(undefined);
        columns[rowSlot] = numbers;
        const numbered = new Batch(columns, rows.length);
        numbered.length = rows.length;
        matched.fill(0);
        // For rows that are kept or dropped, one match is enough. Numbers are 1-based.
        const needsAll = this.kind === 'inner' || this.kind === 'left';
        const seeded = { rows: numbered, done: needsAll ? undefined : matched.subarray(1) };
        let open = rows.length;
        execution.seeds.set(this.seed, seeded);
        for (const found of execution.run(part)) {
          if (isPause(found)) {
            yield PAUSE;
            continue;
          }
          if (this.kind === 'inner') {
            yield found;
            execution.seeds.set(this.seed, seeded);
            continue;
          }
          const numberOf = found.columns[rowSlot]!;
          if (chosen.length < found.length) chosen = newColumn(roomFor(found.length));
          let count = 0;
          for (let row = 0; row < found.length; row++) {
            if (condition) {
              if (pace.isDue) yield PAUSE;
              try {
                if (!condition(found, row)) continue;
              } catch (cause) {
                if (!(yield* resumed(cause, condition, found, row))) continue;
              }
            }
            if (matched[numberOf[row]] === 0) open--;
            matched[numberOf[row]] = 1;
            chosen[count++] = row;
          }
          if (this.kind === 'left' && count > 0) {
            gatherRows(this.slots, found, chosen, room(count), 0, count);
            yield output;
            execution.seeds.set(this.seed, seeded);
          } else if (open === 0 && this.kind !== 'left') {
            break;
          }
        }
        if (this.kind === 'inner') continue;
        const wanted = this.kind === 'semi' ? 1 : 0;
        const isMark = this.kind === 'mark';
        if (chosen.length < rows.length) chosen = newColumn(roomFor(rows.length));
        let count = 0;
        for (let row = 0; row < rows.length; row++) if (isMark || matched[row + 1] === wanted) chosen[count++] = row;
        if (count > 0) {
          gatherRows(outer.slots, rows, chosen, room(count), 0, count);
          for (const slot of added) output.columns[slot]!.fill(0, 0, count);
          for (let row = 0; isMark && row < count; row++) {
            output.columns[this.markSlot]![row] = execution.booleanId(matched[row + 1] === 1);
          }
          yield output;
        }
      }
    }
  }
}

function estimateOf(kind: ApplyKind, outer: number, part: number): number {
  switch (kind) {
    case 'inner':
      return part;
    case 'left':
      return Math.max(outer, part);
    case 'mark':
      return outer;
    default:
      return outer / 2;
  }
}

/** Rounds up to a power of two, because the next batch may have more rows. */
function roomFor(rows: number): number {
  return 2 ** Math.ceil(Math.log2(rows));
}

function sliceOf(batch: Batch, slots: readonly number[], start: number, end: number): Batch {
  if (start === 0 && end === batch.length) return batch;
  const slice = new Batch(
    columnsBySlot(slots, (slot) => batch.columns[slot]!.subarray(start, end)),
    end - start,
  );
  slice.length = end - start;
  return slice;
}
