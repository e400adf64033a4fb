import type * as RDF from '@rdfjs/types';
import { type MemoryBudget, textBytes } from '../../model/memory-budget.ts';
import { dataFactory } from '../../model/term.ts';
import { XSD_INTEGER } from '../../model/vocabulary.ts';
import { throwIfAborted, WorldsError } from '../../model/worlds-error.ts';
import { IdCache } from '../../storage/id-cache.ts';
import type { QuadSource } from '../../storage/quad-source.ts';
import type { SearchSource } from '../../storage/search-source.ts';
import { NO_TERM, type TermId } from '../../storage/term-source.ts';
import { turns } from '../../storage/turns.ts';
import { BlankNodes } from '../blank-nodes.ts';
import type { Profile } from '../explain/profile.ts';
import { booleanValue, termOfValue, type Value, valueOfTerm } from '../expressions/value.ts';
import { type Batch, PAUSE, type Pause, type Stream } from './batch.ts';
import type { FoundRows } from './found-rows.ts';
import type { Operator } from './operator.ts';

const INTEGER = dataFactory.namedNode(XSD_INTEGER);

/** Rows in a batch, unless a test asks for another number. */
export const DEFAULT_BATCH_ROWS = 1024;

/** Batches of more columns than this have fewer rows, so that they hold no more ids. */
const MANY_COLUMNS = 32;
const MAX_CELLS = MANY_COLUMNS * DEFAULT_BATCH_ROWS;

/** Rows in the first batch of an operator. */
const FIRST_ROWS = 64;

const MAX_INTEGER_IDS = 1 << 12;

/** With more texts than this that nothing keeps, a pause is due: garbage piles up no further. */
const MAX_TEMPORARY_BYTES = 16 << 20;

export interface ExecutionOptions {
  readonly signal?: AbortSignal;
  readonly batchRows?: number;
  readonly search?: SearchSource;
  /** What operators keep is claimed of it; no limit when not given. */
  readonly memory?: MemoryBudget;
}

/**
 * One run of one plan: the dataset, the limits, and the values of terms that have been looked at.
 */
export class Execution {
  readonly source: QuadSource;
  readonly batchRows: number;
  /** The ranked search of the same worlds, where there is one. */
  readonly search: SearchSource | undefined;
  readonly signal: AbortSignal | undefined;
  private readonly memory: MemoryBudget | undefined;
  private memoryBytes = 0;
  private temporaryBytes = 0;
  /** What a pause is for, besides the event loop. */
  private awaited: Promise<void> | undefined;
  /** Set before a run that is to be watched. */
  profile: Profile | undefined;
  private sliceEnd = performance.now() + turns.sliceMs;
  private turns = 0;
  /**
   * Set by what took long by itself, such as a pattern on a long text: so that the clock is looked
   * at before the usual number of rows.
   */
  mayBeLate = false;
  /** Counts repeat. */
  private integerIds: Map<number, TermId> | undefined;
  private trueId: TermId = NO_TERM;
  private falseId: TermId = NO_TERM;
  private blankNodes: BlankNodes | undefined;
  private seedRows: Map<object, Batch> | undefined;
  private foundRows: Map<object, Map<TermId, FoundRows | null>> | undefined;
  /** Rows near each other often share a value. */
  private values: IdCache<Value | undefined> | undefined;

  constructor(source: QuadSource, options: ExecutionOptions = {}) {
    this.source = source;
    this.signal = options.signal;
    this.search = options.search;
    this.batchRows = options.batchRows ?? DEFAULT_BATCH_ROWS;
    this.memory = options.memory;
  }

  /** The rows that correlated parts of the plan run for at the moment: see `Apply`. */
  get seeds(): Map<object, Batch> {
    this.seedRows ??= new Map();
    return this.seedRows;
  }

  /** By operator: what each text found; null for what failed. An operator may run many times. */
  get searches(): Map<object, Map<TermId, FoundRows | null>> {
    this.foundRows ??= new Map();
    return this.foundRows;
  }

  /**
   * The size of an operator's first batch: no more than it will likely need, and small at first,
   * since whoever reads may stop soon (LIMIT, ASK).
   */
  firstRows(estimate: number, columns: number): number {
    // One more, so that a batch of as many rows as were foreseen is not full. Estimates of long
    // products end as infinity, and that times nothing as no number.
    const rows = estimate > 1 ? Math.ceil(estimate) + 1 : 2;
    return Math.min(this.mostRows(columns), FIRST_ROWS, rows);
  }

  /** The size of the batch after one that was full. */
  moreRows(rows: number, columns: number): number {
    return Math.min(this.mostRows(columns), Math.max(rows * 4, FIRST_ROWS));
  }

  /**
   * How many rows a batch may have: fewer of many columns, since each of a thousand joins may have
   * a batch.
   */
  mostRows(columns: number): number {
    return columns <= MANY_COLUMNS ? this.batchRows : Math.min(this.batchRows, Math.ceil(MAX_CELLS / columns));
  }

  /**
   * The rows of one part of the plan. All parts are run through here, so that a run can be watched;
   * one that is not runs as if nobody could.
   */
  run(operator: Operator): Stream {
    return this.profile === undefined ? operator.run(this) : this.profile.watch(operator, this);
  }

  /**
   * Whether the time slice is used up: then give a PAUSE. Costs a look at the clock, so ask once a
   * batch.
   */
  get pauseDue(): boolean {
    return this.temporaryBytes > MAX_TEMPORARY_BYTES || performance.now() >= this.sliceEnd;
  }

  /**
   * Lets the event loop run and others have their turns, then throws when the caller has given up.
   */
  async pause(): Promise<void> {
    this.releaseTemporaries();
    const { awaited } = this;
    this.awaited = undefined;
    await (awaited ?? turns.wait(this.signal, ++this.turns));
    throwIfAborted(this.signal);
    this.sliceEnd = performance.now() + turns.sliceMs;
  }

  /**
   * Waits for work outside of the plan: gives pauses until it is done. The work must heed the
   * signal.
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
    if (!outcome) throw new WorldsError('INTERNAL', 'A plan was run on before what it waits for was there.');
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  /** Throws when the caller has given up. */
  throwIfStopped(): void {
    throwIfAborted(this.signal);
  }

  claimMemory(bytes: number): void {
    this.memoryBytes += bytes;
    this.profile?.claim(bytes);
    this.memory?.claimMemory(bytes);
  }

  /** Gives back what this run has claimed: for one operation of a request that goes on. */
  releaseMemory(): void {
    this.memory?.claimMemory(-this.memoryBytes);
    this.memoryBytes = 0;
    this.temporaryBytes = 0;
  }

  /**
   * Claims a long text that is there for a row only, until the next pause. V8 collects such texts
   * late: when there are many, a pause becomes due.
   *
   * @param length in UTF-16 units
   */
  claimTemporary(length: number): void {
    const bytes = textBytes(length);
    this.mayBeLate = true;
    this.temporaryBytes += bytes;
    this.claimMemory(bytes);
  }

  /**
   * For loops that do not pause after each row: what was made for the rows so far is garbage now.
   */
  releaseTemporaries(): void {
    if (this.temporaryBytes === 0) return;
    this.claimMemory(-this.temporaryBytes);
    this.temporaryBytes = 0;
  }

  /** The blank node of a key, the same throughout this run. */
  blankNode(key: string): TermId {
    this.blankNodes ??= new BlankNodes(this.source.terms, this);
    return this.blankNodes.of(key);
  }

  term(id: TermId): RDF.Term {
    return this.source.terms.term(id);
  }

  /** The value of a term; undefined for NO_TERM. */
  value(id: TermId): Value | undefined {
    if (id === NO_TERM) return undefined;
    this.values ??= new IdCache<Value | undefined>((each) => valueOfTerm(this.term(each)), lengthOf, this);
    return this.values.get(id);
  }

  /** The id of an xsd:integer. */
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

  /** The id of a computed value; a new term lives in the query's own overlay. */
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
