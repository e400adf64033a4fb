import { type WorldChange, WorldsError } from '@rdf-worlds/core';
import type { Head, LogRecord } from '@rdf-worlds/core/plugin';
import { SIMULATED } from './simulated-network.ts';
import type { ModelChange, ModelEffect, ReadOperation, WriteAnswer, WriteOperation } from './simulated-operation.ts';
import type { StorageObserver } from './simulated-storage.ts';
import { lineOf, linesKey, type ModelState, type ModelWorld, NO_WORLDS } from './world-model.ts';

/** What a simulation checks. */
export type SimulationCheck =
  /** Commits are linearizable: each takes effect once, between call and answer, as answered. */
  | 'commits'
  /** Reads see states that were, never older than those that their process has shown before. */
  | 'reads'
  /** Reads of the latest state see everything that was acknowledged before the call. */
  | 'latest'
  /** A change feed yields each commit once, in order. */
  | 'feeds'
  /** At the end, all engines have the state of the model, and their indexes agree. */
  | 'replicas'
  /** Everything ends. */
  | 'hang'
  /** No call fails for a reason that the faults do not explain. */
  | 'errors';

/** A check that failed. */
export interface SimulationViolation {
  readonly check: SimulationCheck;
  readonly message: string;
}

/** A commit in the log, or the deletion of a namespace. */
interface Slot {
  readonly incarnation: string;
  readonly position: number;
  readonly revision: number;
  /** Time in the record; identifies the commit. */
  readonly stamp: number;
  readonly operation: number;
  readonly change: ModelChange | undefined;
}

/** What is known of a write. */
interface WriteRecord {
  readonly operation: WriteOperation;
  readonly process: number;
  /** Index of the state before the call. */
  readonly from: number;
  /** Index of the slot in which it has taken effect. */
  slot: number | undefined;
  effect: ModelEffect | undefined;
  /** Why it must not take effect any more. */
  finished: string | undefined;
}

interface NamespaceHistory {
  /** The states of the model; the one at 0 is empty. */
  readonly states: ModelState[];
  /** The commits, the one at 0 being none: `slots[i]` leads to `states[i]`. */
  readonly slots: (Slot | undefined)[];
  readonly byRevision: Map<number, number>;
  /** By incarnation, the position up to which the log is truncated. */
  readonly truncated: Map<string, number>;
  /** Index of the newest commit that was acknowledged. */
  acknowledged: number;
  /** By process, the newest state that it has certainly shown. */
  readonly seen: Map<number, number>;
}

/** A world as of a revision. */
export interface PastWorld {
  readonly namespace: string;
  readonly slug: string;
  readonly revision: number;
  /** Whether the log had that revision when the read began. */
  readonly isCommitted: boolean;
}

/** Bytes at the start of a record among which its time is. */
const STAMP_BYTES = 64;

/**
 * The sequential model that all engines are compared with. It learns of each commit when the
 * storage accepts it, and whose it is by the time in its record: the clock of the engines never
 * shows two operations the same time. So the order of commits is known, and each answer can be
 * judged when it arrives.
 */
export class SimulationOracle implements StorageObserver {
  readonly violations: SimulationViolation[] = [];
  /** The operations, by the times that the clock has shown them. */
  private readonly stamps = new Map<number, number>();
  private readonly writes: WriteRecord[] = [];
  private readonly histories = new Map<string, NamespaceHistory>();
  private readonly onViolation: (text: string) => void;
  /** Whether engines look in the storage before they report that something is missing. */
  private readonly looksForMissing: boolean;
  /** Number of commits. */
  commits = 0;
  /** Number of answers that were judged. */
  judged = 0;

  /**
   * @param isShared whether several engines write to the storage: one that owns it shows no commit
   *   before that is acknowledged, and so reports the world that a running call creates as missing
   */
  constructor(onViolation: (text: string) => void, { isShared }: { readonly isShared: boolean }) {
    this.onViolation = onViolation;
    this.looksForMissing = isShared;
  }

  violate(check: SimulationCheck, message: string): void {
    this.violations.push({ check, message });
    this.onViolation(`VIOLATION of ${check}: ${message}`);
  }

  /** Returns a time for an operation that no operation was shown before, at or after `timeMs`. */
  stamp(timeMs: number, operation: number): number {
    let stamp = timeMs;
    while (this.stamps.has(stamp)) stamp++;
    this.stamps.set(stamp, operation);
    return stamp;
  }

  namespaces(): Iterable<string> {
    return this.histories.keys();
  }

  /** The newest state. */
  stateOf(namespace: string): ModelState {
    return this.historyOf(namespace).states.at(-1)!;
  }

  /** Revision of the newest commit of a namespace that has worlds; undefined otherwise. */
  headRevision(namespace: string): number | undefined {
    return this.historyOf(namespace).slots.at(-1)?.revision;
  }

  private historyOf(namespace: string): NamespaceHistory {
    let history = this.histories.get(namespace);
    if (!history) {
      history = {
        ...{ states: [NO_WORLDS], slots: [undefined], byRevision: new Map(), truncated: new Map() },
        ...{ acknowledged: 0, seen: new Map() },
      };
      this.histories.set(namespace, history);
    }
    return history;
  }

  // --- what happens in the storage

  appended(namespace: string, head: Head, records: readonly LogRecord[]): void {
    // The namespace of the engine's own, for the revisions of deleted namespaces.
    if (namespace === '_') return;
    const history = this.historyOf(namespace);
    for (const [at, record] of records.entries()) {
      const position = head.position - records.length + at + 1;
      const found = this.commitOf(record);
      if (!found) {
        this.violate('commits', `${namespace}: the record at ${position} is of no operation.`);
        continue;
      }
      this.commits++;
      const { operation, stamp, revision } = found;
      const write = this.writes[operation];
      const slot = { incarnation: head.incarnation, position, revision, stamp, operation };
      const before = history.slots.at(-1);
      if (before?.incarnation === slot.incarnation && before.revision + 1 !== revision)
        this.violate('commits', `${namespace}: revision ${revision} follows ${before.revision}.`);
      if (history.byRevision.has(revision))
        this.violate('commits', `${namespace}: two commits have the revision ${revision}.`);
      const change = this.takesEffect(namespace, history, write, revision);
      history.slots.push({ ...slot, change });
      history.byRevision.set(revision, history.slots.length - 1);
    }
  }

  dropped(namespace: string, operation: number | undefined): void {
    if (namespace === '_') return;
    const history = this.historyOf(namespace);
    const write = operation === undefined ? undefined : this.writes[operation];
    if (!write) {
      this.violate('commits', `${namespace} was deleted by no operation.`);
      return;
    }
    const { incarnation, position, revision } = history.slots.at(-1)!;
    this.takesEffect(namespace, history, write, revision);
    if (history.states.at(-1)!.size > 0)
      this.violate('commits', `${write.operation.text} has deleted the namespace, and with it other worlds.`);
    history.slots.push({
      incarnation: `after ${incarnation}`,
      position,
      revision,
      stamp: 0,
      operation: operation!,
      change: undefined,
    });
    history.states[history.states.length - 1] = NO_WORLDS;
  }

  truncated(namespace: string, { incarnation, position }: Head): void {
    const { truncated } = this.historyOf(namespace);
    truncated.set(incarnation, Math.max(position, truncated.get(incarnation) ?? 0));
  }

  private takesEffect(
    namespace: string,
    history: NamespaceHistory,
    write: WriteRecord,
    revision: number,
  ): ModelChange | undefined {
    const { operation } = write;
    const before = history.states.at(-1)!;
    if (write.slot !== undefined) this.violate('commits', `${operation.text} has taken effect twice in ${namespace}.`);
    if (write.finished) this.violate('commits', `${operation.text} has taken effect after it ${write.finished}.`);
    const effect = operation.apply(before, revision);
    if (!effect.next)
      this.violate(
        'commits',
        `${operation.text} was committed to a state in which it ${effect.refusals ? `must throw ${effect.refusals}` : 'changes nothing'}.`,
      );
    write.slot = history.states.length;
    write.effect = effect;
    history.states.push(effect.next ?? before);
    return effect.change;
  }

  /** Whose commit a record is, from the time in its first bytes, which the revision precedes. */
  private commitOf({ chunks }: LogRecord): { operation: number; stamp: number; revision: number } | undefined {
    const bytes = Buffer.concat(chunks.map((chunk) => chunk.subarray(0, STAMP_BYTES))).subarray(0, STAMP_BYTES);
    for (let at = 8; at + 8 <= bytes.length; at++) {
      const stamp = bytes.readDoubleLE(at);
      const operation = this.stamps.get(stamp);
      if (operation !== undefined) return { operation, stamp, revision: bytes.readDoubleLE(at - 8) };
    }
    return undefined;
  }

  // --- what clients do

  /** Records the call of a write, and returns its number. */
  invoked(operation: WriteOperation, process: number): number {
    const { states, acknowledged, seen } = this.historyOf(operation.namespace);
    const from = this.looksForMissing ? states.length - 1 : Math.max(acknowledged, seen.get(process) ?? 0);
    this.writes.push({ operation, process, from, slot: undefined, effect: undefined, finished: undefined });
    return this.writes.length - 1;
  }

  /** Judges the answer of a write. */
  answered(number: number, answer: WriteAnswer): void {
    this.judged++;
    const write = this.writes[number];
    const { operation, slot, effect, process } = write;
    const history = this.historyOf(operation.namespace);
    if (slot === undefined) {
      write.finished = 'was answered without a commit';
      const isNoop = (state: ModelState) => {
        const found = operation.apply(state, -1);
        if (found.next || found.refusals || found.result !== answer.result) return false;
        return answer.revision === undefined || state.get(found.slug ?? '')?.revision === answer.revision;
      };
      if (!history.states.slice(write.from).some(isNoop))
        this.violate('commits', `${operation.text} was acknowledged (${answer.result}), but is not in the log.`);
      return;
    }
    history.acknowledged = Math.max(history.acknowledged, slot);
    history.seen.set(process, Math.max(slot, history.seen.get(process) ?? 0));
    if (effect?.result !== answer.result)
      this.violate('commits', `${operation.text} has returned ${answer.result}, not ${effect?.result}.`);
    const { revision } = history.slots[slot]!;
    if (answer.revision !== undefined && answer.revision !== revision)
      this.violate('commits', `${operation.text} has returned the revision ${answer.revision}, not ${revision}.`);
  }

  /** Judges the failure of a write. Returns whether its outcome is unknown. */
  failed(number: number, error: unknown): boolean {
    this.judged++;
    const write = this.writes[number];
    const { operation, slot } = write;
    const code = error instanceof WorldsError ? error.code : undefined;
    if (code === 'IN_DOUBT') return true;
    if (isExplained(error)) {
      // A deletion may have taken effect: its error does not tell.
      if (operation.mayDrop) return true;
    } else {
      const { states } = this.historyOf(operation.namespace);
      const isRefused = (state: ModelState) => operation.apply(state, -1).refusals?.includes(code!) === true;
      if (!code || !states.slice(write.from).some(isRefused))
        this.violate('errors', `${operation.text} has failed without a reason: ${describe(error)}`);
    }
    write.finished = `failed with ${code}`;
    if (slot !== undefined) this.violate('commits', `${operation.text} has failed with ${code}, but is in the log.`);
    return false;
  }

  /** Judges what `commitStatus` says of a write. */
  statusOf(number: number, status: string): void {
    this.judged++;
    const write = this.writes[number];
    const isThere = write.slot !== undefined;
    if (isThere !== (status === 'committed'))
      this.violate(
        'commits',
        `${write.operation.text} is ${isThere ? 'in' : 'not in'} the log, but its status is ${status}.`,
      );
    if (!isThere) write.finished = 'was reported as absent';
  }

  /** The state from which on a read may see what it sees; call it before the read. */
  bounds(
    { namespace, isLatest, token }: ReadOperation,
    process: number,
  ): { seen: number; latest: number; now: number } {
    const history = this.historyOf(namespace);
    const told = token === undefined ? 0 : (history.byRevision.get(token) ?? 0);
    return {
      seen: Math.max(history.seen.get(process) ?? 0, told),
      latest: isLatest ? history.acknowledged : 0,
      now: history.states.length - 1,
    };
  }

  /** Judges what a read has seen. */
  observed(
    operation: ReadOperation,
    process: number,
    bounds: { seen: number; latest: number; now: number },
    value: string,
  ): void {
    this.judged++;
    const { states, seen, slots } = this.historyOf(operation.namespace);
    // A missing world is looked up in the storage before that is reported.
    const from = Math.max(bounds.seen, bounds.latest, value === 'NOT_FOUND' && this.looksForMissing ? bounds.now : 0);
    for (let at = from; at < states.length; at++) {
      if (operation.observe(states[at]) !== value) continue;
      seen.set(process, Math.max(at, seen.get(process) ?? 0));
      return;
    }
    const older = states.findLastIndex((state) => operation.observe(state) === value);
    const what = older < 0 ? 'a state that never was' : `the state of revision ${slots[older]?.revision}`;
    const due = slots[from]?.revision;
    this.violate(
      older >= 0 && older < bounds.latest && older >= bounds.seen ? 'latest' : 'reads',
      `${operation.text} of process ${process} has seen ${what}, but must see that of revision ${due} or later: ${value}`,
    );
  }

  /** Whether there is a commit of a revision that every engine can find. */
  hasRevision(namespace: string, revision: number): boolean {
    const { byRevision, acknowledged } = this.historyOf(namespace);
    const at = byRevision.get(revision);
    return at !== undefined && (this.looksForMissing || at <= acknowledged);
  }

  /** Judges what a read of the past has seen. */
  observedPast(text: string, { namespace, slug, revision }: PastWorld, value: string): void {
    this.judged++;
    const found = this.pastOf(namespace, slug, revision);
    // A revision that no commit has: those of worlds that went with their namespace.
    if (!found) return;
    const expected = found.world && linesKey(found.world.lines);
    if (value !== expected) this.violate('reads', `${text} has seen ${value}, not ${expected ?? 'NOT_FOUND'}.`);
  }

  /** Judges the failure of a read of the past. What is no longer kept cannot be read. */
  pastFailed(text: string, { namespace, slug, revision, isCommitted }: PastWorld, error: unknown): void {
    this.judged++;
    if (isExplained(error)) return;
    const code = error instanceof WorldsError ? error.code : undefined;
    if (code === 'TRUNCATED') return;
    const found = this.pastOf(namespace, slug, revision);
    // The namespace is gone, or it has another world of this name, now or soon: the reader may have
    // a state from before.
    const { states } = this.historyOf(namespace);
    const isGone = !found?.world || found.later.some((state) => state.get(slug)?.identity !== found.world?.identity);
    if (code === 'NOT_FOUND' && (isGone || !isCommitted)) return;
    // It was of a namespace that was deleted, whose next revision is not yet reached.
    const isFuture = !isCommitted || states.slice(1).some((state) => state.size === 0);
    if (code === 'INVALID_ARGUMENT' && isFuture) return;
    this.violate('errors', `${text} has failed without a reason: ${describe(error)}`);
  }

  /**
   * A world in the state of a revision, and the states since; undefined if there is no such one.
   */
  private pastOf(
    namespace: string,
    slug: string,
    revision: number,
  ): { readonly world: ModelWorld | undefined; readonly later: readonly ModelState[] } | undefined {
    const { byRevision, states } = this.historyOf(namespace);
    const at = byRevision.get(revision);
    return at === undefined ? undefined : { world: states[at].get(slug), later: states.slice(at + 1) };
  }

  /** Judges the failure of a read. */
  readFailed(operation: { readonly text: string }, error: unknown): void {
    this.judged++;
    if (!isExplained(error))
      this.violate('errors', `${operation.text} has failed without a reason: ${describe(error)}`);
  }

  /** Judges a change that a feed has yielded after the one of revision `after`. */
  fed(
    namespace: string,
    process: number,
    after: number,
    { revision, timeMs, kind, world, ...quads }: WorldChange,
  ): void {
    this.judged++;
    const history = this.historyOf(namespace);
    const at = history.byRevision.get(revision);
    const slot = at === undefined ? undefined : history.slots[at];
    const who = `A feed of ${namespace} in process ${process}`;
    if (revision !== after + 1) this.violate('feeds', `${who} yields revision ${revision} after ${after}.`);
    if (!slot?.change || slot.stamp !== timeMs) {
      this.violate('feeds', `${who} yields a commit of revision ${revision} that never was.`);
      return;
    }
    const { change } = slot;
    const inserted = linesKey([...quads.inserted].map(lineOf));
    const deleted = linesKey([...quads.deleted].map(lineOf));
    const isSame =
      change.slug === world.slug &&
      change.kind === kind &&
      linesKey(change.inserted) === inserted &&
      linesKey(change.deleted) === deleted;
    if (!isSame)
      this.violate(
        'feeds',
        `${who} yields for revision ${revision}: ${kind} ${world.slug} + ${inserted} - ${deleted}.`,
      );
    history.seen.set(process, Math.max(at!, history.seen.get(process) ?? 0));
  }

  /** Judges a feed that has ended with TRUNCATED after the commit of revision `after`. */
  feedTruncated(namespace: string, process: number, after: number): void {
    this.judged++;
    const { byRevision, slots, truncated } = this.historyOf(namespace);
    const now = slots.at(-1);
    const next = byRevision.get(after + 1);
    const slot = next === undefined ? undefined : slots[next];
    // The namespace was deleted: what was to come belongs to another incarnation, or to none.
    if (!slot || slot.incarnation !== now?.incarnation) return;
    const last = slots[byRevision.get(after) ?? 0];
    if (last && last.incarnation !== slot.incarnation) return;
    if ((truncated.get(slot.incarnation) ?? 0) >= slot.position) return;
    this.violate(
      'feeds',
      `A feed of ${namespace} in process ${process} is truncated after revision ${after}, but the log is not.`,
    );
  }
}

/** Whether an error, or one of its causes, was made by the simulation. */
export function isExplained(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes(SIMULATED)) return true;
    if (cause instanceof AggregateError && cause.errors.some(isExplained)) return true;
  }
  return false;
}

export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = error instanceof WorldsError ? `${error.code}: ` : '';
  return error instanceof WorldsError && error.code !== 'INTERNAL'
    ? `${code}${error.message}`
    : `${code}${error.stack}`;
}
