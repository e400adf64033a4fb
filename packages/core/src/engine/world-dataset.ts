import type * as RDF from '@rdfjs/types';
import { quadKey } from '../model/term-key.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { Overlay } from '../quads/overlay.ts';
import { requirePositions } from '../quads/quad-collector.ts';
import { QuadBatch } from '../storage/quad-batch.ts';
import type { QuadSource } from '../storage/quad-source.ts';
import { NO_TERM, type TermId } from '../storage/term-source.ts';
import { QuadDecoder } from './quad-rows.ts';
import type { WriteResult } from './write-quads.ts';

/** Rows that are decoded together; fewer where fewer match. */
const BATCH_ROWS = 256;

/** The quads of one world at one revision. */
export interface DatasetSnapshot {
  readonly view: QuadSource;
  readonly terms: Overlay;
  readonly revision: number;
  /** Commits changes of the dataset. Throws CONFLICT if the world is no longer at the revision. */
  readonly write: (insert: readonly RDF.Quad[], remove: readonly RDF.Quad[]) => Promise<WriteResult>;
}

type Term = RDF.Term | null | undefined;
/** Ids by position, NO_TERM for any. */
type Pattern = readonly [subject: TermId, predicate: TermId, object: TermId, graph: TermId];

const EVERYTHING: Pattern = [NO_TERM, NO_TERM, NO_TERM, NO_TERM];

/**
 * A world at one revision as an RDF/JS DatasetCore, for libraries that read synchronously, such as
 * SHACL validators. Commits of others do not show. `add` and `delete` change this object alone,
 * until `commit` writes them as one commit.
 *
 * Reading a large part of a large world stops the event loop meanwhile; `world.match` and
 * `engine.quads` do not. The namespace stays in memory until the dataset is disposed of or
 * collected.
 */
export class WorldDataset implements RDF.DatasetCore, Disposable {
  /** The revision that is read. */
  readonly revision: number;
  readonly #snapshot: DatasetSnapshot;
  readonly #release: () => void;
  /** Undefined if nothing of the snapshot can match. */
  readonly #pattern: Pattern | undefined;
  /** Not in the snapshot. */
  readonly #added = new Map<string, RDF.Quad>();
  /** In the snapshot. */
  readonly #removed = new Map<string, RDF.Quad>();
  /** Whether this is the world, and not a selection of it. */
  readonly #isWhole: boolean;

  /** @param release called when the dataset is disposed of */
  constructor(snapshot: DatasetSnapshot, release: () => void, selection?: { readonly pattern: Pattern | undefined }) {
    this.revision = snapshot.revision;
    this.#snapshot = snapshot;
    this.#release = release;
    this.#isWhole = selection === undefined;
    this.#pattern = selection ? selection.pattern : EVERYTHING;
  }

  get size(): number {
    const { view } = this.#snapshot;
    const stored = this.#pattern ? view.count(...this.#pattern) : 0;
    return stored - this.#removed.size + this.#added.size;
  }

  /**
   * Adds a quad to this object. Throws INVALID_RDF for what is no RDF, such as a literal as
   * subject.
   */
  add(quad: RDF.Quad): this {
    requirePositions(quad);
    const key = quadKey(quad);
    if (!this.#removed.delete(key) && !this.#stores(quad)) this.#added.set(key, quad);
    return this;
  }

  delete(quad: RDF.Quad): this {
    const key = quadKey(quad);
    if (!this.#added.delete(key) && this.#stores(quad)) this.#removed.set(key, quad);
    return this;
  }

  has(quad: RDF.Quad): boolean {
    const key = quadKey(quad);
    return this.#added.has(key) || (!this.#removed.has(key) && this.#stores(quad));
  }

  /**
   * The quads that match, as a dataset of their own: what is added here later is not in it, nor the
   * other way round. Null, undefined and variables match anything.
   */
  match(subject?: Term, predicate?: Term, object?: Term, graph?: Term): WorldDataset {
    const terms = [subject, predicate, object, graph];
    const selection = new WorldDataset(this.#snapshot, nothing, { pattern: this.#narrowed(terms) });
    const matches = (quad: RDF.Quad) =>
      [quad.subject, quad.predicate, quad.object, quad.graph].every((term, i) => {
        const wanted = terms[i];
        return isAny(wanted) || wanted.equals(term);
      });
    for (const [key, quad] of this.#added) if (matches(quad)) selection.#added.set(key, quad);
    for (const [key, quad] of this.#removed) if (matches(quad)) selection.#removed.set(key, quad);
    return selection;
  }

  *[Symbol.iterator](): Iterator<RDF.Quad> {
    const added = [...this.#added.values()];
    if (this.#pattern) yield* this.#storedQuads(this.#pattern);
    yield* added;
  }

  /**
   * Writes what was added and deleted as one commit, and ends the use of this object: open another
   * one to see the result. Throws CONFLICT if the world has changed since; INVALID_ARGUMENT for a
   * selection that `match` gave.
   */
  async commit(): Promise<WriteResult> {
    if (!this.#isWhole) {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        'commit: this is a selection that match gave; commit the dataset of the world.',
      );
    }
    const result = await this.#snapshot.write([...this.#added.values()], [...this.#removed.values()]);
    this[Symbol.dispose]();
    return result;
  }

  /** Lets the namespace leave memory when there is need of room. */
  [Symbol.dispose](): void {
    this.#release();
  }

  *#storedQuads(pattern: Pattern): Generator<RDF.Quad> {
    const { view, terms } = this.#snapshot;
    const count = view.count(...pattern);
    if (count === 0) return;
    const cursor = view.cursor();
    cursor.seek(...pattern);
    const batch = new QuadBatch(Math.min(BATCH_ROWS, count));
    const rows = new QuadDecoder(terms);
    while (cursor.next(batch) > 0) {
      for (let row = 0; row < batch.length; row++) {
        const quad = rows.quad(batch, row);
        if (this.#removed.size === 0 || !this.#removed.has(quadKey(quad))) yield quad;
      }
    }
  }

  #stores(quad: RDF.Quad): boolean {
    const pattern = this.#narrowed([quad.subject, quad.predicate, quad.object, quad.graph]);
    return pattern !== undefined && this.#snapshot.view.count(...pattern) > 0;
  }

  /**
   * The pattern of this selection and of these terms; undefined if they exclude each other, or the
   * snapshot lacks a term.
   */
  #narrowed(terms: readonly Term[]): Pattern | undefined {
    if (!this.#pattern) return undefined;
    const ids = [...this.#pattern];
    for (const [i, term] of terms.entries()) {
      if (isAny(term)) continue;
      const id = this.#snapshot.terms.find(term);
      if (id === NO_TERM || (ids[i] !== NO_TERM && ids[i] !== id)) return undefined;
      ids[i] = id;
    }
    return ids as unknown as Pattern;
  }
}

function isAny(term: Term): term is null | undefined | RDF.Variable {
  return term === null || term === undefined || term.termType === 'Variable';
}

function nothing(): void {}
