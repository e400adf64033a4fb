import type * as RDF from '@rdfjs/types';
import { QuadBatch } from '../contracts/quad-batch.ts';
import type { QuadSource } from '../contracts/quad-source.ts';
import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import { requirePositions } from '../model/quad-positions.ts';
import { quadKey } from '../model/term-key.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { Overlay } from '../quads/overlay.ts';
import { QuadDecoder } from './quad-rows.ts';
import type { WriteResult } from './write-quads.ts';

/** Maximum number of rows that are decoded per batch. */
const BATCH_ROWS = 256;

/** The quads of a world at one revision. */
export interface DatasetSnapshot {
  readonly view: QuadSource;
  readonly terms: Overlay;
  readonly revision: number;
  /** Commits the changes of the dataset. Throws CONFLICT if the world has a newer revision. */
  readonly write: (insert: readonly RDF.Quad[], remove: readonly RDF.Quad[]) => Promise<WriteResult>;
}

type Term = RDF.Term | null | undefined;
/** Ids by position; NO_TERM matches any term. */
type Pattern = readonly [subject: TermId, predicate: TermId, object: TermId, graph: TermId];

const EVERYTHING: Pattern = [NO_TERM, NO_TERM, NO_TERM, NO_TERM];

/**
 * A world at one revision as an RDF/JS DatasetCore, for libraries that read synchronously, such as
 * SHACL validators. Later commits are not visible. `add` and `delete` change only this object,
 * until `commit` writes the changes as one commit.
 *
 * Reading a large part of a large world blocks the event loop; `world.match` and `engine.quads` do
 * not. The namespace stays in memory until the dataset is disposed or garbage-collected.
 */
export class WorldDataset implements RDF.DatasetCore, Disposable {
  /** Revision of the snapshot. */
  readonly revision: number;
  readonly #snapshot: DatasetSnapshot;
  readonly #release: () => void;
  /** Undefined if no quad of the snapshot can match. */
  readonly #pattern: Pattern | undefined;
  /** Added quads, none of which are in the snapshot. */
  readonly #added = new Map<string, RDF.Quad>();
  /** Removed quads, all of which are in the snapshot. */
  readonly #removed = new Map<string, RDF.Quad>();
  /** Whether this is the whole world rather than a selection. */
  readonly #isWhole: boolean;

  /** @param release called when the dataset is disposed */
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
   * Adds a quad to this object. Throws INVALID_RDF if it is not RDF, for example with a literal as
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
   * Returns the matching quads as an independent dataset: later changes of one do not affect the
   * other. Null, undefined and variables match any term.
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

  /** Yields the quads, those added to this object last. */
  *[Symbol.iterator](): Iterator<RDF.Quad> {
    const added = [...this.#added.values()];
    if (this.#pattern) yield* this.#storedQuads(this.#pattern);
    yield* added;
  }

  /**
   * Writes the added and deleted quads as one commit. This object must not be used afterwards; open
   * another one to see the result. Throws CONFLICT if the world has changed since, INVALID_ARGUMENT
   * for a selection returned by `match`.
   */
  async commit(): Promise<WriteResult> {
    if (!this.#isWhole) {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        'commit: this dataset is a result of match; commit the dataset of the world.',
      );
    }
    const result = await this.#snapshot.write([...this.#added.values()], [...this.#removed.values()]);
    this[Symbol.dispose]();
    return result;
  }

  /** Releases the namespace, which may then be evicted. */
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
   * Returns the pattern of this selection combined with some terms; undefined if they contradict
   * each other or a term is not in the snapshot.
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
