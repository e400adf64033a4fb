import assert from 'node:assert/strict';
import {
  ANY_NAMED_GRAPH,
  DEFAULT_GRAPH,
  NO_TERM,
  QuadBatch,
  type QuadCursor,
  type QuadSource,
  type TermId,
} from '@rdf-worlds/core/plugin';
import type { NaiveDataset } from '../naive-dataset.ts';
import { termKey } from '../term-key.ts';

/** A quad or a quad pattern. */
export type Ids = readonly [subject: TermId, predicate: TermId, object: TermId, graph: TermId];

/**
 * The sort order of the unbound positions, indexed by the bound ones as bits (1 subject, 2
 * predicate, 4 object).
 */
const ORDERS: readonly (readonly number[])[] = [[0, 1, 2], [1, 2], [2, 0], [2], [0, 1], [1], [0], []];

/** Reads the rest of a cursor's pattern in batches of the given capacity. */
export function drain(cursor: QuadCursor, capacity: number): Ids[] {
  const batch = new QuadBatch(capacity);
  const rows: Ids[] = [];
  for (;;) {
    const length = cursor.next(batch);
    assert.equal(batch.length, length, 'the batch knows how many rows it has');
    if (length === 0) return rows;
    assert.ok(length <= capacity);
    for (let row = 0; row < length; row++) {
      rows.push([batch.subject[row], batch.predicate[row], batch.object[row], batch.graph[row]]);
    }
  }
}

export function scan(source: QuadSource, pattern: Ids, capacity = 1024): Ids[] {
  const cursor = source.cursor();
  cursor.seek(...pattern);
  return drain(cursor, capacity);
}

/**
 * Compares a source with the model it must agree with. Patterns are given by the ids of the model.
 */
export class SourceProbe {
  readonly source: QuadSource;
  readonly model: NaiveDataset;
  readonly keyOf: (id: TermId) => string;
  readonly idsByKey: ReadonlyMap<string, TermId>;
  private readonly exact: boolean;

  /**
   * `key` must print terms of the source as {@link termKey} prints those of the model. With
   * `exact`, estimates within one graph must equal counts.
   */
  constructor(
    source: QuadSource,
    model: NaiveDataset,
    key: (id: TermId) => string,
    { ids, exact }: { readonly ids: ReadonlyMap<string, TermId>; readonly exact: boolean },
  ) {
    this.source = source;
    this.model = model;
    this.keyOf = key;
    this.idsByKey = ids;
    this.exact = exact;
  }

  /** Returns the source's id for a term of the model; wildcards are the same in both. */
  id(modelId: TermId): TermId {
    if (modelId === NO_TERM || modelId === DEFAULT_GRAPH || modelId === ANY_NAMED_GRAPH) return modelId;
    const id = this.idsByKey.get(this.modelKey(modelId));
    assert.ok(id !== undefined, `the source has the term ${this.modelKey(modelId)}`);
    return id;
  }

  pattern(modelPattern: Ids): Ids {
    return modelPattern.map((id) => this.id(id)) as unknown as Ids;
  }

  /** Compares the quads of a pattern, their number and their order. */
  expectAgreement(modelPattern: Ids, capacity = 1024): void {
    const pattern = this.pattern(modelPattern);
    const rows = scan(this.source, pattern, capacity);
    const expected = this.model.match(...modelPattern).map((row) => row.map((id) => this.modelKey(id)).join(' '));
    const what = modelPattern
      .map((id) => (id === NO_TERM || id === ANY_NAMED_GRAPH ? '*' : this.modelKey(id)))
      .join(' ');
    assert.deepEqual(rows.map((row) => row.map((id) => this.keyOf(id)).join(' ')).sort(), expected.sort(), what);
    assert.equal(this.source.count(...pattern), rows.length, `count of ${what}`);
    const estimate = this.source.estimate(...pattern);
    const oneGraph = pattern[3] !== NO_TERM && pattern[3] !== ANY_NAMED_GRAPH;
    const agrees = this.exact && oneGraph ? estimate === rows.length : estimate >= rows.length;
    assert.ok(agrees, `estimate ${estimate} of ${what}`);
    this.expectOrder(pattern, rows);
  }

  /** Checks the names of the graphs and that they ascend by id. */
  expectGraphs(): void {
    const ids = [...this.source.graphs];
    assert.deepEqual(
      ids,
      [...ids].sort((left, right) => left - right),
      'graphs ascend by id',
    );
    const expected = [...this.model.graphs].map((id) => this.modelKey(id));
    assert.deepEqual(ids.map((id) => this.keyOf(id)).sort(), expected.sort());
  }

  private modelKey(id: TermId): string {
    return termKey(this.model.terms.term(id));
  }

  private expectOrder(pattern: Ids, rows: readonly Ids[]): void {
    const bound = [0, 1, 2].reduce((bits, position) => bits | (pattern[position] === NO_TERM ? 0 : 1 << position), 0);
    const last = new Map<TermId, Ids>();
    for (const row of rows) {
      const before = last.get(row[3]);
      last.set(row[3], row);
      if (!before) continue;
      const position = ORDERS[bound].find((each) => before[each] !== row[each]);
      assert.ok(position !== undefined, `a quad comes once: ${row}`);
      assert.ok(before[position] < row[position], `quads of one graph ascend: ${before} before ${row}`);
    }
  }
}
