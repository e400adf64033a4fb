import type * as RDF from '@rdfjs/types';
import { IdCache } from '../contracts/id-cache.ts';
import { HEAP_ROWS } from '../contracts/new-column.ts';
import type { BindingsBatch, SolutionIds } from '../contracts/sparql-engine.ts';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import { NO_TERM, type TermId, type TermSource } from '../contracts/term-source.ts';
import type { MemoryBudget } from '../model/memory-budget.ts';
import { dataFactory } from '../model/term.ts';
import type { Batch } from './exec/batch.ts';
import { ResultRow } from './result-row.ts';

/** Decodes ids to terms. Recent terms are cached, because results repeat them. */
export class TermCache {
  /** Undefined if the source does not expose stored bytes. */
  readonly stored: TermBytesSource | undefined;
  private readonly cache: IdCache<RDF.Term>;

  /** @param memory budget charged for cached terms */
  constructor(terms: TermSource, memory?: MemoryBudget) {
    this.stored = 'locate' in terms ? (terms as TermBytesSource) : undefined;
    this.cache = new IdCache((id) => terms.term(id), lengthOf, memory);
  }

  term(id: TermId): RDF.Term {
    return this.cache.get(id);
  }

  triple(subject: TermId, predicate: TermId, object: TermId): RDF.Quad {
    return dataFactory.quad(
      this.term(subject) as RDF.Quad_Subject,
      this.term(predicate) as RDF.Quad_Predicate,
      this.term(object) as RDF.Quad_Object,
    );
  }
}

function lengthOf({ value }: RDF.Term): number {
  return value.length;
}

/** Rows from which a native copy is faster than a loop. */
const NATIVE_FROM = 128;

/**
 * With more columns than this, each is copied into its own buffer. Most of them share one column,
 * that of variables nothing binds.
 */
const MANY_COLUMNS = 32;

/**
 * Copies columns of a batch so that the consumer may keep them. Columns of medium length share one
 * buffer, because allocating a buffer takes longer than copying.
 */
export function ownColumns({ length, columns }: Batch, slots: readonly number[]): (Uint32Array | undefined)[] {
  if (slots.length > MANY_COLUMNS) return manyOwnColumns(length, columns, slots);
  if (length >= NATIVE_FROM) return slots.map((slot) => columns[slot]?.slice(0, length));
  const shared = length > HEAP_ROWS ? new Uint32Array(length * slots.length) : undefined;
  return slots.map((slot, at) => {
    const column = columns[slot];
    if (column === undefined) return undefined;
    const own = shared
      ? new Uint32Array(shared.buffer, at * length * Uint32Array.BYTES_PER_ELEMENT, length)
      : new Uint32Array(length);
    for (let row = 0; row < length; row++) own[row] = column[row];
    return own;
  });
}

/** Copies a column only once if it occurs several times in succession. */
function manyOwnColumns(
  length: number,
  columns: Batch['columns'],
  slots: readonly number[],
): (Uint32Array | undefined)[] {
  let last: Uint32Array | undefined;
  let own: Uint32Array | undefined;
  return slots.map((slot) => {
    const column = columns[slot];
    if (column !== last) own = column?.slice(0, length);
    last = column;
    return own;
  });
}

/** A batch of solutions as columns of ids. Terms are decoded on access. */
export class SolutionBatch implements BindingsBatch {
  readonly length: number;
  private readonly variables: readonly string[];
  private readonly columns: readonly (Uint32Array | undefined)[];
  private readonly terms: TermCache;

  constructor(
    variables: readonly string[],
    columns: readonly (Uint32Array | undefined)[],
    length: number,
    terms: TermCache,
  ) {
    this.variables = variables;
    this.columns = columns;
    this.length = length;
    this.terms = terms;
  }

  get ids(): SolutionIds | undefined {
    const { columns } = this;
    const { stored } = this.terms;
    return stored && { terms: stored, columns };
  }

  term(row: number, column: number): RDF.Term | undefined {
    const id = this.columns[column]?.[row] ?? NO_TERM;
    return id === NO_TERM ? undefined : this.terms.term(id);
  }

  *[Symbol.iterator](): Iterator<ResultRow> {
    for (let row = 0; row < this.length; row++) yield new ResultRow(this, row, this.variables);
  }
}
