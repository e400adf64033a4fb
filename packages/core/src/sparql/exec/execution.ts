import type * as RDF from '@rdfjs/types';
import { IdCache } from '../../contracts/id-cache.ts';
import type { QuadSource } from '../../contracts/quad-source.ts';
import type { SearchSource } from '../../contracts/search-source.ts';
import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import { turns } from '../../contracts/turns.ts';
import { LARGE_TEXT, type MemoryBudget, textBytes } from '../../model/memory-budget.ts';
import { DEFAULT_REQUEST_LIMITS, type RequestLimits } from '../../model/request-limits.ts';
import { dataFactory } from '../../model/term.ts';
import { XSD_INTEGER } from '../../model/vocabulary.ts';
import { throwIfAborted, WorldsError } from '../../model/worlds-error.ts';
import { BlankNodes } from '../blank-nodes.ts';
import type { Profile } from '../explain/profile.ts';
import { LongCalls } from '../expressions/long-calls.ts';
import { booleanValue, termOfValue, type Value, valueOfTerm } from '../expressions/value.ts';
import { StoredValues } from '../vectors/stored-values.ts';
import { type Batch, PAUSE, type Pause, type Stream } from './batch.ts';
import type { FoundRows } from './found-rows.ts';
import type { Operator } from './operator.ts';

const INTEGER = dataFactory.namedNode(XSD_INTEGER);

/** Default number of rows per batch. */
export const DEFAULT_BATCH_ROWS = 1024;

/** Batches with more columns than this have fewer rows, which caps the number of ids in a batch. */
const MANY_COLUMNS = 32;
const MAX_CELLS = MANY_COLUMNS * DEFAULT_BATCH_ROWS;

/** Upper limit for the rows in an operator's first batch. */
const FIRST_ROWS = 64;

const MAX_INTEGER_IDS = 1 << 12;

/** Bytes of temporary strings that make a pause due, which bounds the garbage that accumulates. */
const MAX_TEMPORARY_BYTES = 16 << 20;

export interface ExecutionOptions {
  /** The time that NOW returns. Default: the time of the call. */
  readonly now?: Date;
  readonly signal?: AbortSignal;
  readonly batchRows?: number;
  /** Terms for the variables of a {@link GivenRow}. */
  readonly given?: ReadonlyMap<string, RDF.Term> | undefined;
  readonly search?: SearchSource;
  /** Default: {@link DEFAULT_REQUEST_LIMITS}. */
  readonly limits?: RequestLimits | undefined;
  /** Whether values are read as unboxed numbers where that is possible. Default: true. */
  readonly unboxed?: boolean;
  /** Budget charged for the rows that operators keep. Unlimited if omitted. */
  readonly memory?: MemoryBudget;
}

/** The rows for which a correlated subplan runs. */
export interface SeedRows {
  readonly rows: Batch;
  /** By row: 1 if the consumer needs no further match of it. Undefined if it needs all matches. */
  readonly done: Uint8Array | undefined;
}

/** One run of one plan: its dataset, its limits and a cache of decoded term values. */
export class Execution {
  readonly source: QuadSource;
  readonly batchRows: number;
  /** The same for the whole run (SPARQL 1.1 section 17.4.5.1). */
  readonly now: Date;
  /** Ranked search over the same worlds, if available. */
  readonly search: SearchSource | undefined;
  readonly limits: RequestLimits;
  readonly signal: AbortSignal | undefined;
  private readonly memory: MemoryBudget | undefined;
  private readonly givenTerms: ReadonlyMap<string, RDF.Term> | undefined;
  private memoryBytes = 0;
  private temporaryBytes = 0;
  /** The promise that the next pause waits for, if it is not just a turn of the event loop. */
  private awaited: Promise<void> | undefined;
  /** Collects per-operator figures; set it before the run to profile. */
  profile: Profile | undefined;
  private sliceEnd = turns.beginSlice();
  private turns = 0;
  /**
   * Set by expensive single steps, such as reading a long text or matching a pattern against it, so
   * that operators check the clock before the usual number of rows.
   */
  mayBeLate = false;
  private suspendedCalls: LongCalls | undefined;
  private uncutCalls: LongCalls | undefined;
  /** Caches ids of integers, because counts repeat. */
  private integerIds: Map<number, TermId> | undefined;
  private trueId: TermId = NO_TERM;
  private falseId: TermId = NO_TERM;
  private blankNodes: BlankNodes | undefined;
  private seedRows: Map<object, SeedRows> | undefined;
  private foundRows: Map<object, Map<TermId, FoundRows | null>> | undefined;
  private storedValues: StoredValues | null | undefined;
  /** Caches decoded values, because neighbouring rows often share a value. */
  private values: IdCache<Value | undefined> | undefined;

  constructor(source: QuadSource, options: ExecutionOptions = {}) {
    this.source = source;
    this.now = options.now ?? new Date();
    this.signal = options.signal;
    this.search = options.search;
    this.limits = options.limits ?? DEFAULT_REQUEST_LIMITS;
    this.batchRows = options.batchRows ?? DEFAULT_BATCH_ROWS;
    this.memory = options.memory;
    this.givenTerms = options.given;
    if (options.unboxed === false) this.storedValues = null;
  }

  /** Current input rows of each correlated subplan; see `Apply`. */
  get seeds(): Map<object, SeedRows> {
    this.seedRows ??= new Map();
    return this.seedRows;
  }

  /**
   * Search results by operator and search text; null marks a failed search. Cached because an
   * operator may run several times.
   */
  get searches(): Map<object, Map<TermId, FoundRows | null>> {
    this.foundRows ??= new Map();
    return this.foundRows;
  }

  /**
   * Returns the capacity of an operator's first batch: no more than the estimate, and small,
   * because LIMIT and ASK may stop early.
   */
  firstRows(estimate: number, columns: number): number {
    // One extra row, so that a correct estimate does not fill the batch. Estimates of long products
    // overflow to infinity, and infinity times zero is NaN.
    const rows = estimate > 1 ? Math.ceil(estimate) + 1 : 2;
    return Math.min(this.mostRows(columns), FIRST_ROWS, rows);
  }

  /** Returns the capacity of the batch that follows a full one. */
  moreRows(rows: number, columns: number): number {
    return Math.min(this.mostRows(columns), Math.max(rows * 4, FIRST_ROWS));
  }

  /**
   * Returns the maximum capacity of a batch. Wide batches have fewer rows, because each of a
   * thousand joins may own a batch.
   */
  mostRows(columns: number): number {
    return columns <= MANY_COLUMNS ? this.batchRows : Math.min(this.batchRows, Math.ceil(MAX_CELLS / columns));
  }

  /**
   * Runs an operator. Operators must run their inputs through this method so that profiling sees
   * them; without a profile it adds no overhead.
   */
  run(operator: Operator): Stream {
    return this.profile === undefined ? operator.run(this) : this.profile.watch(operator, this);
  }

  /**
   * Has an operator work for some rows without a stream, and returns the number of rows that it
   * found; undefined if it has to be run. Profiling sees it, as in {@link run}.
   */
  call(operator: Operator, rows: number, find: () => number | undefined): number | undefined {
    return this.profile === undefined ? find() : this.profile.watchCall(operator, rows, find);
  }

  /**
   * Whether the time slice is used up and the operator must yield PAUSE. Reads the clock, so check
   * it once per batch.
   */
  get pauseDue(): boolean {
    return this.temporaryBytes > MAX_TEMPORARY_BYTES || performance.now() >= this.sliceEnd;
  }

  /** Yields to the event loop and to other requests, then throws if the request was aborted. */
  async pause(): Promise<void> {
    this.releaseTemporaries();
    const { awaited } = this;
    this.awaited = undefined;
    await (awaited ?? turns.wait(this.signal, ++this.turns));
    throwIfAborted(this.signal);
    this.sliceEnd = performance.now() + turns.sliceMs;
  }

  /**
   * Waits for a promise from outside the plan: yields one pause, during which it settles, and
   * returns its result. The work must honour the abort signal.
   */
  *wait<Result>(work: Promise<Result>): Generator<Pause, Result, void> {
    let outcome: { readonly value: Result } | { readonly error: unknown } | undefined;
    this.awaited = work.then(
      (value) => {
        outcome = { value };
      },
      (error: unknown) => {
        outcome = { error };
      },
    );
    yield PAUSE;
    if (!outcome) throw new WorldsError('INTERNAL', 'A plan was resumed before the data it waits for was available.');
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  /** Returns what counts the calls of expressions on long texts. */
  longCalls(maySuspend: boolean): LongCalls {
    return maySuspend
      ? (this.suspendedCalls ??= new LongCalls(this, { maySuspend }))
      : (this.uncutCalls ??= new LongCalls(this, { maySuspend }));
  }

  /** Throws if the request was aborted. */
  throwIfStopped(): void {
    throwIfAborted(this.signal);
  }

  claimMemory(bytes: number): void {
    this.memoryBytes += bytes;
    this.profile?.claim(bytes);
    this.memory?.claimMemory(bytes);
  }

  /** Releases all memory claimed by this run. Used between the operations of an update request. */
  releaseMemory(): void {
    this.memory?.claimMemory(-this.memoryBytes);
    this.memoryBytes = 0;
    this.temporaryBytes = 0;
  }

  /**
   * Claims memory for a long string that lives for one row only; the next pause releases it. V8
   * collects such strings late, so a large number of them makes a pause due.
   *
   * @param length in UTF-16 code units
   */
  claimTemporary(length: number): void {
    const bytes = textBytes(length);
    this.mayBeLate = true;
    this.temporaryBytes += bytes;
    this.claimMemory(bytes);
  }

  /**
   * Releases the temporary strings of all rows so far. For loops that do not pause after each row.
   */
  releaseTemporaries(): void {
    if (this.temporaryBytes === 0) return;
    this.claimMemory(-this.temporaryBytes);
    this.temporaryBytes = 0;
  }

  /** Returns the blank node for a key. The same key always yields the same node within a run. */
  blankNode(key: string): TermId {
    this.blankNodes ??= new BlankNodes(this.source.terms, this);
    return this.blankNodes.of(key);
  }

  /** Returns the id of the term that this run was given for a variable. */
  given(variable: string): TermId {
    const term = this.givenTerms?.get(variable);
    if (!term) throw new WorldsError('INTERNAL', `A plan with bindings was run without ?${variable}.`);
    return this.source.terms.intern(term);
  }

  term(id: TermId): RDF.Term {
    return this.source.terms.term(id);
  }

  /** Returns the value of a term, or undefined for NO_TERM. */
  value(id: TermId): Value | undefined {
    if (id === NO_TERM) return undefined;
    this.values ??= new IdCache<Value | undefined>((each) => valueOfTerm(this.term(each)), lengthOf, this);
    const value = this.values.get(id);
    if (value !== undefined && value.textLength >= LARGE_TEXT) this.mayBeLate = true;
    return value;
  }

  /** Reads values as numbers; undefined if the terms have no column of values. */
  get numbers(): StoredValues | undefined {
    if (this.storedValues === undefined) this.storedValues = StoredValues.of(this.source.terms) ?? null;
    return this.storedValues ?? undefined;
  }

  /** Returns the id of an xsd:integer literal. */
  integerId(value: number): TermId {
    this.integerIds ??= new Map();
    let id = this.integerIds.get(value);
    if (id === undefined) {
      id = this.source.terms.intern(dataFactory.literal(String(value), INTEGER));
      if (this.integerIds.size < MAX_INTEGER_IDS) this.integerIds.set(value, id);
    }
    return id;
  }

  booleanId(value: boolean): TermId {
    return value ? (this.trueId ||= this.idOf(booleanValue(true))) : (this.falseId ||= this.idOf(booleanValue(false)));
  }

  /** Returns the id of a computed value. New terms live in the query's overlay. */
  idOf(value: Value | undefined): TermId {
    return value === undefined ? NO_TERM : this.source.terms.intern(termOfValue(value));
  }
}

function lengthOf(value: Value | undefined): number {
  return value === undefined ? 0 : value.textLength;
}

export function isPause(step: object | Pause): step is Pause {
  return typeof step === 'symbol';
}
