import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { Slicer } from '../storage/slicer.ts';
import type { TermId, TermSource } from '../storage/term-source.ts';
import { NO_DOC } from './document-chains.ts';
import { rankDocuments } from './document-ranking.ts';
import type { DocumentColumns } from './document-table.ts';
import { fieldWeights } from './fields/field-weights.ts';
import type { EmbeddedQuery } from './literal-vectors.ts';
import type { NamespaceSearchOptions, SearchLogger } from './namespace-search-options.ts';
import { type ResolvedFeedback, type ResolvedFusion, resolveFeedback, resolveFusion } from './ranking-options.ts';
import { ReadWriteLock } from './read-write-lock.ts';
import type { DocumentHit, NamespaceSearchQuery, RankingSettings } from './search-query.ts';
import { SearchedDocuments, WORD } from './searched-documents.ts';

/**
 * A search in canonical order waits so often for vectors of texts that keep coming; then it goes by
 * text alone.
 */
const MAX_CANONICAL_ATTEMPTS = 4;

/** What changed in the documents: `removed` applies before `added`. */
export interface DocumentChanges {
  readonly added: DocumentColumns;
  readonly removed: DocumentColumns;
}

/**
 * Ranked search over the documents of one namespace: a text index over documents, a vector index
 * over their literals, and the fusion of the two rankings. What the engine holds for a namespace
 * from its first search on.
 *
 * Every literal with a letter or a digit is searchable, numbers and dates too.
 *
 * Concurrency: searches run side by side; `apply` and `dropWorld` wait for the rankings that run
 * and are waited for by later ones, so that a ranking sees one state of the documents, and document
 * numbers cannot change hands below it. Nobody holds that lock while an embedder works. Two calls
 * of `apply` run one after the other, in the order of the calls; that this is the order of the
 * commits is up to the caller.
 */
export class NamespaceSearch {
  private readonly documents: SearchedDocuments;
  private readonly fusion: ResolvedFusion;
  private readonly feedback: ResolvedFeedback | undefined;
  private readonly logger: SearchLogger | undefined;
  private readonly lock = new ReadWriteLock();

  /** Throws INVALID_ARGUMENT for settings that make no sense. Loads nothing. */
  constructor(options: NamespaceSearchOptions) {
    this.documents = new SearchedDocuments(options, this.lock);
    this.fusion = resolveFusion(options.fusion);
    this.feedback = resolveFeedback(options.feedback);
    this.logger = options.logger;
  }

  /** How many documents are indexed. */
  get size(): number {
    return this.documents.table.size;
  }

  /**
   * The memory of tables and indexes, in bytes; of an index that does not tell, what a usual one of
   * its size takes.
   */
  get memoryBytes(): number {
    return this.documents.memoryBytes;
  }

  /** Whether texts are being embedded now. */
  get isEmbedding(): boolean {
    return this.documents.vectors?.isWorking ?? false;
  }

  /** How many literals wait for their vector. */
  get pendingVectors(): number {
    return this.documents.vectors?.pending ?? 0;
  }

  /**
   * Brings the documents up to date, in slices. Adding what is there and removing what is not are
   * no-ops, and each document is changed as a whole: after an abort or a failure the same call can
   * be made again and goes on where this one stopped. Until then searches see what was done so far.
   * `terms` must decode the literals of both lists, and is kept until the next call.
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
          this.documents.remove(doc);
        }
        if (slicer.due) await slicer.pause();
      }
      for (let row = 0; row < added.length; row++) {
        const { world, subject, predicate, object } = added;
        const prepared = this.prepared(object[row], slicer);
        if (prepared) await prepared;
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
   * Terms that decode everything that is indexed, in place of those of the last call of `apply`,
   * which are let go of.
   */
  async renewTerms(terms: TermSource): Promise<void> {
    const release = await this.lock.write();
    this.documents.terms = terms;
    release();
  }

  /**
   * What of the documents is not as it ought to be, in words and in slices. `expected` are all that
   * ought to be there, some perhaps more than once, each batch with what decodes it.
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
      if (missing > 0) problems.push(`The search lacks texts of ${missing} quads.`);
      if (found < table.size) problems.push(`The search has ${table.size - found} texts that no quad has.`);
      if (textIndex && textIndex.size !== table.size)
        problems.push(`The text index has ${textIndex.size} texts, and ought to have ${table.size}.`);
      return problems;
    } finally {
      release();
    }
  }

  /** Removes all documents of a world, in slices. After an abort it can be called again. */
  async dropWorld(world: number, slicer: Slicer = new Slicer()): Promise<void> {
    const release = await this.lock.write();
    try {
      if (this.documents.table.worldSize(world) === 0) return;
      await this.documents.open();
      for (let doc = this.documents.table.firstOf(world); doc !== NO_DOC; doc = this.documents.table.firstOf(world)) {
        const prepared = this.prepared(this.documents.table.object[doc], slicer);
        if (prepared) await prepared;
        this.documents.remove(doc);
        if (slicer.due) await slicer.pause();
      }
    } finally {
      this.documents.forgetLiteral();
      release();
    }
  }

  /**
   * Does in slices what can be done of indexing a literal. Undefined, and nothing to wait for,
   * where that is nothing.
   */
  private prepared(object: TermId, slicer: Slicer): Promise<void> | undefined {
    const steps = this.documents.preparation(object);
    return steps && inSlices(steps, slicer);
  }

  /**
   * Waits until every literal that can have a vector has one. Throws UNSUPPORTED or TIMEOUT naming
   * the embedder when it fails or gives something else than it should, ABORTED by the signal; the
   * vectors made until then stay.
   */
  async flush(signal?: AbortSignal): Promise<void> {
    await this.documents.vectors?.flush(signal);
  }

  /** Ends what runs in the background. The search is not to be used any more. */
  close(): void {
    this.documents.vectors?.close();
  }

  /**
   * The best documents that pass the filter, best first. Filters apply inside the indexes, before
   * any cut.
   *
   * `ftsRank` counts text hits by score, `vecRank` counts documents by the similarity of their
   * literals: documents that share a literal have ranks of their own, side by side. What ranks
   * alike is ordered by the ids of (literal, world, subject, predicate); of two documents with the
   * same fused score the better text rank wins. Where a list is cut through such documents, the
   * index says which of them stay: mostly those that came first. A similarity of 0 or less is no
   * hit.
   *
   * Literals that are not embedded yet are found by text, unless there is no text index: then the
   * search waits for them. Without its embedder a search goes on by text alone, where that is
   * wanted and possible, and `explain` says why.
   *
   * A query without a word gives none and asks no embedder. What a stop word is, only the text
   * index knows: where it can tell, a query of nothing else gives none either.
   *
   * With worlds that are not all, statistics are those of these worlds: scores tell nothing of the
   * others.
   *
   * Throws UNSUPPORTED without any index or, as TIMEOUT, when the embedder fails and is needed,
   * INVALID_ARGUMENT for a limit below 1, ABORTED by the signal.
   */
  async search(query: NamespaceSearchQuery): Promise<DocumentHit[]> {
    const { limit, signal } = query;
    if (!this.documents.hasTexts && !this.documents.vectors)
      throw new WorldsError(
        'UNSUPPORTED',
        'There is nothing to search with: give the engine a `textIndex` (such as minisearchIndex() of @rdf-worlds/index-minisearch), an `embedder`, or both.',
      );
    if (!Number.isInteger(limit) || limit < 1)
      throw new WorldsError('INVALID_ARGUMENT', `The limit of a search is ${limit}; give an integer of at least 1.`);
    const settings: RankingSettings = {
      fusion: query.fusion === undefined ? this.fusion : resolveFusion(query.fusion, this.fusion),
      fields: query.fields === undefined ? this.documents.fieldWeights : fieldWeights(query.fields),
      feedback: query.feedback === undefined ? this.feedback : resolveFeedback(query.feedback),
    };
    if (settings.fields && !this.documents.fieldWeights)
      throw new WorldsError(
        'UNSUPPORTED',
        'Names around texts are not indexed, so `fields` finds nothing: open the engine with `fields: true`, or with weights.',
      );
    throwIfAborted(signal);
    if (!WORD.test(query.query)) return [];
    const { worlds, subjects, predicates, objects } = query;
    if (worlds?.length === 0 || [subjects, predicates, objects].some((set) => set?.size === 0)) return [];

    if (this.documents.vectors || settings.fields) {
      // After an `apply` that still runs.
      const look = await this.lock.read(signal);
      const nothingThere =
        this.documents.table.size === 0 ||
        // What is a stop word depends on the languages of all documents.
        (!query.canonicalOrder && this.documents.textIndex?.hasWords?.(query.query) === false);
      look();
      if (nothingThere) return [];
    }

    for (let attempt = 1; ; attempt++) {
      const embedded = await this.embedded(query, attempt > MAX_CANONICAL_ATTEMPTS);
      const release = await this.lock.read(signal);
      try {
        // A new model may have come while the old one embedded the query.
        if (!embedded || this.documents.vectors!.isCurrent(embedded, query.canonicalOrder))
          return await rankDocuments(this.documents, { query, settings, embedded }, this.logger);
      } finally {
        release();
      }
    }
  }

  /** The query as a vector; null without an embedder. */
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
