import type { QuadProbe } from '../contracts/quad-probe.ts';
import type { QuadCursor, QuadReader, QuadSource, TermCounts } from '../contracts/quad-source.ts';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import { ANY_NAMED_GRAPH, DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { lowerBound, upperBound } from './bounds.ts';
import { COLLECTION_THRESHOLD, ContextMap, MAX_SECTIONED } from './context-map.ts';
import { type AnyIndex, subjectIndexName } from './lookup-index.ts';
import type { GraphContexts } from './named-graphs.ts';
import {
  boundBits,
  GRAPH,
  keysOf,
  PERMUTATION_OF_PATTERN,
  PERMUTATIONS,
  POS,
  PREFIX_OF_PATTERN,
} from './permutation.ts';
import { predicateRowsOf, type RowRange, subjectsOf } from './predicate-rows.ts';
import { RangeCursor } from './range-cursor.ts';
import { RangeProbe } from './range-probe.ts';
import type { Run } from './run.ts';
import type { Snapshot } from './snapshot.ts';
import { SubjectCursor } from './subject-cursor.ts';
import { GraphCounts, RangeTermCounts } from './term-counts.ts';
import type { ViewedDataset } from './viewed-dataset.ts';

/**
 * A dataset over one snapshot of one namespace: the {@link QuadSource} of the columnar store.
 * Immutable. Creating one takes constant time, whatever the size of the data.
 */
export class DatasetView implements QuadSource, ViewedDataset {
  readonly terms: TermBytesSource;
  readonly snapshot: Snapshot;
  readonly contexts: ContextMap;
  /** Greater than every context number in the snapshot. */
  readonly contextCount: number;
  private readonly hasCollection: boolean;

  constructor(terms: TermBytesSource, snapshot: Snapshot, contexts: ContextMap, contextCount: number) {
    this.terms = terms;
    this.snapshot = snapshot;
    this.contexts = contexts;
    this.contextCount = contextCount;
    this.hasCollection = snapshot.hasCollection && contexts.wantsCollection(snapshot);
  }

  get graphs(): Uint32Array {
    return this.contexts.graphs;
  }

  get measured(): Map<string, number> {
    return this.snapshot.measuredFor(this.contexts);
  }

  get layout(): object {
    return this.contexts;
  }

  termCounts(
    subject: TermId,
    predicate: TermId,
    object: TermId,
    graph: TermId,
    position: number,
  ): TermCounts | undefined {
    if (position === GRAPH) {
      const { named } = this.contexts;
      if (graph !== ANY_NAMED_GRAPH || named.some(({ contexts }) => contexts.length !== 1)) return undefined;
      return new GraphCounts(named, (context) => this.countContext(context, subject, predicate, object));
    }
    if (graph === NO_TERM || graph === ANY_NAMED_GRAPH) return undefined;
    const contexts = this.contexts.contextsOf(graph) ?? NO_CONTEXTS;
    // A triple held by several contexts of a graph must count once, so range lengths are not exact.
    if (contexts.length > 1) return undefined;
    return RangeTermCounts.of(this.snapshot, contexts, [subject, predicate, object], position);
  }

  cursor(): QuadCursor {
    return new RangeCursor(this);
  }

  probe(): QuadProbe {
    return new RangeProbe(this);
  }

  /**
   * Samples the context and run with the most matching quads; returns 0 over all graphs, and over
   * many contexts.
   */
  sample(
    subject: TermId,
    predicate: TermId,
    object: TermId,
    graph: TermId,
    position: number,
    terms: Uint32Array,
  ): number {
    if (graph === NO_TERM || graph === ANY_NAMED_GRAPH) return 0;
    const contexts = this.contexts.contextsOf(graph) ?? NO_CONTEXTS;
    if (contexts.length > MAX_SECTIONED) return 0;
    const bound = boundBits(subject, predicate, object);
    const permutation = PERMUTATION_OF_PATTERN[bound];
    const keys = keysOf(permutation, subject, predicate, object);
    const { runs, signs } = this.snapshot;
    let best = NO_ROWS;
    let columns: readonly Uint32Array[] = [];
    for (const context of contexts) {
      for (let i = 0; i < runs.length; i++) {
        const entry = runs[i].indexOfContext(context);
        if (entry < 0 || signs[i] < 0) continue;
        const { starts } = runs[i];
        const rows = prefixRows(runs[i].columns[permutation], starts[entry], starts[entry + 1], keys, bound);
        if (rows.end - rows.start <= best.end - best.start) continue;
        best = rows;
        columns = runs[i].columns[permutation];
      }
    }
    const length = best.end - best.start;
    const count = Math.min(terms.length, length);
    const column = columns[PERMUTATIONS[permutation].order.indexOf(position as 0 | 1 | 2)];
    // Takes the middle row of each of `count` equal parts.
    for (let i = 0; i < count; i++) terms[i] = column[best.start + Math.floor(((i + 0.5) * length) / count)];
    return count;
  }

  /**
   * Reads the lookup indexes of the predicate by subject. Undefined until those of all large runs
   * are complete, and if too many quads are in runs that have none, or of subjects that several
   * contexts may have.
   */
  bySubject(predicate: TermId, graph: TermId): QuadReader | undefined {
    if (graph === NO_TERM || graph === ANY_NAMED_GRAPH) return undefined;
    const contexts = this.contexts.contextsOf(graph) ?? NO_CONTEXTS;
    if (contexts.length > MAX_SECTIONED) return undefined;
    const { runs, signs } = this.snapshot;
    const indexes: (AnyIndex | undefined)[] = [];
    const others: Uint32Array[] = [];
    let inIndexes = 0;
    let inOthers = 0;
    for (const context of contexts) {
      for (let i = 0; i < runs.length; i++) {
        const count = countInRun(runs[i], context, NO_TERM, predicate, NO_TERM);
        if (signs[i] > 0 && count >= MIN_INDEXED) {
          indexes.push(predicateIndex(runs[i], context, predicate));
          inIndexes += count;
        } else if (count > 0) {
          others.push(subjectsOf(runs[i], runs[i].indexOfContext(context), predicate));
          inOthers += count;
        }
      }
    }
    if (!indexes.every(isComplete)) return undefined;
    const inOrder = indexes.sort((one, other) => one.lowest - other.lowest);
    if (contexts.length > 1) {
      for (const shared of subjectsInSeveral(inOrder)) {
        others.push(shared);
        inOthers += shared.length;
        if (inOthers > MAX_OTHERS) return undefined;
      }
    }
    if (inOthers > MAX_OTHERS || inOthers * ROWS_PER_OTHER > inIndexes) return undefined;
    return new SubjectCursor(inOrder, predicate, graph, distinct(others, inOthers), this.cursor());
  }

  count(subject: TermId, predicate: TermId, object: TermId, graph: TermId): number {
    if (this.isExact(graph)) return this.estimate(subject, predicate, object, graph);
    // Several worlds may have a triple, so that all are read: once for a snapshot.
    const { measured } = this;
    const key = `count ${subject},${predicate},${object},${graph}`;
    let count = measured.get(key);
    if (count === undefined) {
      const cursor = new RangeCursor(this);
      cursor.seek(subject, predicate, object, graph);
      count = cursor.countRest();
      if (measured.size < MAX_MEASURED) measured.set(key, count);
    }
    return count;
  }

  estimate(subject: TermId, predicate: TermId, object: TermId, graph: TermId): number {
    const { contexts } = this;
    if (this.usesCollection(graph)) {
      // FROM <g> FROM NAMED <g>: each row matches twice.
      const shown = graph === NO_TERM && contexts.overlap ? 2 : 1;
      return shown * this.estimateCollection(subject, predicate, object);
    }
    if (graph !== NO_TERM && graph !== ANY_NAMED_GRAPH) {
      return this.countContexts(contexts.contextsOf(graph) ?? NO_CONTEXTS, subject, predicate, object);
    }
    let total = graph === NO_TERM ? this.countContexts(contexts.defaultContexts, subject, predicate, object) : 0;
    for (const named of contexts.named) total += this.countContexts(named.contexts, subject, predicate, object);
    return total;
  }

  dataset(defaultGraphs: readonly TermId[], namedGraphs: readonly TermId[] | Uint32Array): QuadSource {
    const defaultContexts = new Set<number>();
    for (const graph of defaultGraphs) {
      for (const context of this.contexts.contextsOf(graph) ?? NO_CONTEXTS) defaultContexts.add(context);
    }
    const defaults = Uint32Array.from(defaultContexts).sort();
    if (namedGraphs === this.contexts.graphs)
      return new DatasetView(this.terms, this.snapshot, this.contexts.withDefault(defaults), this.contextCount);
    const named: GraphContexts[] = [];
    for (const graph of Uint32Array.from(new Set(namedGraphs)).sort()) {
      const contexts = graph === DEFAULT_GRAPH ? undefined : this.contexts.contextsOf(graph);
      if (contexts) named.push({ graph, contexts });
    }
    return new DatasetView(this.terms, this.snapshot, new ContextMap(defaults, named), this.contextCount);
  }

  merged(): QuadSource {
    return new DatasetView(this.terms, this.snapshot, this.contexts.merged(), this.contextCount);
  }

  /**
   * Returns whether a pattern with this graph position is answered from the permutations over all
   * contexts.
   */
  usesCollection(graph: TermId): boolean {
    return this.contexts.countContexts(graph) > COLLECTION_THRESHOLD && this.hasCollection;
  }

  /**
   * Returns whether range lengths alone count a pattern exactly: no two of its contexts map to the
   * same graph.
   */
  private isExact(graph: TermId): boolean {
    if (this.usesCollection(graph)) return false;
    const { contexts } = this;
    if (graph === NO_TERM || graph === DEFAULT_GRAPH) {
      if (contexts.defaultContexts.length > 1) return false;
      if (graph === DEFAULT_GRAPH) return true;
    }
    if (graph === NO_TERM || graph === ANY_NAMED_GRAPH) return contexts.hasPlainGraphs;
    return (contexts.contextsOf(graph)?.length ?? 0) <= 1;
  }

  private countContexts(contexts: Uint32Array, subject: TermId, predicate: TermId, object: TermId): number {
    let total = 0;
    for (const context of contexts) total += this.countContext(context, subject, predicate, object);
    return total;
  }

  /** Returns the number of quads in one context that match. */
  private countContext(context: number, subject: TermId, predicate: TermId, object: TermId): number {
    const { runs, signs } = this.snapshot;
    let total = 0;
    for (let i = 0; i < runs.length; i++) total += signs[i] * countInRun(runs[i], context, subject, predicate, object);
    return total;
  }

  private estimateCollection(subject: TermId, predicate: TermId, object: TermId): number {
    const { runs, signs } = this.snapshot;
    const bound = boundBits(subject, predicate, object);
    const permutation = PERMUTATION_OF_PATTERN[bound];
    const keys = keysOf(permutation, subject, predicate, object);
    let total = 0;
    for (let i = 0; i < runs.length; i++) {
      const columns = runs[i].collection![permutation];
      total += signs[i] * countPrefix(columns, 0, columns[0].length, keys, PREFIX_OF_PATTERN[bound]);
    }
    return total;
  }
}

const NO_CONTEXTS = new Uint32Array(0);
/** Runs with fewer quads of a predicate have no index of them that is read by subject. */
const MIN_INDEXED = 1024;
/**
 * Quads of a predicate that may be without an index if it is read by subject: as many as are sorted
 * in a few milliseconds, and few beside those of the indexes, because each subject is searched in
 * all runs.
 */
const MAX_OTHERS = 1 << 15;
const ROWS_PER_OTHER = 16;
/** Maximum number of measurements of a dataset that may be kept when a count is added. */
const MAX_MEASURED = 4096;

/** Returns the number of rows of a run that match a pattern in one context. */
export function countInRun(run: Run, context: number, subject: TermId, predicate: TermId, object: TermId): number {
  const entry = run.indexOfContext(context);
  if (entry < 0) return 0;
  const bound = boundBits(subject, predicate, object);
  const permutation = PERMUTATION_OF_PATTERN[bound];
  const keys = keysOf(permutation, subject, predicate, object);
  const prefix = PREFIX_OF_PATTERN[bound];
  if (prefix === 0) return run.starts[entry + 1] - run.starts[entry];
  const found = run.search(permutation, entry, keys, prefix);
  if (found) return found.end - found.start;
  return countPrefix(run.columnsOf(permutation), run.starts[entry], run.starts[entry + 1], keys, prefix);
}

/**
 * Returns the index by subject of a predicate's quads in one context of a run; undefined if it is
 * not complete yet. As many lookups are expected as there are quads.
 */
function predicateIndex(run: Run, context: number, predicate: TermId): AnyIndex | undefined {
  const entry = run.indexOfContext(context);
  const from = run.starts[entry];
  const [, values, keys] = run.columnsOf(POS);
  const { start, end } = predicateRowsOf(run, entry, predicate);
  const range = { columns: { keys, values, contexts: undefined }, start, end, isSorted: false };
  return run.lookupIndexes.get(subjectIndexName('one', from, predicate), range, end - start);
}

function isComplete(index: AnyIndex | undefined): index is AnyIndex {
  return index !== undefined;
}

/**
 * Returns the subjects of some indexes that are in the range of an earlier one: two worlds may have
 * the same quad of them.
 *
 * @param indexes by their lowest subject
 */
function* subjectsInSeveral(indexes: readonly AnyIndex[]): Generator<Uint32Array, void, void> {
  let highest = -1;
  for (const index of indexes) {
    if (index.lowest <= highest) yield index.keysBetween(index.lowest, Math.min(highest, index.highest));
    highest = Math.max(highest, index.highest);
  }
}

/** Returns the ids of some columns, ascending, without duplicates. */
function distinct(columns: readonly Uint32Array[], length: number): Uint32Array {
  const all = new Uint32Array(length);
  let filled = 0;
  for (const column of columns) {
    all.set(column, filled);
    filled += column.length;
  }
  all.sort();
  return all.filter((id, i) => i === 0 || id !== all[i - 1]);
}

const NO_ROWS: RowRange = { start: 0, end: 0 };

/** Returns the rows among `start .. end - 1` that match the bound positions of a pattern. */
function prefixRows(
  columns: readonly Uint32Array[],
  start: number,
  end: number,
  keys: readonly number[],
  bound: number,
): RowRange {
  for (let i = 0; i < PREFIX_OF_PATTERN[bound] && start < end; i++) {
    start = lowerBound(columns[i], start, end, keys[i]);
    end = upperBound(columns[i], start, end, keys[i]);
  }
  return { start, end };
}

function countPrefix(
  columns: readonly Uint32Array[],
  start: number,
  end: number,
  keys: readonly number[],
  prefix: number,
): number {
  for (let i = 0; i < prefix && start < end; i++) {
    start = lowerBound(columns[i], start, end, keys[i]);
    end = upperBound(columns[i], start, end, keys[i]);
  }
  return end - start;
}
