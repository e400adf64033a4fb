import { expressionText } from '../explain/algebra-text.ts';
import { ANY_HASH } from '../expressions/equality-hash.ts';
import { Batch, emptied, NO_BATCH, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { hasRows, type PatternOfRow } from './exists-filter.ts';
import { KeyTable } from './key-table.ts';
import { type Operator, type PlanNames, pruned } from './operator.ts';
import { Pace } from './pace.ts';
import { MAY_SUSPEND, neededWith, type RowTest } from './row-function.ts';
import { RowStore } from './row-store.ts';
import { SlotSet } from './slot-set.ts';
import { tested } from './tested.ts';

/** What a join does with left rows with and without a matching right row. */
export type JoinKind = 'inner' | 'left' | 'semi' | 'anti';

/**
 * An EXISTS in a join condition: its pattern runs for each pair of rows, and the result goes into a
 * column that the condition reads.
 */
export interface PairMark {
  /** Slot of the result. */
  readonly slot: number;
  readonly makePattern: (execution: Execution) => PatternOfRow;
  /** Skips the pattern for pairs where the result is not needed. */
  readonly unless: RowTest | undefined;
}

const NO_MARKS: readonly PairMark[] = [];
const BYTES_A_NUMBER = 8;

/** The rows of the right input. */
interface BuildSide {
  readonly store: RowStore;
  readonly table: KeyTable;
  readonly open: readonly number[];
}

/**
 * Hash join on compatible solutions (SPARQL 1.1 section 18.3). The right input is the build side,
 * keyed on the shared slots that are certain in both inputs. A key of {@link EqualityKey} may match
 * any other. The other shared slots are compared
 * one by one, with unbound compatible with everything. Without key slots, every pair is compared.
 *
 * `anti` is MINUS (section 18.5): it drops a left row if a compatible right row shares a bound
 * variable with it.
 */
export class HashJoin implements Operator {
  readonly name: string;
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator, Operator];
  private readonly kind: JoinKind;
  private readonly keys: readonly number[];
  /** Shared slots that may be unbound on either side. */
  private readonly loose: readonly number[];
  /** Slots that only the right input has. */
  private readonly added: readonly number[];
  private readonly condition: RowTest | undefined;
  private readonly marks: readonly PairMark[];

  /**
   * @param condition tests a merged pair of compatible rows
   * @param marks EXISTS results that the condition reads
   */
  constructor(
    left: Operator,
    right: Operator,
    kind: JoinKind,
    estimate: number,
    condition?: RowTest,
    marks: readonly PairMark[] = NO_MARKS,
  ) {
    this.name = `hash join (${kind})`;
    this.inputs = [left, right];
    this.kind = kind;
    this.estimate = estimate;
    this.condition = condition;
    this.marks = marks;
    const shared = SlotSet.of(right.slots).among(left.slots);
    const isKey = (slot: number) => left.certain.has(slot) && right.certain.has(slot);
    this.keys = shared.filter(isKey);
    this.loose = shared.filter((slot) => !isKey(slot));
    this.added = SlotSet.of(left.slots).outside(right.slots);
    const givesRight = kind === 'inner' || kind === 'left';
    this.slots = givesRight ? left.slots.concat(this.added) : left.slots;
    this.certain = kind === 'inner' ? left.certain.union(right.certain) : left.certain;
  }

  detail(names: PlanNames): string {
    const parts: string[] = [];
    if (this.keys.length > 0) parts.push(`on ${this.keys.map(names.variable).join(' ')}`);
    if (this.loose.length > 0) parts.push(`where bound on ${this.loose.map(names.variable).join(' ')}`);
    if (parts.length === 0) parts.push('every pair');
    if (this.condition) parts.push(`if ${expressionText(this.condition.expression)}`);
    return parts.join(', ');
  }

  withOnly(needed: SlotSet): Operator | undefined {
    // The pattern of an EXISTS may read any slot.
    if (this.marks.length > 0) return undefined;
    const [left, right] = this.inputs;
    const conditions = this.condition ? [this.condition] : [];
    const below = neededWith(needed.with(this.keys).with(this.loose), conditions);
    return below && new HashJoin(pruned(left, below), pruned(right, below), this.kind, this.estimate, this.condition);
  }

  *run(execution: Execution): Stream {
    const [left, right] = this.inputs;
    const store = new RowStore(right.slots, execution);
    const table = new KeyTable(store, this.keys, execution);
    /** Rows that are not in the table, since a key of theirs matches any other. */
    const open: number[] = [];
    for (const rows of execution.run(right)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      yield* table.reserve(rows.length);
      yield* store.reserve(rows.length, execution);
      let row = store.length;
      store.append(rows);
      for (; row < store.length; row++) {
        if (this.matchesAny(store.columns, row)) {
          execution.claimMemory(BYTES_A_NUMBER);
          open.push(row);
        } else {
          table.add(row);
        }
      }
      if (execution.pauseDue) yield PAUSE;
    }
    if (store.length === 0 && (this.kind === 'inner' || this.kind === 'semi')) return;
    yield* this.probe(execution.run(left), { store, table, open }, execution);
  }

  private *probe(left: Stream, { store, table, open }: BuildSide, execution: Execution): Stream {
    const { kind } = this;
    const slots = this.inputs[0].slots.concat(
      this.added,
      this.marks.map(({ slot }) => slot),
    );
    let merged = NO_BATCH;
    const condition = this.condition?.start(execution, MAY_SUSPEND);
    const marks = this.marks.map(({ slot, makePattern, unless }) => ({
      slot,
      pattern: makePattern(execution),
      isDecided: unless?.start(execution),
    }));
    const pace = new Pace(execution);
    for (const rows of left) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      if (merged === NO_BATCH) {
        // Checked per join: in a chain of joins, each allocates columns for the variables of all
        // previous ones.
        if (execution.pauseDue) yield PAUSE;
        merged = Batch.withSlots(slots, execution.firstRows(this.estimate, slots.length));
      }
      for (let row = 0; row < rows.length; row++) {
        let matched = false;
        const isOpen = this.matchesAny(rows.columns, row);
        let next = isOpen ? store.length - 1 : table.find(rows.columns, row);
        for (let openLeft = isOpen ? 0 : open.length; next >= 0 || openLeft > 0; ) {
          if (pace.isDue) yield PAUSE;
          const isFound = next >= 0;
          const other = isFound ? next : open[--openLeft];
          if (isFound) next = isOpen ? next - 1 : table.next(next);
          if ((isOpen || !isFound) && !this.keysMatch(rows, row, store, other)) continue;
          if (!this.agrees(rows, row, store, other)) continue;
          const at = merged.length;
          this.merge(rows, row, store, other, merged, at);
          for (const { slot, pattern, isDecided } of marks) {
            const exists = !isDecided?.(merged, at) && (yield* hasRows(pattern(merged, at)));
            merged.columns[slot]![at] = execution.booleanId(exists);
          }
          if (condition && !(yield* tested(condition, merged, at))) continue;
          matched = true;
          if (kind === 'semi' || kind === 'anti') break;
          merged.length++;
          if (merged.length === merged.capacity) {
            yield merged;
            merged = emptied(merged, slots, execution);
          }
        }
        const keeps = kind === 'semi' ? matched : kind !== 'inner' && !matched;
        if (!keeps) continue;
        this.keep(rows, row, merged);
        if (merged.length === merged.capacity) {
          yield merged;
          merged = emptied(merged, slots, execution);
        }
      }
      if (execution.pauseDue) yield PAUSE;
    }
    if (merged.length > 0) yield merged;
  }

  /** Whether a key of a row matches any other. */
  private matchesAny(columns: Batch['columns'], row: number): boolean {
    for (const slot of this.keys) if (columns[slot]![row] === ANY_HASH) return true;
    return false;
  }

  /** Whether the keys of two rows match, of which one has a key that matches any other. */
  private keysMatch(rows: Batch, row: number, store: RowStore, other: number): boolean {
    return this.keys.every((slot) => {
      const one = rows.columns[slot]![row];
      const two = store.columns[slot]![other];
      return one === two || one === ANY_HASH || two === ANY_HASH;
    });
  }

  /** Whether two rows are compatible and, for MINUS, share a bound variable. */
  private agrees(rows: Batch, row: number, store: RowStore, other: number): boolean {
    let common = this.keys.length > 0;
    for (const slot of this.loose) {
      const one = rows.columns[slot]![row];
      const two = store.columns[slot]![other];
      if (one !== 0 && two !== 0) {
        if (one !== two) return false;
        common = true;
      }
    }
    return common || this.kind !== 'anti';
  }

  private merge(rows: Batch, row: number, store: RowStore, other: number, target: Batch, at: number): void {
    for (const slot of this.inputs[0].slots) target.columns[slot]![at] = rows.columns[slot]![row];
    for (const slot of this.added) target.columns[slot]![at] = store.columns[slot]![other];
    for (const slot of this.loose) target.columns[slot]![at] ||= store.columns[slot]![other];
  }

  private keep(rows: Batch, row: number, target: Batch): void {
    const at = target.length++;
    for (const slot of this.inputs[0].slots) target.columns[slot]![at] = rows.columns[slot]![row];
    for (const slot of this.added) target.columns[slot]![at] = 0;
  }
}
