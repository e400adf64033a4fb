import type * as RDF from '@rdfjs/types';
import { QuadList } from '../storage/quad-list.ts';
import type { PatchSink, TermWriter } from '../storage/quad-sink.ts';
import type { TermId } from '../storage/term-source.ts';
import { gallopTriple } from './bounds.ts';
import type { Overlay } from './overlay.ts';
import { SPO } from './permutation.ts';
import { addTerms } from './quad-collector.ts';
import { buildRun, type Run } from './run.ts';

const STEP = 1 << 14;
/** Of a row: its columns, and those of the runs that all rows and each kind of change become. */
const ROW_BYTES = 4 * (4 + 2 * 3 * 3) + 2;

const ABORTED = 0;
const ADDED = 1;
const REMOVED = 2;

/**
 * What a patch does in the end: quads that are there afterwards, and quads that are not. No quad is
 * in both.
 */
export interface NetPatch {
  readonly added: Run;
  readonly removed: Run;
}

/**
 * Gathers the changes of one patch in a private overlay, in order, and finds out what is left of
 * them.
 */
export class PatchCollector implements PatchSink {
  readonly terms: TermWriter;
  removes = false;
  length = 0;
  /** How many changes of prefixes were passed over. */
  ignoredPrefixes = 0;
  private readonly overlay: Overlay;
  private readonly contextOf: (graph: TermId) => number;
  private readonly contextByGraph = new Map<TermId, number>();
  /** With contexts in the place of graphs. */
  private readonly rows = new QuadList();
  private changes = new Uint8Array(1 << 10);
  private transaction = 0;

  /** @param contextOf gives the context of a graph, and makes one for a graph that is new */
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

  /** The graphs that were mentioned, with their contexts. */
  get graphs(): ReadonlyMap<TermId, number> {
    return this.contextByGraph;
  }

  get byteLength(): number {
    return this.length * ROW_BYTES;
  }

  /** Of each quad the last change that was not aborted. A kernel; the collector is used up then. */
  *finish(): Generator<void, NetPatch, void> {
    yield* this.rows.settle();
    const { length, rows, changes } = this;
    const { subject, predicate, object, graph: context } = rows;
    const all = yield* buildRun({ length, context, subject, predicate, object });
    const last = new Uint8Array(all.length);
    const columns = all.columns[SPO];
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

/** The rows of a run whose last change is this one. A kernel. */
function* rowsOf(run: Run, last: Uint8Array, change: number): Generator<void, Run, void> {
  let length = 0;
  for (let row = 0; row < last.length; row++) {
    if (last[row] === change) length++;
    if (row % STEP === STEP - 1) yield;
  }
  if (length === run.length) return run;
  const context = new Uint32Array(length);
  const columns = run.columns[SPO].map((column) => ({ column, kept: new Uint32Array(length) }));
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
 * can refer to an existing blank node in the data." Labels that this library gave out are such
 * identifiers; others are nodes of the patch, as in any document.
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
