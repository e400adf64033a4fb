import type * as RDF from '@rdfjs/types';
import type { QuadSink, TermWriter } from '../contracts/quad-sink.ts';
import type { TermId } from '../contracts/term-source.ts';
import { requirePositions } from '../model/quad-positions.ts';
import { uniteRuns } from './merge-runs.ts';
import type { Overlay } from './overlay.ts';
import { QuadRows } from './quad-rows.ts';
import { buildRun, EMPTY_RUN, type Run } from './run.ts';

/**
 * Rows are sorted into a run after every block of this many, so that an import needs little more
 * memory than its own columns.
 */
const BLOCK_ROWS = 1 << 22;

/** Bytes per row: four columns on arrival, and three columns in each of three orders in the run. */
const ROW_BYTES = 4 * (4 + 3 * 3);

/** Collects the quads of one import in a private overlay and sorts them into one run. */
export class QuadCollector implements QuadSink {
  readonly terms: TermWriter;
  length = 0;
  private readonly overlay: Overlay;
  private readonly contextOf: (graph: TermId) => number;
  private readonly contextByGraph = new Map<TermId, number>();
  private lastGraph: TermId = 0;
  private lastContext = 0;
  private readonly finished: Run[] = [];
  private rows = new QuadRows();

  /** @param contextOf returns the context of a graph; allocates one for a new graph */
  constructor(overlay: Overlay, contextOf: (graph: TermId) => number) {
    this.overlay = overlay;
    this.terms = overlay;
    this.contextOf = contextOf;
  }

  add(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    if (graph !== this.lastGraph) this.changeGraph(graph);
    this.rows.push(this.lastContext, subject, predicate, object);
    this.length++;
  }

  addQuad(quad: RDF.Quad): void {
    addTerms(this, this.overlay, quad);
  }

  /** The mentioned graphs with their contexts. */
  get graphs(): ReadonlyMap<TermId, number> {
    return this.contextByGraph;
  }

  /** Bytes of the rows collected so far and of the runs built from them. */
  get byteLength(): number {
    let total = this.rows.length * ROW_BYTES;
    for (const run of this.finished) total += run.byteLength;
    return total;
  }

  get blockIsFull(): boolean {
    return this.rows.length >= BLOCK_ROWS;
  }

  /** Sorts the rows collected since the last block. A kernel. Call it whenever `blockIsFull`. */
  *finishBlock(): Generator<void, void, void> {
    const { rows } = this;
    if (rows.length === 0) return;
    this.rows = new QuadRows();
    this.finished.push(yield* buildRun(yield* rows.columns()));
  }

  /**
   * Returns the rows collected so far as one run without duplicates. A kernel. More rows may
   * follow.
   */
  *finishSoFar(): Generator<void, Run, void> {
    yield* this.finishBlock();
    const run = this.finished.length === 0 ? EMPTY_RUN : yield* uniteRuns(this.finished);
    this.finished.splice(0, this.finished.length, run);
    return run;
  }

  /**
   * Returns all rows as one run without duplicates. A kernel. The collector must not be used
   * afterwards.
   */
  *finish(): Generator<void, Run, void> {
    return yield* this.finishSoFar();
  }

  private changeGraph(graph: TermId): void {
    let context = this.contextByGraph.get(graph);
    if (context === undefined) {
      context = this.contextOf(graph);
      this.contextByGraph.set(graph, context);
    }
    this.lastGraph = graph;
    this.lastContext = context;
  }
}

/**
 * Interns the terms of a quad, blank nodes by label, and adds the quad. Throws like
 * {@link requirePositions}.
 */
export function addTerms(sink: QuadSink, overlay: Overlay, quad: RDF.Quad): void {
  requirePositions(quad);
  sink.add(
    overlay.internScoped(quad.subject),
    overlay.internScoped(quad.predicate),
    overlay.internScoped(quad.object),
    overlay.internScoped(quad.graph),
  );
}
