import type * as RDF from '@rdfjs/types';
import { WorldsError } from '../model/worlds-error.ts';
import type { QuadSink, TermWriter } from '../storage/quad-sink.ts';
import type { TermId } from '../storage/term-source.ts';
import { uniteRuns } from './merge-runs.ts';
import type { Overlay } from './overlay.ts';
import { QuadRows } from './quad-rows.ts';
import { buildRun, EMPTY_RUN, type Run } from './run.ts';

/**
 * Rows are sorted into a run whenever so many have come in, so that an import needs little more
 * than its own columns.
 */
const BLOCK_ROWS = 1 << 22;

/** Of a row: four columns as it comes in, and three orders of three columns in the run. */
const ROW_BYTES = 4 * (4 + 3 * 3);

/** Gathers the quads of one import in a private overlay and sorts them into one run. */
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

  /** @param contextOf gives the context of a graph, and makes one for a graph that is new */
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

  /** The graphs that were mentioned, with their contexts. */
  get graphs(): ReadonlyMap<TermId, number> {
    return this.contextByGraph;
  }

  /** The memory of what has come in, and of the run that it becomes. */
  get byteLength(): number {
    let total = this.rows.length * ROW_BYTES;
    for (const run of this.finished) total += run.byteLength;
    return total;
  }

  get blockIsFull(): boolean {
    return this.rows.length >= BLOCK_ROWS;
  }

  /** Sorts what has come in since the last block. A kernel; call it when `blockIsFull`. */
  *finishBlock(): Generator<void, void, void> {
    const { rows } = this;
    if (rows.length === 0) return;
    this.rows = new QuadRows();
    this.finished.push(yield* buildRun(rows.columns()));
  }

  /** What has come in so far as one run without duplicates. A kernel; more may follow. */
  *finishSoFar(): Generator<void, Run, void> {
    yield* this.finishBlock();
    const run = this.finished.length === 0 ? EMPTY_RUN : yield* uniteRuns(this.finished);
    this.finished.splice(0, this.finished.length, run);
    return run;
  }

  /** Everything as one run without duplicates. A kernel; the collector is used up then. */
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
 * As deep as the readers of documents go, so that whatever is stored can be exported and imported
 * again.
 */
const MAX_TRIPLE_DEPTH = 64;

/**
 * Which kinds of term may stand where (RDF 1.1 Concepts 3.1; triple terms as objects: RDF 1.2
 * Concepts 3.1).
 */
const POSITIONS = {
  subject: ['NamedNode', 'BlankNode'],
  predicate: ['NamedNode'],
  object: ['NamedNode', 'BlankNode', 'Literal', 'Quad'],
  graph: ['DefaultGraph', 'NamedNode', 'BlankNode'],
} as const;

/**
 * Adds a quad whose terms come into the overlay, its blank nodes by their labels. Throws as
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

/** Throws INVALID_RDF when a term stands in a position where RDF does not allow its kind. */
export function requirePositions(quad: RDF.BaseQuad, depth = 0): void {
  if (depth > MAX_TRIPLE_DEPTH)
    throw new WorldsError('INVALID_RDF', `Triple terms are nested more than ${MAX_TRIPLE_DEPTH} deep.`);
  for (const position of ['subject', 'predicate', 'object', 'graph'] as const) {
    const term = quad[position];
    const allowed: readonly string[] = POSITIONS[position];
    if (!allowed.includes(term?.termType)) {
      throw new WorldsError(
        'INVALID_RDF',
        `A quad has a ${term?.termType ?? typeof term} as its ${position}; it must be one of ${allowed.join(', ')}.`,
      );
    }
    if (term.termType === 'Quad' && position === 'object')
      requirePositions({ ...tripleOf(term), graph: quad.graph } as RDF.BaseQuad, depth + 1);
  }
}

function tripleOf({ subject, predicate, object }: RDF.BaseQuad) {
  return { subject, predicate, object };
}
