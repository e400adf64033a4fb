import { Slicer } from '../contracts/slicer.ts';
import type { TermId, TermSource } from '../contracts/term-source.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { NO_DOC } from './document-chains.ts';
import { rankDocuments } from './document-ranking.ts';
import type { DocumentColumns } from './document-table.ts';
import { fieldWeights } from './fields/field-weights.ts';
import type { EmbeddedQuery } from './literal-vectors.ts';
import type { NamespaceSearchOptions, SearchLogger } from './namespace-search-options.ts';
import { type ResolvedFeedback, type ResolvedFusion, resolveFeedback, resolveFusion } from './ranking-options.ts';
import { ReadWriteLock } from './read-write-lock.ts';
import type { NamespaceSearchQuery, NamespaceSearchResult, RankingSettings } from './search-query.ts';
import { SearchedDocuments, WORD } from './searched-documents.ts';
import { restoreSearch, type SearchContents, type StoredSearch, searchContents } from './stored-search.ts';

/**
 * Number of times that a search in canonical order waits for vectors while new texts keep arriving;
 * after that it searches by text alone.
 */
const MAX_CANONICAL_ATTEMPTS = 4;

/** Changes of the documents: `removed` applies before `added`. */
export interface DocumentChanges {
  readonly added: DocumentColumns;
  readonly removed: DocumentColumns;
}

/**
 * Ranked search over the documents of one namespace: a text index over documents, a vector index
 * over their literals, and the fusion of the two rankings. The engine keeps one per namespace from
 * the first search on; it holds the worlds that were searched.
 *
 * Every literal with a letter or a digit is searchable, including numbers and dates.
 *
 * Concurrency: searches share a read lock; `apply` and `dropWorld` hold the write lock, so a
 * ranking sees one state of the documents, and document numbers cannot be reused during it. The
 * lock is never held while an embedder works. Calls of `apply` run in call order; the caller must
 * make them in commit order.
 */
export class NamespaceSearch {
  private readonly documents: SearchedDocuments;
  private readonly fusion: ResolvedFusion;
  private readonly feedback: ResolvedFeedback | undefined;
  private readonly logger: SearchLogger | undefined;
  private readonly lock = new ReadWriteLock();
  private changed = 0;

  /** Throws INVALID_ARGUMENT for invalid settings. Loads nothing. */
  constructor(options: NamespaceSearchOptions) {
    this.documents = new SearchedDocuments(options, this.lock);
    this.fusion = resolveFusion(options.fusion);
    this.feedback = resolveFeedback(options.feedback);
    this.logger = options.logger;
  }

  /** Number of documents that were added or removed, failed attempts included. */
  get changes(): number {
    return this.changed;
  }

  /** Whether {@link contents} returns something, if nothing is postponed. */
  get canStore(): boolean {
    return this.documents.canStore;
  }

  /** Number of indexed documents. */
  get size(): number {
    return this.documents.table.size;
  }

  /** Memory of tables and indexes in bytes; estimated for an index that does not report its own. */
  get memoryBytes(): number {
    return this.documents.memoryBytes;
  }

  /** Whether texts are being embedded now. */
  get isEmbedding(): boolean {
    return this.documents.vectors?.isWorking ?? false;
  }

  /** Number of literals waiting for their vector. */
  get pendingVectors(): number {
    return this.documents.vectors?.pending ?? 0;
  }

  /**
   * Applies changes to the documents, in slices. Idempotent: adding an existing document and
   * removing a missing one are no-ops, and each document changes as a whole, so after an abort or a
   * failure the same call can be repeated and continues where it stopped. Until then searches see
   * the changes made so far. `terms` must decode the literals of both lists and is kept until the
   * next call.
   */
  async apply(changes: DocumentChanges, terms: TermSource, slicer: Slicer): Promise<void> {
    if (!this.documents.hasTexts && !this.documents.vectors) return;
    const { added, removed } = changes;
    const release = await this.lock.write();
    try {
      this.documents.terms = terms;
      await this.documents.open();
      for (let row = 0; row < removed.length; row++) {
        const { world, subject, predicate, object } = removed;
        const doc = this.documents.table.find(world[row], subject[row], predicate[row], object[row]);
        if (doc >= 0) {
          const prepared = this.prepared(object[row], slicer);
          if (prepared) await prepared;
          this.changed++;
          this.documents.remove(doc);
        }
        if (slicer.due) await slicer.pause();
      }
      for (let row = 0; row < added.length; row++) {
        const { world, subject, predicate, object } = added;
        const prepared = this.prepared(object[row], slicer);
        if (prepared) await prepared;
        this.changed++;
        this.documents.add(world[row], subject[row], predicate[row], object[row]);
        if (slicer.due) await slicer.pause();
      }
    } finally {
      this.documents.forgetLiteral();
      release();
      this.documents.vectors?.start();
    }
  }

  /**
   * Replaces the terms of the last `apply` call, which are released. The new ones must decode
   * everything that is indexed.
   */
  async renewTerms(terms: TermSource): Promise<void> {
    const release = await this.lock.write();
    this.documents.terms = terms;
    release();
  }

  /**
   * Fills a new search with a stored one. Returns false if it cannot be used because texts were
   * analysed differently; throws if it is damaged. The search must not be used after either.
   * `terms` must decode the literals and is kept until the next `apply`.
   *
   * @param largest the largest id of a term
   */
  async restore(stored: StoredSearch, terms: TermSource, largest: number, slicer: Slicer): Promise<boolean> {
    const release = await this.lock.write();
    try {
      this.documents.terms = terms;
      await this.documents.open();
      const isUsable = await restoreSearch(this.documents, stored, largest, slicer);
      if (isUsable) this.documents.vectors?.start();
      return isUsable;
    } finally {
      this.documents.forgetLiteral();
      release();
    }
  }

  /** Completes postponed work of the text index, so that {@link contents} has everything. */
  async settle(): Promise<void> {
    const { textIndex } = this.documents;
    if (!textIndex?.settle) return;
    const release = await this.lock.write();
    try {
      await textIndex.settle();
    } finally {
      release();
    }
  }

  /**
   * Captures documents and texts for storage, synchronously. Undefined if they cannot be stored, or
   * not now. Requires that no call of `apply`, `dropWorld` or `compact` is in progress.
   */
  contents(newName: (kind: string) => string): SearchContents | undefined {
    return searchContents(this.documents, newName);
  }

  /** Makes {@link contents} copy all documents, whether they are stored or not. */
  forgetPages(): void {
    this.documents.table.storedPages = [];
  }

  /** Compacts the text index: no trace of removed texts is left in it. */
  async compact(signal?: AbortSignal): Promise<void> {
    const { textIndex } = this.documents;
    if (!textIndex?.compact) return;
    const release = await this.lock.read(signal);
    try {
      await textIndex.compact(signal);
      this.changed++;
    } finally {
      release();
    }
  }

  /**
   * Checks the documents, in slices, and returns a description of each problem. `expected` yields
   * all documents that should be indexed, possibly with duplicates, each batch with the terms that
   * decode it.
   */
  async problems(
    expected: Iterable<{ readonly added: DocumentColumns; readonly overlay: TermSource }>,
    slicer: Slicer,
  ): Promise<string[]> {
    if (!this.documents.hasTexts && !this.documents.vectors) return [];
    const release = await this.lock.read();
    try {
      const { table, textIndex } = this.documents;
      const seen = new Uint8Array(table.end);
      let [missing, found] = [0, 0];
      for (const { added, overlay } of expected) {
        for (let row = 0; row < added.length; row++) {
          const doc = table.find(added.world[row], added.subject[row], added.predicate[row], added.object[row]);
          if (doc < 0) {
            if (WORD.test(overlay.term(added.object[row]).value)) missing++;
          } else if (seen[doc] === 0) {
            seen[doc] = 1;
            found++;
          }
          if (slicer.due) await slicer.pause();
        }
      }
      const problems: string[] = [];
      if (missing > 0) problems.push(`The search index lacks the texts of ${missing} quads.`);
      if (found < table.size) problems.push(`The search index has ${table.size - found} texts that no quad has.`);
      if (textIndex && textIndex.size !== table.size)
        problems.push(`The text index has ${textIndex.size} texts, but should have ${table.size}.`);
      else if (textIndex?.check) problems.push(...(await textIndex.check(this.documents.all())));
      return problems;
    } finally {
      this.documents.forgetLiteral();
      release();
    }
  }

  /** Removes all documents of a world, in slices. Can be repeated after an abort. */
  async dropWorld(world: number, slicer: Slicer = new Slicer()): Promise<void> {
    const release = await this.lock.write();
    try {
      if (this.documents.table.worldSize(world) === 0) return;
      await this.documents.open();
      for (let doc = this.documents.table.firstOf(world); doc !== NO_DOC; doc = this.documents.table.firstOf(world)) {
        const prepared = this.prepared(this.documents.table.object[doc], slicer);
        if (prepared) await prepared;
        this.changed++;
        this.documents.remove(doc);
        if (slicer.due) await slicer.pause();
      }
    } finally {
      this.documents.forgetLiteral();
      release();
    }
  }

  /**
   * Prepares the indexing of a literal in slices. Returns undefined if there is nothing to prepare,
   * which avoids a promise.
   */
  private prepared(object: TermId, slicer: Slicer): Promise<void> | undefined {
    const steps = this.documents.preparation(object);
    return steps && inSlices(steps, slicer);
  }

  /**
   * Waits until every literal that can have a vector has one. If the embedder fails or returns
   * malformed vectors, throws UNSUPPORTED or TIMEOUT naming it; throws ABORTED when the signal
   * fires. Vectors made before are kept.
   */
  async flush(signal?: AbortSignal): Promise<void> {
    await this.documents.vectors?.flush(signal);
  }

  /** Stops background work. The search must not be used afterwards. */
  close(): void {
    this.documents.vectors?.close();
  }

  /**
   * Returns the best documents that pass the filter, best first. Filters apply inside the indexes,
   * before any cut.
   *
   * `ftsRank` ranks text hits by score; `vecRank` ranks documents by the similarity of their
   * literals, so documents that share a literal get consecutive ranks. Documents of equal rank are
   * ordered by the ids of (literal, world, subject, predicate); of two documents with the same
   * fused score, the better text rank wins. If a list is cut among such documents, the index
   * decides which of them stay: mostly the oldest. A similarity of 0 or less is not a hit.
   *
   * Literals that are not embedded yet are found by text; without a text index, the search waits
   * for them. If the embedder is unavailable, the search continues by text alone where the options
   * allow it, and `explain` reports why.
   *
   * A query without a word returns no hits and does not call the embedder; likewise a query of stop
   * words only, if the text index can recognise them.
   *
   * If `worlds` does not cover all worlds, statistics are those of the given worlds: scores reveal
   * nothing about the others.
   *
   * Throws UNSUPPORTED without any index; UNSUPPORTED or TIMEOUT if a required embedder fails;
   * INVALID_ARGUMENT for a limit below 1; ABORTED when the signal fires.
   */
  async search(query: NamespaceSearchQuery): Promise<NamespaceSearchResult> {
    const { limit, signal } = query;
    if (!this.documents.hasTexts && !this.documents.vectors)
      throw new WorldsError(
        'UNSUPPORTED',
        'The engine has no index to search: open it with a `textIndex` (such as minisearchIndex() of @rdf-worlds/index-minisearch), an `embedder`, or both.',
      );
    if (!Number.isInteger(limit) || limit < 1)
      throw new WorldsError('INVALID_ARGUMENT', `The limit of a search is ${limit}; pass an integer of at least 1.`);
    const settings: RankingSettings = {
      fusion: query.fusion === undefined ? this.fusion : resolveFusion(query.fusion, this.fusion),
      fields: query.fields === undefined ? this.documents.fieldWeights : fieldWeights(query.fields),
      feedback: query.feedback === undefined ? this.feedback : resolveFeedback(query.feedback),
    };
    if (settings.fields && !this.documents.fieldWeights)
      throw new WorldsError(
        'UNSUPPORTED',
        'The names of subjects and predicates are not indexed, so `fields` has no effect: open the engine with `fields: true`, or with weights.',
      );
    throwIfAborted(signal);
    const { terms } = this.documents;
    if (!WORD.test(query.query)) return { hits: [], terms };
    const { worlds, subjects, predicates, objects } = query;
    if (worlds?.length === 0 || [subjects, predicates, objects].some((set) => set?.size === 0))
      return { hits: [], terms };

    if (this.documents.vectors || settings.fields) {
      // Waits for an `apply` in progress.
      const look = await this.lock.read(signal);
      const nothingThere =
        this.documents.table.size === 0 ||
        // Which words are stop words depends on the languages of all documents.
        (!query.canonicalOrder && this.documents.textIndex?.hasWords?.(query.query) === false);
      look();
      if (nothingThere) return { hits: [], terms };
    }

    for (let attempt = 1; ; attempt++) {
      const embedded = await this.embedded(query, attempt > MAX_CANONICAL_ATTEMPTS);
      const release = await this.lock.read(signal);
      try {
        // The model may have been replaced while the old one embedded the query.
        if (!embedded || this.documents.vectors!.isCurrent(embedded, query.canonicalOrder))
          return {
            hits: await rankDocuments(this.documents, { query, settings, embedded }, this.logger),
            // Of the ranked documents, because the lock is still held.
            terms: this.documents.terms,
          };
      } finally {
        release();
      }
    }
  }

  /** Embeds the query; null without an embedder. */
  private async embedded(
    { query, signal, canonicalOrder }: NamespaceSearchQuery,
    byTextAlone: boolean,
  ): Promise<EmbeddedQuery | null> {
    const { vectors } = this.documents;
    if (!vectors) return null;
    return canonicalOrder ? vectors.embedCanonicalQuery(query, signal, byTextAlone) : vectors.embedQuery(query, signal);
  }
}

async function inSlices(steps: Iterator<void, void>, slicer: Slicer): Promise<void> {
  while (!steps.next().done) if (slicer.due) await slicer.pause();
}
