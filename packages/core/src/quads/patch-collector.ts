import type * as RDF from '@rdfjs/types';
import { Buffer } from '#platform';
import { QuadList } from '../contracts/quad-list.ts';
import type { PatchSink, TermWriter } from '../contracts/quad-sink.ts';
import type { TermId } from '../contracts/term-source.ts';
import { gallopTriple } from './bounds.ts';
import type { Overlay } from './overlay.ts';
import { SPO } from './permutation.ts';
import { addTerms } from './quad-collector.ts';
import { buildRun, type Run } from './run.ts';

const STEP = 1 << 14;
/**
 * Bytes per row: its columns, those of the run of all rows, those of the run of its kind of change,
 * and two bytes of change codes.
 */
const ROW_BYTES = 4 * (4 + 2 * 3 * 3) + 2;

const ABORTED = 0;
const ADDED = 1;
const REMOVED = 2;

/**
 * The net effect of a patch: quads present afterwards and quads absent afterwards. No quad is in
 * both.
 */
export interface NetPatch {
  readonly added: Run;
  readonly removed: Run;
}

/**
 * Collects the changes of one patch, in order, in a private overlay, and computes their net effect.
 */
export class PatchCollector implements PatchSink {
  readonly terms: TermWriter;
  removes = false;
  length = 0;
  /** Number of prefix changes ignored. */
  ignoredPrefixes = 0;
  private readonly overlay: Overlay;
  private readonly contextOf: (graph: TermId) => number;
  private readonly contextByGraph = new Map<TermId, number>();
  /** Holds contexts instead of graphs. */
  private readonly rows = new QuadList();
  private changes = new Uint8Array(1 << 10);
  private transaction = 0;

  /** @param contextOf returns the context of a graph; allocates one for a new graph */
  constructor(overlay: Overlay, contextOf: (graph: TermId) => number) {
    this.overlay = overlay;
    this.terms = new PatchTerms(overlay);
    this.contextOf = contextOf;
  }

  get patch(): PatchSink {
    return this;
  }

  add(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    let context = this.contextByGraph.get(graph);
    if (context === undefined) this.contextByGraph.set(graph, (context = this.contextOf(graph)));
    this.rows.add(subject, predicate, object, context);
    if (this.length === this.changes.length) {
      const grown = new Uint8Array(this.length * 2);
      grown.set(this.changes);
      this.changes = grown;
    }
    this.changes[this.length++] = this.removes ? REMOVED : ADDED;
  }

  addQuad(quad: RDF.Quad): void {
    this.removes = false;
    addTerms(this, this.overlay, quad);
  }

  begin(): void {
    this.transaction = this.length;
  }

  abort(): void {
    this.changes.fill(ABORTED, this.transaction, this.length);
  }

  ignorePrefix(): void {
    this.ignoredPrefixes++;
  }

  /** The mentioned graphs with their contexts. */
  get graphs(): ReadonlyMap<TermId, number> {
    return this.contextByGraph;
  }

  get byteLength(): number {
    return this.length * ROW_BYTES;
  }

  /**
   * Reduces each quad to its last change that was not aborted. A kernel. The collector must not be
   * used afterwards.
   */
  *finish(): Generator<void, NetPatch, void> {
    yield* this.rows.settle();
    const { length, rows, changes } = this;
    const { subject, predicate, object, graph: context } = rows;
    const all = yield* buildRun({ length, context, subject, predicate, object });
    const last = new Uint8Array(all.length);
    const columns = all.columnsOf(SPO);
    for (let row = 0; row < length; row++) {
      if (row % STEP === STEP - 1) yield;
      if (changes[row] === ABORTED) continue;
      const entry = all.indexOfContext(context[row]);
      const [start, end] = [all.starts[entry], all.starts[entry + 1]];
      last[gallopTriple(columns, start, end, subject[row], predicate[row], object[row])] = changes[row];
    }
    return { added: yield* rowsOf(all, last, ADDED), removed: yield* rowsOf(all, last, REMOVED) };
  }
}

/** Returns the rows of a run whose last change is `change`. A kernel. */
function* rowsOf(run: Run, last: Uint8Array, change: number): Generator<void, Run, void> {
  let length = 0;
  for (let row = 0; row < last.length; row++) {
    if (last[row] === change) length++;
    if (row % STEP === STEP - 1) yield;
  }
  if (length === run.length) return run;
  const context = new Uint32Array(length);
  const columns = run.columnsOf(SPO).map((column) => ({ column, kept: new Uint32Array(length) }));
  let at = 0;
  for (let entry = 0; entry < run.contexts.length; entry++) {
    for (let row = run.starts[entry]; row < run.starts[entry + 1]; row++) {
      if (row % STEP === STEP - 1) yield;
      if (last[row] !== change) continue;
      context[at] = run.contexts[entry];
      for (const { column, kept } of columns) kept[at] = column[row];
      at++;
    }
  }
  const [subject, predicate, object] = columns.map(({ kept }) => kept);
  return yield* buildRun({ length, context, subject, predicate, object });
}

/**
 * The terms of a patch: "RDF Patch requires a 'system identifier' for blank nodes so that change
 * can refer to an existing blank node in the data." Labels issued by this library are such
 * identifiers; other labels are local to the patch, as in any document.
 */
class PatchTerms implements TermWriter {
  private readonly overlay: Overlay;

  constructor(overlay: Overlay) {
    this.overlay = overlay;
  }

  iri(bytes: Uint8Array, start: number, end: number): TermId {
    return this.overlay.iri(bytes, start, end);
  }

  literal(bytes: Uint8Array, start: number, end: number, datatype: TermId): TermId {
    return this.overlay.literal(bytes, start, end, datatype);
  }

  languageLiteral(
    bytes: Uint8Array,
    start: number,
    end: number,
    language: Uint8Array,
    languageStart: number,
    languageEnd: number,
  ): TermId {
    return this.overlay.languageLiteral(bytes, start, end, language, languageStart, languageEnd);
  }

  blankNode(bytes: Uint8Array, start: number, end: number): TermId {
    const label = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
    return this.overlay.adoptBlankNode(label) || this.overlay.blankNode(bytes, start, end);
  }

  triple(subject: TermId, predicate: TermId, object: TermId): TermId {
    return this.overlay.triple(subject, predicate, object);
  }
}
