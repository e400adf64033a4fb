import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../../model/term.ts';
import { XSD_INTEGER } from '../../model/vocabulary.ts';
import { throwIfAborted, WorldsError } from '../../model/worlds-error.ts';
import type { QuadSource } from '../../storage/quad-source.ts';
import { NO_TERM, type TermId } from '../../storage/term-source.ts';
import { termOfValue, type Value, valueOfTerm } from '../expressions/value.ts';
import type { Batch, Pause } from './batch.ts';

const INTEGER = dataFactory.namedNode(XSD_INTEGER);

/** Rows in a batch, unless a test asks for another number. */
export const DEFAULT_BATCH_ROWS = 1024;

/** How long a query may hold the event loop, in milliseconds. */
const SLICE_MS = 8;

/** Values kept by id; a power of two. */
const VALUE_CACHE_SIZE = 8192;

export interface ExecutionOptions {
  readonly signal?: AbortSignal;
  readonly batchRows?: number;
  /** LIMIT_EXCEEDED when operators keep more than so many bytes. */
  readonly maxMemoryBytes?: number;
}

/** One run of one plan: the dataset, the limits, and the values of terms that have been looked at. */
export class Execution {
  readonly source: QuadSource;
  readonly batchRows: number;
  private readonly signal: AbortSignal | undefined;
  private readonly maxMemoryBytes: number;
  private memoryBytes = 0;
  private sliceEnd = performance.now() + SLICE_MS;
  private readonly blankNodes = new Map<string, TermId>();
  /** The rows that correlated parts of the plan run for at the moment: see `Apply`. */
  readonly seeds = new Map<object, Batch>();
  private readonly cachedIds = new Int32Array(VALUE_CACHE_SIZE);
  private readonly cachedValues: (Value | undefined)[] = new Array(VALUE_CACHE_SIZE).fill(undefined);

  constructor(source: QuadSource, options: ExecutionOptions = {}) {
    this.source = source;
    this.signal = options.signal;
    this.batchRows = options.batchRows ?? DEFAULT_BATCH_ROWS;
    this.maxMemoryBytes = options.maxMemoryBytes ?? Number.POSITIVE_INFINITY;
  }

  /** Whether the time slice is used up: then give a PAUSE. Costs a look at the clock, so ask once a batch. */
  get pauseDue(): boolean {
    return performance.now() >= this.sliceEnd;
  }

  /** Lets the event loop run, then throws when the caller has given up. */
  async pause(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    throwIfAborted(this.signal);
    this.sliceEnd = performance.now() + SLICE_MS;
  }

  claimMemory(bytes: number): void {
    this.memoryBytes += bytes;
    if (this.memoryBytes > this.maxMemoryBytes) {
      throw new WorldsError(
        'LIMIT_EXCEEDED',
        `The query needs more than ${this.maxMemoryBytes} bytes of memory; narrow it, or raise maxMemoryBytes.`,
      );
    }
  }

  /** The blank node of a key, the same throughout this run. */
  blankNode(key: string): TermId {
    let id = this.blankNodes.get(key);
    if (id === undefined) {
      id = this.source.terms.blankNode();
      this.blankNodes.set(key, id);
    }
    return id;
  }

  term(id: TermId): RDF.Term {
    return this.source.terms.term(id);
  }

  /** The value of a term, kept for a while: rows near each other often share it. */
  value(id: TermId): Value | undefined {
    if (id === NO_TERM) return undefined;
    const at = id & (VALUE_CACHE_SIZE - 1);
    if (this.cachedIds[at] === id) return this.cachedValues[at];
    const value = valueOfTerm(this.source.terms.term(id));
    this.cachedIds[at] = id;
    this.cachedValues[at] = value;
    return value;
  }

  /** The id of an xsd:integer. */
  integerId(value: number): TermId {
    const { terms } = this.source;
    return terms.intern(dataFactory.literal(String(value), INTEGER));
  }

  /** The id of a computed value; a new term lives in the query's own overlay. */
  idOf(value: Value | undefined): TermId {
    return value === undefined ? NO_TERM : this.source.terms.intern(termOfValue(value));
  }
}

export function isPause(step: Batch | Pause): step is Pause {
  return typeof step === 'symbol';
}
