import { QuadBatch, WANT_GRAPH } from '../contracts/quad-batch.ts';
import type { QuadCursor } from '../contracts/quad-source.ts';
import { ANY_NAMED_GRAPH, DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { gallopTriple, lowerBound, upperBound } from './bounds.ts';
import { copyRows, fillRows } from './copy-rows.ts';
import { boundBits, keysOf, PERMUTATION_OF_PATTERN, PERMUTATIONS, PREFIX_OF_PATTERN } from './permutation.ts';
import type { TripleColumns } from './run.ts';
import type { ViewedDataset } from './viewed-dataset.ts';

/**
 * The rows of one run that match the pattern and are still to be read: `position .. end - 1` of its
 * columns.
 */
interface Segment {
  /** The columns in sort order; `first` is the most significant key. */
  first: Uint32Array;
  second: Uint32Array;
  third: Uint32Array;
  /** The context column; present only in permutations that span all contexts. */
  contexts: Uint32Array | undefined;
  /** The context that all rows share, in a permutation of one context. */
  context: number;
  position: number;
  end: number;
  /** 1 if the rows are insertions, -1 if they are deletions. */
  sign: number;
}

const NO_COLUMN = new Uint32Array(0);

function emptySegment(): Segment {
  return {
    first: NO_COLUMN,
    second: NO_COLUMN,
    third: NO_COLUMN,
    contexts: undefined,
    context: 0,
    position: 0,
    end: 0,
    sign: 0,
  };
}

// Scan modes, by the work that the current segments require.

/** At most one segment, of insertions: every row is a quad. Rows are copied in blocks. */
const PLAIN = 0;
/** Several segments of one graph: deletions cancel insertions, and duplicates are dropped. */
const MERGED = 1;
/** Rows of all contexts: as MERGED, and each context is mapped to its graph or skipped. */
const COLLECTION = 2;

/**
 * Scans the quads of a dataset that match one pattern, in batches.
 *
 * A snapshot is a list of immutable sorted runs, each of insertions or of deletions. Quads are
 * grouped by *context*: one graph of one world, as a number. A graph of the dataset consists of one
 * context, or of several if worlds are queried together. Every run is sorted in three permutations
 * (spo, osp, pos), so the matches of a pattern are one contiguous range of each run: its *segment*.
 *
 * The cursor is a k-way merge of these segments in their common sort order. A quad is in the
 * dataset if more insertions than deletions of it are found (deltas are exact, see
 * `merge-runs.ts`), and is reported once, even if several contexts of the graph hold it.
 *
 * For few contexts, graphs are scanned one after another, with the segments of one graph at a time.
 * For many contexts, all graphs are scanned in one pass over the permutations that span all
 * contexts (`Run.collection`), which have the context as a fourth column.
 */
export class RangeCursor implements QuadCursor {
  private readonly view: ViewedDataset;
  /** Segments `0 .. segmentCount - 1` are in use; the others are pooled for reuse. */
  private readonly segments: Segment[] = [emptySegment()];
  private segmentCount = 0;
  private mode = PLAIN;
  /** Index into `PERMUTATIONS`: the sort order whose first keys are the bound positions. */
  private permutation = 0;
  /** Number of bound positions. */
  private prefix = 0;
  /** The terms of the pattern in the order of the permutation; the first `prefix` are bound. */
  private keys: [number, number, number] = [0, 0, 0];
  /** The graph reported for rows of the current segments. */
  private graph: TermId = NO_TERM;
  /** Remaining named graphs, when the pattern covers several: the next index and the end index. */
  private nextNamed = 0;
  private endNamed = 0;
  /** In collection mode: whether to report the default graph, and which named graphs. */
  private showDefault = false;
  private showNamed: TermId = NO_TERM;
  /** The current triple, in the order of the permutation. */
  private groupFirst = 0;
  private groupSecond = 0;
  private groupThird = 0;
  /** In collection mode: the graphs that hold the current triple, and the next one to report. */
  private readonly groupGraphs: number[] = [];
  private groupAt = 0;
  /** End of the rows that can be copied from the leader without comparison; see `findLeader`. */
  private leaderEnd = 0;

  constructor(view: ViewedDataset) {
    this.view = view;
  }

  seek(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    const bound = boundBits(subject, predicate, object);
    this.permutation = PERMUTATION_OF_PATTERN[bound];
    this.prefix = PREFIX_OF_PATTERN[bound];
    this.keys = keysOf(this.permutation, subject, predicate, object);
    this.segmentCount = 0;
    this.nextNamed = 0;
    this.endNamed = 0;
    this.groupGraphs.length = 0;
    this.groupAt = 0;
    this.groupFirst = this.groupSecond = this.groupThird = NO_TERM;
    const { view } = this;
    if (view.usesCollection(graph)) {
      this.openCollection(graph);
      return;
    }
    if (graph === NO_TERM || graph === ANY_NAMED_GRAPH) this.endNamed = view.contexts.named.length;
    if (graph === ANY_NAMED_GRAPH) {
      this.openNextNamed();
    } else {
      this.openGraph(graph === NO_TERM ? DEFAULT_GRAPH : graph);
    }
  }

  next(batch: QuadBatch): number {
    batch.length = 0;
    if (this.mode === COLLECTION) {
      this.fillCollection(batch);
      return batch.length;
    }
    for (;;) {
      if (this.mode === PLAIN) this.fillPlain(batch);
      else this.fillMerged(batch);
      if (batch.length === batch.capacity || !this.openNextNamed()) return batch.length;
    }
  }

  /** Counts the remaining quads and exhausts the cursor. */
  countRest(): number {
    let count = 0;
    if (this.mode === COLLECTION) {
      const batch = new QuadBatch(1024, WANT_GRAPH);
      for (let read = this.next(batch); read > 0; read = this.next(batch)) count += read;
      return count;
    }
    do {
      if (this.mode === PLAIN) {
        if (this.segmentCount > 0) {
          const [segment] = this.segments;
          count += segment.end - segment.position;
          segment.position = segment.end;
        }
      } else {
        while (this.nextMerged()) count++;
      }
    } while (this.openNextNamed());
    return count;
  }

  // --- opening ranges

  /** Opens the next named graph of the pattern. Returns false if there is none. */
  private openNextNamed(): boolean {
    if (this.nextNamed >= this.endNamed) return false;
    const { graph, contexts } = this.view.contexts.named[this.nextNamed++];
    this.openContexts(graph, contexts);
    return true;
  }

  private openGraph(graph: TermId): void {
    this.openContexts(graph, this.view.contexts.contextsOf(graph) ?? NO_COLUMN);
  }

  /** Opens the segments of the contexts of one graph. */
  private openContexts(graph: TermId, contexts: Uint32Array): void {
    const { runs, signs } = this.view.snapshot;
    this.graph = graph;
    this.segmentCount = 0;
    for (let c = 0; c < contexts.length; c++) {
      const context = contexts[c];
      for (let i = 0; i < runs.length; i++) {
        const run = runs[i];
        const entry = run.indexOfContext(context);
        if (entry < 0) continue;
        const found = run.search(this.permutation, entry, this.keys, this.prefix);
        const rows = found && run.rowsOf(this.permutation, found);
        if (rows) this.openRange(rows, 0, rows[0].length, signs[i], context);
        else
          this.openRange(run.columnsOf(this.permutation), run.starts[entry], run.starts[entry + 1], signs[i], context);
      }
    }
    this.mode = this.segmentCount <= 1 && (this.segmentCount === 0 || this.segments[0].sign > 0) ? PLAIN : MERGED;
  }

  /** Opens segments that span all contexts. `graph` selects the graphs to report. */
  private openCollection(graph: TermId): void {
    const { runs, signs } = this.view.snapshot;
    this.mode = COLLECTION;
    this.showDefault = graph === NO_TERM || graph === DEFAULT_GRAPH;
    this.showNamed = graph === NO_TERM ? ANY_NAMED_GRAPH : graph === DEFAULT_GRAPH ? NO_TERM : graph;
    for (let i = 0; i < runs.length; i++) {
      const columns = runs[i].collection![this.permutation];
      this.openRange(columns, 0, columns[0].length, signs[i], 0);
    }
  }

  /** Adds the segment of the rows in [start, end) that match the pattern, unless it is empty. */
  private openRange(columns: readonly Uint32Array[], start: number, end: number, sign: number, context: number): void {
    const { keys, prefix } = this;
    for (let i = 0; i < prefix; i++) {
      const column = columns[i];
      start = lowerBound(column, start, end, keys[i]);
      if (start === end || column[start] !== keys[i]) return;
      end = upperBound(column, start, end, keys[i]);
    }
    if (start === end) return;
    let segment = this.segments[this.segmentCount];
    if (segment === undefined) {
      segment = emptySegment();
      this.segments.push(segment);
    }
    this.segmentCount++;
    segment.first = columns[0];
    segment.second = columns[1];
    segment.third = columns[2];
    segment.contexts = columns[3];
    segment.context = context;
    segment.position = start;
    segment.end = end;
    segment.sign = sign;
  }

  // --- filling batches

  private fillPlain(batch: QuadBatch): void {
    if (this.segmentCount === 0) return;
    const [segment] = this.segments;
    const from = batch.length;
    const { position } = segment;
    const taken = Math.min(batch.capacity - from, segment.end - position);
    if (taken === 0) return;
    const [first, second, third] = columnsOf(batch, this.permutation);
    copyTriples(segment, position, first, second, third, from, taken);
    fillRows(batch.graph, this.graph, from, taken);
    segment.position = position + taken;
    batch.length = from + taken;
  }

  private fillMerged(batch: QuadBatch): void {
    const [first, second, third] = columnsOf(batch, this.permutation);
    while (batch.length < batch.capacity) {
      this.skipDeleted();
      const leader = this.findLeader();
      if (leader === undefined) return;
      if (leader.sign > 0 && this.leaderEnd > leader.position) {
        // No other segment holds these triples, and a context holds each triple once.
        const { position } = leader;
        const from = batch.length;
        const taken = Math.min(batch.capacity - from, this.leaderEnd - position);
        copyTriples(leader, position, first, second, third, from, taken);
        fillRows(batch.graph, this.graph, from, taken);
        leader.position = position + taken;
        batch.length = from + taken;
      } else if (this.nextMerged()) {
        const row = batch.length++;
        first[row] = this.groupFirst;
        second[row] = this.groupSecond;
        third[row] = this.groupThird;
        batch.graph[row] = this.graph;
      }
    }
  }

  /**
   * Skips quads that are inserted by one of two segments and deleted by the other. After a large
   * deletion, and until runs are merged, that is most of a range. Nothing is deleted that was not
   * inserted, so two such segments are of the same context.
   */
  private skipDeleted(): void {
    if (this.segmentCount !== 2) return;
    const [one, other] = this.segments;
    if (one.sign === other.sign) return;
    let at = one.position;
    let otherAt = other.position;
    while (at < one.end && otherAt < other.end) {
      if (one.third[at] !== other.third[otherAt]) break;
      if (one.second[at] !== other.second[otherAt] || one.first[at] !== other.first[otherAt]) break;
      if (one.contexts && one.contexts[at] !== other.contexts![otherAt]) break;
      at++;
      otherAt++;
    }
    one.position = at;
    other.position = otherAt;
  }

  /** Advances to the next triple that is live in any context of the current graph. */
  private nextMerged(): boolean {
    this.skipDeleted();
    while (this.takeSmallest()) {
      const { segments, segmentCount, groupFirst, groupSecond, groupThird } = this;
      // A triple is live in a context if its signs sum to more than 0. Segments of one context are
      // adjacent.
      let alive = false;
      let context = -1;
      let net = 0;
      for (let i = 0; i < segmentCount; i++) {
        const segment = segments[i];
        if (!headIs(segment, groupFirst, groupSecond, groupThird)) continue;
        segment.position++;
        if (segment.context !== context) {
          alive ||= net > 0;
          context = segment.context;
          net = 0;
        }
        net += segment.sign;
      }
      if (alive || net > 0) return true;
    }
    return false;
  }

  private fillCollection(batch: QuadBatch): void {
    const columns = columnsOf(batch, this.permutation);
    const [first, second, third] = columns;
    const { groupGraphs } = this;
    for (;;) {
      while (this.groupAt < groupGraphs.length) {
        if (batch.length === batch.capacity) return;
        const row = batch.length++;
        first[row] = this.groupFirst;
        second[row] = this.groupSecond;
        third[row] = this.groupThird;
        batch.graph[row] = groupGraphs[this.groupAt++];
      }
      this.skipDeleted();
      const leader = this.findLeader();
      if (leader === undefined) return;
      if (leader.sign > 0 && this.leaderEnd > leader.position) {
        if (this.showNamed === NO_TERM) this.copyDefaultGraph(leader, batch, columns);
        else this.copyGraphs(leader, batch, columns);
        if (batch.length === batch.capacity) return;
      } else if (!this.nextGroup()) {
        return;
      }
    }
  }

  /**
   * Copies the default graph's triples from the leader's exclusive rows. Emits each triple once,
   * however many contexts hold it.
   */
  private copyDefaultGraph(leader: Segment, batch: QuadBatch, [first, second, third]: TripleColumns): void {
    const { view, leaderEnd } = this;
    const isDefault = view.contexts.defaultByContext(view.contextCount);
    const contexts = leader.contexts!;
    const from = batch.length;
    let row = from;
    let { position } = leader;
    // The last triple emitted from these rows; the same triple in another context is a duplicate.
    let { groupFirst, groupSecond, groupThird } = this;
    for (; position < leaderEnd; position++) {
      if (isDefault[contexts[position]] === 0) continue;
      const c = leader.third[position];
      const b = leader.second[position];
      const a = leader.first[position];
      if (c === groupThird && b === groupSecond && a === groupFirst) continue;
      if (row === batch.capacity) break;
      groupFirst = first[row] = a;
      groupSecond = second[row] = b;
      groupThird = third[row] = c;
      row++;
    }
    this.groupFirst = groupFirst;
    this.groupSecond = groupSecond;
    this.groupThird = groupThird;
    leader.position = position;
    batch.graph.fill(DEFAULT_GRAPH, from, row);
    batch.length = row;
  }

  /**
   * Copies the triples of the leader's exclusive rows, each once per graph that is to be reported.
   * Graphs for which the batch has no room become those of the current triple.
   */
  private copyGraphs(leader: Segment, batch: QuadBatch, [first, second, third]: TripleColumns): void {
    const { leaderEnd, groupGraphs } = this;
    const { capacity, graph: graphs } = batch;
    const named = this.view.contexts.namedGraphByContext(this.view.contextCount);
    const contexts = leader.contexts!;
    let row = batch.length;
    let { position } = leader;
    while (position < leaderEnd && row < capacity) {
      const a = leader.first[position];
      const b = leader.second[position];
      const c = leader.third[position];
      const context = contexts[position++];
      const isLast = position === leaderEnd || !headIs(leader, a, b, c, position);
      if (isLast && !this.showDefault) {
        // Nearly all rows, if contexts are the graphs of one world.
        const graph = named[context];
        if (graph === NO_TERM || (this.showNamed !== ANY_NAMED_GRAPH && this.showNamed !== graph)) continue;
        first[row] = a;
        second[row] = b;
        third[row] = c;
        graphs[row++] = graph;
        continue;
      }
      groupGraphs.length = 0;
      this.addGraphs(context);
      while (position < leaderEnd && headIs(leader, a, b, c, position)) this.addGraphs(contexts[position++]);
      let given = 0;
      for (; given < groupGraphs.length && row < capacity; given++) {
        first[row] = a;
        second[row] = b;
        third[row] = c;
        graphs[row++] = groupGraphs[given];
      }
      this.groupAt = given;
      this.groupFirst = a;
      this.groupSecond = b;
      this.groupThird = c;
    }
    leader.position = position;
    batch.length = row;
  }

  /** Adds the graphs to report for a context to those of the current triple. */
  private addGraphs(context: number): void {
    const { view, groupGraphs, showNamed } = this;
    if (this.showDefault && view.contexts.defaultByContext(view.contextCount)[context] === 1)
      addOnce(groupGraphs, DEFAULT_GRAPH);
    const graph = view.contexts.namedGraphByContext(view.contextCount)[context];
    if (graph !== NO_TERM && (showNamed === ANY_NAMED_GRAPH || showNamed === graph)) addOnce(groupGraphs, graph);
  }

  /**
   * Returns the segment with the smallest head, and sets `leaderEnd` to its first row that is not
   * below the smallest head of the other segments. Most rows are usually in one large run, so long
   * blocks are copied without a comparison per row.
   */
  private findLeader(): Segment | undefined {
    const { segments, segmentCount } = this;
    let leader: Segment | undefined;
    let rival: Segment | undefined;
    for (let i = 0; i < segmentCount; i++) {
      const segment = segments[i];
      if (segment.position === segment.end) continue;
      if (leader === undefined || compareHeads(segment, leader) < 0) {
        rival = leader;
        leader = segment;
      } else if (rival === undefined || compareHeads(segment, rival) < 0) {
        rival = segment;
      }
    }
    if (leader !== undefined) this.leaderEnd = rival === undefined ? leader.end : endBefore(leader, rival);
    return leader;
  }

  /**
   * Advances to the next triple that is visible in any graph of the pattern and collects those
   * graphs.
   */
  private nextGroup(): boolean {
    const { groupGraphs, segments } = this;
    groupGraphs.length = 0;
    this.groupAt = 0;
    while (groupGraphs.length === 0) {
      if (!this.takeSmallest()) return false;
      const { groupFirst, groupSecond, groupThird, segmentCount } = this;
      // Visits the rows of this triple context by context; contexts ascend within each segment.
      for (;;) {
        let context = -1;
        let net = 0;
        for (let i = 0; i < segmentCount; i++) {
          const segment = segments[i];
          if (!headIs(segment, groupFirst, groupSecond, groupThird)) continue;
          const found = segment.contexts![segment.position];
          if (context < 0 || found < context) {
            context = found;
            net = segment.sign;
          } else if (found === context) {
            net += segment.sign;
          }
        }
        if (context < 0) break;
        for (let i = 0; i < segmentCount; i++) {
          const segment = segments[i];
          if (headIs(segment, groupFirst, groupSecond, groupThird) && segment.contexts![segment.position] === context) {
            segment.position++;
          }
        }
        if (net > 0) this.addGraphs(context);
      }
    }
    return true;
  }

  /**
   * Finds the smallest triple at the head of any segment. Returns false if all segments are
   * exhausted.
   */
  private takeSmallest(): boolean {
    const { segments, segmentCount } = this;
    let found = false;
    let first = 0;
    let second = 0;
    let third = 0;
    for (let i = 0; i < segmentCount; i++) {
      const segment = segments[i];
      const { position } = segment;
      if (position === segment.end) continue;
      const a = segment.first[position];
      if (found && a > first) continue;
      const b = segment.second[position];
      if (found && a === first && b > second) continue;
      const c = segment.third[position];
      if (found && a === first && b === second && c >= third) continue;
      found = true;
      first = a;
      second = b;
      third = c;
    }
    this.groupFirst = first;
    this.groupSecond = second;
    this.groupThird = third;
    return found;
  }
}

/** Returns whether the head of a segment, or the row at a position, is the given triple. */
function headIs(segment: Segment, a: number, b: number, c: number, position: number = segment.position): boolean {
  const { first, second, third, end } = segment;
  return position !== end && first[position] === a && second[position] === b && third[position] === c;
}

function compareHeads(one: Segment, other: Segment): number {
  const i = one.position;
  const j = other.position;
  return one.first[i] - other.first[j] || one.second[i] - other.second[j] || one.third[i] - other.third[j];
}

/** Returns the first row of a segment whose triple is not below the head of another segment. */
function endBefore(segment: Segment, rival: Segment): number {
  const head = rival.position;
  return gallopTriple(
    [segment.first, segment.second, segment.third],
    segment.position,
    segment.end,
    rival.first[head],
    rival.second[head],
    rival.third[head],
  );
}

/** Copies rows of a segment into the requested columns. */
function copyTriples(
  segment: Segment,
  position: number,
  first: Uint32Array,
  second: Uint32Array,
  third: Uint32Array,
  at: number,
  count: number,
): void {
  copyRows(segment.first, position, first, at, count);
  copyRows(segment.second, position, second, at, count);
  copyRows(segment.third, position, third, at, count);
}

/** Returns the batch's columns in the order of a permutation. */
function columnsOf(batch: QuadBatch, permutation: number): TripleColumns {
  const { order } = PERMUTATIONS[permutation];
  const positions = [batch.subject, batch.predicate, batch.object];
  return [positions[order[0]], positions[order[1]], positions[order[2]]];
}

function addOnce(list: number[], value: number): void {
  if (!list.includes(value)) list.push(value);
}
