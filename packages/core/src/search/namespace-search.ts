import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import type { DocSet } from '../storage/doc-set.ts';
import type { Embedder, TrainableEmbedder } from '../storage/embedder.ts';
import { Slicer } from '../storage/slicer.ts';
import type { TermId, TermSource } from '../storage/term-source.ts';
import type { TextFeedback, TextIndex, TextIndexFactory, TextScope } from '../storage/text-index.ts';
import type { VectorIndexFactory } from '../storage/vector-index.ts';
import { acceptedRanking } from './accepted-ranking.ts';
import { docSetHas } from './doc-set.ts';
import { NO_DOC } from './document-chains.ts';
import { type DocumentFilter, filterDocuments, literalsOf } from './document-filter.ts';
import { type DocumentColumns, DocumentTable } from './document-table.ts';
import { FieldIndex } from './fields/field-index.ts';
import { type FieldOptions, type FieldWeights, fieldWeights } from './fields/field-weights.ts';
import { explainHit, type HitExplanation } from './hit-explanation.ts';
import type { KeptVectors } from './kept-vectors.ts';
import { type EmbeddedQuery, LiteralVectors, type OnEmbedderFailure } from './literal-vectors.ts';
import { type FusedRank, fuseRanks, type RankedDocument } from './rank-fusion.ts';
import {
  type FeedbackOptions,
  type Fusion,
  type ResolvedFeedback,
  type ResolvedFusion,
  resolveFeedback,
  resolveFusion,
} from './ranking-options.ts';
import { ReadWriteLock } from './read-write-lock.ts';
import type { DocumentHit, NamespaceSearchQuery, RankedQuery, SearchExplanation } from './search-query.ts';
import { openTextRanker, type TextRanker } from './text-ranker.ts';
import { defaultVectorIndex } from './vector/default-vector-index.ts';

/** A literal without any of these has nothing to search for, and neither has a query. */
const WORD = /[\p{L}\p{N}]/u;

/** Of a text index on JavaScript objects, such as MiniSearch's: measured with short texts. */
const USUAL_DOCUMENT_BYTES = 750;

/** A list is at least this deep, so that a small limit does not cut the overlap of the two lists away. */
const MIN_DEPTH = 100;

/** The part of a pino-compatible logger that search uses. */
export interface SearchLogger {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
}

const DEFAULT_EMBEDDER_TIMEOUT_MS = 30_000;
/** Timers of longer ran out at once. */
const MAX_TIMEOUT_MS = 200_000_000;

export interface NamespaceSearchOptions {
  readonly textIndex: TextIndexFactory | null;
  /** The core's own by default. */
  readonly vectorIndex?: VectorIndexFactory;
  readonly embedder: Embedder | TrainableEmbedder | null;
  /** What a search does while the embedder is not to be had: go on by text alone (the default, where there is a text index), or fail. */
  readonly onEmbedderFailure?: OnEmbedderFailure;
  /** How long the embedding of a query may take, 30,000 by default; a batch of documents may take ten times as long. */
  readonly embedderTimeoutMs?: number;
  /** How the two rankings are joined, where a search does not say; reciprocal rank fusion by default. */
  readonly fusion?: Fusion;
  /** Whether names around texts are indexed, and what they count for where a search does not say; not by default. */
  readonly fields?: FieldOptions;
  /** Whether searches use feedback, where they do not say; not by default. */
  readonly feedback?: boolean | FeedbackOptions;
  /** Of an embedder that need not learn: what it made earlier. */
  readonly keptVectors?: KeptVectors;
  readonly logger?: SearchLogger;
}

/** What changed in the documents: `removed` applies before `added`. */
export interface DocumentChanges {
  readonly added: DocumentColumns;
  readonly removed: DocumentColumns;
}

interface DocumentText {
  readonly text: string;
  readonly language: string;
}

/**
 * Ranked search over the documents of one namespace: a text index over documents, a vector index over their literals, and
 * the fusion of the two rankings. What the engine holds for a namespace from its first search on.
 *
 * Every literal with a letter or a digit is searchable, numbers and dates too.
 *
 * Concurrency: searches run side by side; `apply` and `dropWorld` wait for the rankings that run and are waited for by later
 * ones, so that a ranking sees one state of the documents, and document numbers cannot change hands below it. Nobody holds
 * that lock while an embedder works. Two calls of `apply` run one after the other, in the order of the calls; that this is the order of the
 * commits is up to the caller.
 */
export class NamespaceSearch {
  private readonly textIndexFactory: TextIndexFactory | null;
  private readonly vectors: LiteralVectors | null;
  private readonly fusion: ResolvedFusion;
  private readonly fieldWeights: FieldWeights | undefined;
  private readonly feedback: ResolvedFeedback | undefined;
  private readonly logger: SearchLogger | undefined;
  private readonly table: DocumentTable;
  private readonly lock = new ReadWriteLock();
  private textIndex: TextIndex | undefined;
  private fields: FieldIndex | undefined;
  /** Of the last `apply`: ids keep their meaning, so it can decode what an earlier one added. */
  private terms: TermSource | undefined;
  /** Neighbouring documents often share their literal. Undefined: the literal is no document. */
  private lastLiteral: { id: TermId; text: DocumentText | undefined } | undefined;

  /** Throws INVALID_ARGUMENT for weights or dimensions that make no sense. Loads nothing. */
  constructor(options: NamespaceSearchOptions) {
    const {
      textIndex,
      vectorIndex = defaultVectorIndex,
      keptVectors,
      embedder,
      fusion,
      fields,
      feedback,
      logger,
    } = options;
    const { onEmbedderFailure: onFailure = 'degrade', embedderTimeoutMs: timeoutMs = DEFAULT_EMBEDDER_TIMEOUT_MS } =
      options;
    this.textIndexFactory = textIndex;
    this.table = new DocumentTable({ byLiteral: embedder !== null });
    this.fusion = resolveFusion(fusion);
    this.fieldWeights = fieldWeights(fields);
    this.feedback = resolveFeedback(feedback);
    this.logger = logger;
    if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS))
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `embedderTimeoutMs is ${timeoutMs}; give milliseconds above 0, at most ${MAX_TIMEOUT_MS}.`,
      );
    this.vectors = embedder
      ? new LiteralVectors({
          embedder,
          vectorIndex,
          lock: this.lock,
          textOf: (literal) => {
            const term = this.terms!.term(literal);
            return { text: term.value, language: term.termType === 'Literal' ? term.language : '' };
          },
          required: !textIndex,
          onFailure,
          timeoutMs,
          ...(logger && { logger }),
          ...(keptVectors && { kept: keptVectors }),
        })
      : null;
  }

  /** How many documents are indexed. */
  get size(): number {
    return this.table.size;
  }

  /** The memory of tables and indexes, in bytes; of an index that does not tell, what a usual one of its size takes. */
  get memoryBytes(): number {
    const { textIndex } = this;
    const text = textIndex ? (textIndex.memoryBytes ?? textIndex.size * USUAL_DOCUMENT_BYTES) : 0;
    return this.table.memoryBytes + text + (this.fields?.memoryBytes ?? 0) + (this.vectors?.memoryBytes ?? 0);
  }

  /** Whether texts are being embedded now. */
  get isEmbedding(): boolean {
    return this.vectors?.isWorking ?? false;
  }

  /** How many literals wait for their vector. */
  get pendingVectors(): number {
    return this.vectors?.pending ?? 0;
  }

  /**
   * Brings the documents up to date, in slices. Adding what is there and removing what is not are no-ops, and each document
   * is changed as a whole: after an abort or a failure the same call can be made again and goes on where this one stopped.
   * Until then searches see what was done so far.
   * `terms` must decode the literals of both lists, and is kept until the next call.
   */
  async apply(changes: DocumentChanges, terms: TermSource, slicer: Slicer): Promise<void> {
    if (!this.textIndexFactory && !this.vectors) return;
    const { added, removed } = changes;
    const release = await this.lock.write();
    try {
      this.terms = terms;
      const textIndex = await this.openTextIndex();
      for (let row = 0; row < removed.length; row++) {
        const { world, subject, predicate, object } = removed;
        const doc = this.table.find(world[row], subject[row], predicate[row], object[row]);
        if (doc >= 0) this.remove(doc, textIndex);
        if (slicer.due) await slicer.pause();
      }
      for (let row = 0; row < added.length; row++) {
        const { world, subject, predicate, object } = added;
        this.add(world[row], subject[row], predicate[row], object[row], textIndex);
        if (slicer.due) await slicer.pause();
      }
    } finally {
      this.lastLiteral = undefined;
      release();
      this.vectors?.start();
    }
  }

  /** Terms that decode everything that is indexed, in place of those of the last call of `apply`, which are let go of. */
  async renewTerms(terms: TermSource): Promise<void> {
    const release = await this.lock.write();
    this.terms = terms;
    release();
  }

  /** Removes all documents of a world, in slices. After an abort it can be called again. */
  async dropWorld(world: number, slicer: Slicer = new Slicer()): Promise<void> {
    const release = await this.lock.write();
    try {
      if (this.table.worldSize(world) === 0) return;
      const textIndex = await this.openTextIndex();
      for (let doc = this.table.firstOf(world); doc !== NO_DOC; doc = this.table.firstOf(world)) {
        this.remove(doc, textIndex);
        if (slicer.due) await slicer.pause();
      }
    } finally {
      this.lastLiteral = undefined;
      release();
    }
  }

  /**
   * Waits until every literal that can have a vector has one. Throws UNSUPPORTED or TIMEOUT naming the embedder when it fails or gives something else than
   * it should, ABORTED by the signal; the vectors made until then stay.
   */
  async flush(signal?: AbortSignal): Promise<void> {
    await this.vectors?.flush(signal);
  }

  /** Ends what runs in the background. The search is not to be used any more. */
  close(): void {
    this.vectors?.close();
  }

  /**
   * The best documents that pass the filter, best first. Filters apply inside the indexes, before any cut.
   *
   * `ftsRank` counts text hits by score, `vecRank` counts documents by the similarity of their literals: documents that share a literal have
   * ranks of their own, side by side. What ranks alike is ordered by the ids of (literal, world, subject, predicate); of two documents
   * with the same fused score the better text rank wins. A similarity of 0 or less is no hit.
   *
   * Literals that are not embedded yet are found by text, unless there is no text index: then the search waits for them. Without its embedder a search goes
   * on by text alone, where that is wanted and possible, and `explain` says why.
   *
   * A query without a word gives none and asks no embedder. What a stop word is, only the text index knows: where it can tell, a query of nothing else gives
   * none either.
   *
   * With worlds that are not all, statistics are those of these worlds: scores tell nothing of the others.
   *
   * Throws UNSUPPORTED without any index or, as TIMEOUT, when the embedder fails and is needed, INVALID_ARGUMENT for a limit below 1, ABORTED by the signal.
   */
  async search(query: NamespaceSearchQuery): Promise<DocumentHit[]> {
    const { limit, signal } = query;
    if (!this.textIndexFactory && !this.vectors)
      throw new WorldsError(
        'UNSUPPORTED',
        'There is nothing to search with: give the engine a `textIndex` (such as minisearchIndex() of @rdf-worlds/index-minisearch), an `embedder`, or both.',
      );
    if (!Number.isInteger(limit) || limit < 1)
      throw new WorldsError('INVALID_ARGUMENT', `The limit of a search is ${limit}; give an integer of at least 1.`);
    const ranked: RankedQuery = {
      ...query,
      fusion: resolveFusion(query.fusion, this.fusion),
      fields: query.fields === undefined ? this.fieldWeights : fieldWeights(query.fields),
      feedback: query.feedback === undefined ? this.feedback : resolveFeedback(query.feedback),
    };
    if (ranked.fields && !this.fieldWeights)
      throw new WorldsError(
        'UNSUPPORTED',
        'Names around texts are not indexed, so `fields` finds nothing: open the engine with `fields: true`, or with weights.',
      );
    throwIfAborted(signal);
    if (!WORD.test(query.query)) return [];
    const { worlds, subjects, predicates, objects } = query;
    if (worlds?.length === 0 || [subjects, predicates, objects].some((set) => set?.size === 0)) return [];

    if (this.vectors || ranked.fields) {
      // After an `apply` that still runs.
      const look = await this.lock.read(signal);
      const nothingThere = this.table.size === 0 || this.textIndex?.hasWords?.(query.query) === false;
      look();
      if (nothingThere) return [];
    }

    for (;;) {
      const embedded = this.vectors ? await this.vectors.embedQuery(query.query, signal) : null;
      const release = await this.lock.read(signal);
      try {
        // A new model may have come while the old one embedded the query.
        if (!embedded || this.vectors!.isCurrent(embedded)) return await this.rank(ranked, embedded);
      } finally {
        release();
      }
    }
  }

  /** Needs the lock. */
  private async rank(query: RankedQuery, embedded: EmbeddedQuery | null): Promise<DocumentHit[]> {
    const { table } = this;
    const { limit, signal, fusion, accepts } = query;
    if (this.terms) query.tellTerms?.(this.terms);
    const startMs = performance.now();
    const slicer = new Slicer(signal);
    const filter = await filterDocuments(table, query, slicer);
    const scope = await this.scopeOf(query, filter, slicer);
    const depth = this.depthOf(limit, fusion);
    const isAnything = filter ? filter.size > 0 : table.size > 0;
    const depthWanted = (isWanted: boolean) => (isWanted && isAnything ? depth : 0);
    const index = await this.openTextIndex();
    const { fields } = this;
    const openRanker = (feedback?: TextFeedback) =>
      openTextRanker({ table, index, fields, query, filter, scope, feedback }, slicer);
    const rankText = ({ rank }: TextRanker) =>
      acceptedRanking({ table, accepts, depth: depthWanted(true), rank }, slicer);
    const rankNear = (deep: number) => this.rankByVector(embedded!, deep, filter, slicer, signal);
    const ranker = await openRanker();
    let text = await rankText(ranker);
    const isNear = embedded?.vector != null;
    const near = await acceptedRanking({ table, accepts, depth: depthWanted(isNear), rank: rankNear }, slicer);
    const fuse = () => this.fuse(text, near, fusion);
    let last = ranker;
    let fused = fuse();
    if (query.feedback && fused.length > 0 && index) {
      last = await openRanker(this.feedbackOf(fused, query.feedback));
      text = await rankText(last);
      fused = fuse();
    }
    const explanation: SearchExplanation = {
      documents: table.size,
      filter: filter ? { kind: filter.kind, size: filter.size } : null,
      depth,
      textHits: this.textIndexFactory ? text.length : null,
      vectorHits: this.vectors ? near.length : null,
      vectors: this.vectors && { ...this.vectors.status, failure: embedded!.failure ?? this.vectors.status.failure },
      rankingMs: performance.now() - startMs,
    };
    this.logger?.debug(explanation, 'ranked search');
    query.explain?.(explanation);
    const hits = fused.slice(0, limit);
    const explained = query.explainHits ? await this.explainHits(hits, last, text, near, slicer) : undefined;
    return hits.map(({ id, score, ranks: [ftsRank, vecRank] }, at) => ({
      world: table.worldOf(id),
      subject: table.subject[id],
      predicate: table.predicate[id],
      object: table.object[id],
      vecRank,
      ftsRank,
      score,
      ...(explained && { explanation: explained[at] }),
    }));
  }

  private fuse(text: readonly RankedDocument[], near: readonly RankedDocument[], fusion: ResolvedFusion): FusedRank[] {
    const list = (ranked: readonly RankedDocument[], weight: number) => ({
      ids: ranked.map(({ doc }) => doc),
      scores: ranked.map(({ score }) => score),
      weight,
    });
    return fuseRanks([list(text, fusion.textWeight), list(near, fusion.vectorWeight)], {
      method: fusion.method,
      k: fusion.k,
      compare: (a, b) => this.table.compare(a, b),
    });
  }

  /** What the best documents so far say, each the more, the better it is. */
  private feedbackOf(fused: readonly FusedRank[], { documents, terms, weight }: ResolvedFeedback): TextFeedback {
    const best = fused.slice(0, documents).flatMap(({ id, score }) => {
      const literal = this.textOf(this.table.object[id]);
      return literal && score > 0 ? [{ ...literal, weight: score }] : [];
    });
    return { documents: best, terms, weight };
  }

  private async explainHits(
    hits: readonly FusedRank[],
    ranker: TextRanker,
    text: readonly RankedDocument[],
    near: readonly RankedDocument[],
    slicer: Slicer,
  ): Promise<HitExplanation[]> {
    const textScoreOf = new Map(text.map(({ doc, score }) => [doc, score]));
    const similarityOf = new Map(near.map(({ doc, score }) => [doc, score]));
    const textScores = await ranker.explainer();
    const explained: HitExplanation[] = [];
    for (const { id } of hits) {
      explained.push(
        explainHit(this.textIndex, {
          literal: this.textOf(this.table.object[id])!,
          textScores: textScores?.(id) ?? [],
          nameScores: ranker.fields?.scoresOf(id) ?? [],
          textScore: textScoreOf.get(id) ?? null,
          similarity: similarityOf.get(id) ?? null,
        }),
      );
      if (slicer.due) await slicer.pause();
    }
    return explained;
  }

  /**
   * How many hits each list is asked for. One list alone needs no more than the limit. With two of equal weight, `limit` documents score at least
   * 1 / (k + limit) each, and one that is in neither list to depth d less than 2 / (k + d): from d = 2 limit + k on it cannot belong
   * to the answer. Unequal weights need less. It is bounded by the number of documents.
   */
  private depthOf(limit: number, { k }: ResolvedFusion): number {
    const wanted = this.textIndexFactory && this.vectors ? Math.max(MIN_DEPTH, 2 * limit + Math.ceil(k)) : limit;
    return Math.max(1, Math.min(wanted, this.table.size));
  }

  /** Scores must not tell of worlds that the caller does not see: undefined when there are none. */
  private async scopeOf(
    { worlds, subjects, predicates, objects, subjectsByWorld }: DocumentFilter,
    filter: DocSet | undefined,
    slicer: Slicer,
  ): Promise<TextScope | undefined> {
    if (!worlds || !filter || filter.size === 0) return undefined;
    const isFilter = !subjects && !predicates && !objects && !subjectsByWorld;
    const documents = isFilter ? filter : await filterDocuments(this.table, { worlds }, slicer);
    return documents && { groups: [...new Set(worlds)], documents };
  }

  /** Document numbers by the similarity of their literals, best first. */
  private async rankByVector(
    embedded: EmbeddedQuery,
    depth: number,
    filter: DocSet | undefined,
    slicer: Slicer,
    signal: AbortSignal | undefined,
  ): Promise<RankedDocument[]> {
    const literals = filter && (await literalsOf(this.table, filter, slicer));
    const hits = await this.vectors!.search(embedded, {
      limit: depth,
      ...(literals && { filter: literals }),
      ...(signal && { signal }),
    });
    const ranked: RankedDocument[] = [];
    for (const { key, similarity } of hits) {
      if (similarity <= 0 || ranked.length >= depth) break;
      const room = depth - ranked.length;
      const docs = await this.documentsOf(key, room, filter, slicer);
      for (const doc of docs) ranked.push({ doc, score: similarity });
    }
    return ranked;
  }

  /** The first `limit` documents of a literal, in the order of `compare`. */
  private async documentsOf(
    literal: TermId,
    limit: number,
    filter: DocSet | undefined,
    slicer: Slicer,
  ): Promise<number[]> {
    const { table } = this;
    // There are vectors, so the table finds their documents.
    const objects = table.objects!;
    const best: number[] = [];
    let visited = 0;
    for (let doc = objects.first(literal); doc !== NO_DOC; doc = objects.next(doc)) {
      if (++visited % 1024 === 0 && slicer.due) await slicer.pause();
      if (filter && !docSetHas(filter, doc)) continue;
      if (best.length === limit && table.compare(doc, best[limit - 1]) > 0) continue;
      let at = 0;
      for (let high = best.length; at < high; ) {
        const middle = (at + high) >>> 1;
        if (table.compare(best[middle], doc) < 0) at = middle + 1;
        else high = middle;
      }
      best.splice(at, 0, doc);
      if (best.length > limit) best.pop();
    }
    return best;
  }

  private add(
    world: number,
    subject: TermId,
    predicate: TermId,
    object: TermId,
    textIndex: TextIndex | undefined,
  ): void {
    const { table } = this;
    if (table.find(world, subject, predicate, object) >= 0) return;
    const document = this.textOf(object);
    if (!document) return;
    const doc = table.add(world, subject, predicate, object);
    try {
      textIndex?.add(doc, document.text, document.language, world);
    } catch (error) {
      // Nobody knows how far the index came, so nobody may get this number again.
      table.retire(doc);
      throw error;
    }
    this.fields?.add(doc, document.text, document.language, this.termOf);
    this.vectors?.add(object, document.text.length);
  }

  private remove(doc: number, textIndex: TextIndex | undefined): void {
    const { table } = this;
    const object = table.object[doc];
    // It was a document, so it has a text.
    const { text, language } = this.textOf(object)!;
    textIndex?.remove(doc, text, language, table.worldOf(doc));
    this.fields?.remove(doc, text, language, this.termOf);
    table.remove(doc);
    if (table.objects?.has(object) === false) this.vectors?.remove(object);
  }

  /** What is searchable of a term, or undefined for what is no literal or has no word. */
  private textOf(id: TermId): DocumentText | undefined {
    if (this.lastLiteral?.id === id) return this.lastLiteral.text;
    const term = this.terms!.kind(id) === 'literal' ? this.terms!.term(id) : undefined;
    const text =
      term?.termType === 'Literal' && WORD.test(term.value) ? { text: term.value, language: term.language } : undefined;
    this.lastLiteral = { id, text };
    return text;
  }

  private readonly termOf = (id: TermId) => this.terms!.term(id);

  private async openTextIndex(): Promise<TextIndex | undefined> {
    if (!this.textIndexFactory) return undefined;
    // Only under the exclusive lock for the first time: a document exists only after an `apply`.
    this.textIndex ??= await this.textIndexFactory();
    if (this.fieldWeights) this.fields ??= await FieldIndex.open(this.table);
    return this.textIndex;
  }
}
