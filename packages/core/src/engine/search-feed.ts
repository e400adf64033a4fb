import { setImmediate } from '#platform';
import { Slicer } from '../contracts/slicer.ts';
import { NO_TERM } from '../contracts/term-source.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { Dictionary } from '../quads/dictionary.ts';
import { type Delta, deltaSize } from '../quads/merge-runs.ts';
import { NamespaceSearch } from '../search/namespace-search.ts';
import type { NamespaceSearchOptions } from '../search/namespace-search-options.ts';
import type { BackgroundFailures } from './background-failures.ts';
import type { Commit, CommitObserver } from './commit.ts';
import { textSegmentName, textSegments } from './durable/stored-texts.ts';
import { Mutex } from './mutex.ts';
import type { NamespaceState } from './namespace-state.ts';
import { readingOverlay } from './reading-overlay.ts';
import { changedDocuments, documentsOf, NO_DOCUMENTS } from './search-documents.ts';
import type { StorableTexts, StoredTexts, TextContents, TextContentsOptions } from './storable-texts.ts';
import type { WorldState } from './world-state.ts';

/** Analyzer, embedder and other settings of search; shared by all namespaces of an engine. */
export type SearchPlugins = Omit<NamespaceSearchOptions, 'keptVectors' | 'logger' | 'onEmbedding'>;

export interface SearchFeedOptions {
  readonly plugins: SearchPlugins;
  readonly failures: BackgroundFailures;
  /** Whether the namespace was loaded, so that work in the background may begin. */
  readonly isOpen: () => boolean;
  /** Called with the number of documents that were indexed or removed. */
  readonly onIndexed: (documents: number) => void;
  /** Returns the vectors kept in storage. Called when the index is created. */
  readonly keptVectors: () => NamespaceSearchOptions['keptVectors'];
}

type Pending =
  | { readonly world: number; readonly delta: Delta; readonly bytes: number }
  | { readonly world: number; readonly dropped: true }
  | { readonly dictionary: Dictionary };

/** Memory of an index in JavaScript objects. Measured. */
const SEARCH_BYTES = 24 << 10;

/**
 * Memory of the tail in bytes above which a stored index is loaded although nobody searches, so
 * that the tail can be indexed.
 */
const MAX_UNREAD_TAIL = 8 << 20;

/** Attempts to index all commits before a checkpoint, which otherwise has no index. */
const MAX_ROUNDS = 4;

/** Quads of further worlds that are indexed before other searches get their turn. */
const QUADS_PER_TURN = 65_536;

/**
 * Keeps the search index of a namespace up to date with its commits.
 *
 * A world is indexed by the first search that includes it: before that, its commits cost nothing.
 * From then on each commit appends its delta to a queue (the tail) that is indexed in the
 * background. A search first indexes the rest of the tail, so it never returns stale results.
 *
 * With storage, checkpoints contain the index. A namespace that is read from one has a *stored*
 * index: its worlds count as indexed, so the tail collects their later commits, and the first
 * search loads it. Whatever prevents that, the index is then built from the quads.
 */
export class SearchFeed implements CommitObserver, StorableTexts {
  private readonly namespace: NamespaceState;
  private readonly plugins: SearchPlugins;
  private readonly failures: BackgroundFailures;
  private readonly keptVectors: SearchFeedOptions['keptVectors'];
  private readonly isOpen: SearchFeedOptions['isOpen'];
  private readonly onIndexed: SearchFeedOptions['onIndexed'];
  private readonly lock = new Mutex();
  private search: NamespaceSearch | undefined;
  /** An index in the storage that was not loaded yet; then there is no `search`. */
  private stored: StoredTexts | undefined;
  /**
   * `search.changes` when the index was last stored or loaded, and when they were last reported.
   */
  private savedChanges = 0;
  private reportedChanges = 0;
  /**
   * Numbers of the worlds whose contents are indexed, or are being indexed: their commits go to the
   * tail. Deleted worlds are removed.
   */
  private readonly fed = new Set<number>();
  /**
   * The worlds among them whose first indexing has not ended. One that a signal interrupted
   * continues in the background, and with the next search of its world: a world that takes longer
   * to index than any search may take could otherwise never be searched.
   */
  private readonly building = new Map<number, WorldContents>();
  /** Whether the model of the embedder depends on all texts. */
  private readonly needsAllWorlds: boolean;
  /**
   * The dictionary for the ids of the indexed documents and of the tail, up to the entry of the
   * tail that renews it.
   */
  private dictionary: Dictionary;
  private tail: Pending[] = [];
  /**
   * Memory of the tail, in bytes. Kept as a running total, because every commit reads it and the
   * tail grows long if commits outpace indexing.
   */
  private tailBytes = 0;
  private background = false;
  /** Whether the initial contents or entries taken from the tail are being indexed. */
  private indexing = false;
  private closed = false;
  /** The error for later searches, once the engine is closed. */
  private closedBy: WorldsError | undefined;

  constructor(namespace: NamespaceState, { plugins, failures, ...options }: SearchFeedOptions) {
    this.namespace = namespace;
    this.dictionary = namespace.store.dictionary;
    this.plugins = plugins;
    this.needsAllWorlds = plugins.embedder !== null && 'train' in plugins.embedder;
    this.failures = failures;
    this.keptVectors = options.keptVectors;
    this.isOpen = options.isOpen;
    this.onIndexed = options.onIndexed;
  }

  textsFound(texts: StoredTexts): void {
    if (this.plugins.textIndex === null) return;
    this.stored = texts;
    for (const world of texts.worlds) this.fed.add(world);
    this.dictionary = this.namespace.store.dictionary;
  }

  visible({ before, after, delta }: Commit): void {
    if (!before) {
      // If all other worlds are indexed, a new one is expected to be searched with them.
      if (!(this.search || this.stored) || !after || this.fed.size < this.namespace.worlds.size - 1) return;
      // Only a fork starts with quads. If nobody has searched since the namespace was loaded, its
      // first search is soon enough to index them.
      const isFork = deltaSize(delta) > 0;
      if (isFork && !this.search) return;
      this.fed.add(after.graphs.world);
      if (isFork) this.enqueueDelta(after.graphs.world, delta);
      return;
    }
    const { world } = before.graphs;
    if (!this.fed.has(world)) return;
    if (!after) {
      this.fed.delete(world);
      this.enqueue({ world, dropped: true });
    } else if (deltaSize(delta) > 0) this.enqueueDelta(world, delta);
  }

  /** Queues the new dictionary. Earlier entries of the tail are read with the old one. */
  dictionaryRenewed(dictionary: Dictionary): void {
    if (this.search || this.stored) this.enqueue({ dictionary });
    else this.dictionary = dictionary;
  }

  private enqueueDelta(world: number, delta: Delta): void {
    const bytes = delta.inserted.byteLength + delta.deleted.byteLength;
    this.tailBytes += bytes;
    this.enqueue({ world, delta, bytes });
  }

  private enqueue(pending: Pending): void {
    this.tail.push(pending);
    this.startBackground();
  }

  /**
   * Returns the search of the namespace, up to date with every visible commit of some worlds.
   *
   * @param worlds numbers of worlds; undefined for all
   */
  async current(worlds: Uint32Array | undefined, signal?: AbortSignal): Promise<NamespaceSearch> {
    if (this.closedBy) throw this.closedBy;
    const asked = this.needsAllWorlds ? undefined : worlds;
    if (!this.isReadyFor(asked)) {
      // Worlds that are created meanwhile are not waited for: a search would otherwise never finish
      // if they come faster than they are indexed.
      const wanted = asked ?? Uint32Array.from(this.namespace.worlds.values(), ({ graphs }) => graphs.world);
      try {
        // Other searches get the lock between two turns.
        do await this.lock.run(() => this.catchUp(wanted, { signal }), signal);
        while (this.unfed(wanted).length > 0);
      } catch (error) {
        throw this.withProgress(error, wanted);
      }
    }
    if (this.closedBy) throw this.closedBy;
    return (this.search ??= this.newSearch());
  }

  /** Whether all commits of the indexed worlds are indexed and no indexing is running. */
  private get isCurrent(): boolean {
    return this.search !== undefined && this.tail.length === 0 && !this.indexing && this.building.size === 0;
  }

  /** Whether all commits of some worlds, or of all, are indexed and no indexing is running. */
  private isReadyFor(worlds: Uint32Array | undefined): boolean {
    if (!this.search || this.tail.length > 0 || this.indexing || this.unfed(worlds).length > 0) return false;
    return this.building.size === 0 || (worlds !== undefined && !worlds.some((world) => this.building.has(world)));
  }

  /** Returns the error of a search whose time ended before its worlds were indexed. */
  private withProgress(error: unknown, worlds: Uint32Array): unknown {
    if (!(error instanceof WorldsError) || error.code !== 'TIMEOUT' || this.isReadyFor(worlds)) return error;
    let [done, total] = [0, 0];
    for (const world of worlds) {
      const state = this.namespace.worldOf(world);
      if (!state) continue;
      const contents = this.building.get(world);
      const quads = contents?.total ?? quadsOf(this.namespace, state);
      total += quads;
      if (this.fed.has(world)) done += contents?.done ?? quads;
    }
    // All quads may have been read while the last texts are still being indexed.
    const percent = total === 0 ? 0 : Math.min(99, Math.floor((100 * done) / total));
    return new WorldsError(
      'TIMEOUT',
      `The first search of a world indexes its texts, which takes longer than this search may: ${percent}% are indexed. Search again soon; indexing continues.`,
      { cause: error },
    );
  }

  /** Returns the visible worlds, of those given or of all, that are not indexed. */
  private unfed(worlds: Uint32Array | undefined): WorldState[] {
    const { namespace, fed } = this;
    const missing: WorldState[] = [];
    if (!worlds) {
      if (fed.size === namespace.worlds.size) return missing;
      for (const state of namespace.worlds.values()) if (!fed.has(state.graphs.world)) missing.push(state);
      return missing;
    }
    for (const world of worlds) {
      const state = fed.has(world) ? undefined : namespace.worldOf(world);
      if (state) missing.push(state);
    }
    return missing;
  }

  /**
   * Waits until every visible commit is searchable, by vector too. Throws like
   * `NamespaceSearch.flush`.
   */
  async flush(signal?: AbortSignal): Promise<void> {
    const search = await this.current(undefined, signal);
    await search.flush(signal);
  }

  /** Describes the differences between the index and the quads of the indexed worlds. */
  async problems(slicer: Slicer): Promise<string[]> {
    if (!this.search && !this.stored) return [];
    return this.lock.run(async () => {
      while (!this.isCurrent && (this.search || this.stored)) await this.catchUp(NO_WORLDS);
      const { search, namespace, fed } = this;
      if (!search) return [];
      const { snapshot, dictionary } = namespace.store;
      const worlds = [...namespace.worlds.values()].filter(({ graphs }) => fed.has(graphs.world));
      const documents = documentsOf(namespace, worlds, snapshot, dictionary);
      const problems = await search.problems(documents, slicer);
      // The next search builds the index from the quads.
      if (problems.length > 0) this.discard(search);
      return problems;
    });
  }

  /** Discards the index, loaded or not, because its stored form is damaged. */
  async buildAgain(): Promise<void> {
    await this.lock.run(() => {
      if (this.search) this.discard(this.search);
      else this.forgetStored();
    });
  }

  get isUnsaved(): boolean {
    return this.search?.canStore === true && this.search.changes !== this.savedChanges;
  }

  async catchUpToStore(): Promise<void> {
    // A checkpoint does not wait for the first indexing of a world.
    if (this.building.size > 0) return;
    // An index without later commits is stored again as it is.
    if (this.search ? !this.search.canStore && this.isCurrent : this.tail.length === 0) return;
    try {
      await this.lock.run(async () => {
        await this.catchUpCompletely();
        await this.search?.settle();
      });
    } catch (cause) {
      if (!this.closed) this.failures.failed(this.namespace.name, 'indexing', cause);
    }
  }

  contents({ newId, isShared }: TextContentsOptions): TextContents {
    const { search, stored, fed, failures } = this;
    const written = () => failures.succeeded(this.namespace.name, 'loading');
    const nothing: TextContents = { texts: undefined, segments: [], written, failed: () => undefined };
    if (this.closed) return nothing;
    if (stored) {
      if (isShared || this.tail.length > 0 || this.indexing) return nothing;
      return { ...nothing, ...stored.carry(fed) };
    }
    if (!search?.canStore || !this.isCurrent || fed.size === 0) return nothing;
    const { changes } = search;
    if (isShared) search.forgetPages();
    const captured = search.contents((kind) => textSegmentName(kind, newId()));
    if (!captured) return nothing;
    return {
      ...nothing,
      ...textSegments(captured, fed),
      written: () => {
        written();
        if (this.search === search) this.savedChanges = changes;
      },
      failed: () => search.forgetPages(),
    };
  }

  async compact(): Promise<void> {
    if (!this.search && !this.stored) return;
    await this.lock.run(async () => {
      try {
        await this.catchUpCompletely();
        await this.search?.compact();
      } catch (cause) {
        // What is left of the index may contain deleted texts.
        if (this.search) this.discard(this.search);
        else this.forgetStored();
        if (!this.closed) this.failures.failed(this.namespace.name, 'indexing', cause);
      }
    });
  }

  /** Indexes all commits, unless they arrive too fast. Requires the lock. */
  private async catchUpCompletely(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS && !this.closed && !this.isCurrent; round++) await this.catchUp(NO_WORLDS);
  }

  /** Memory of the index and the tail, in bytes. */
  get byteLength(): number {
    return this.tailBytes + (this.search ? SEARCH_BYTES + this.search.memoryBytes : 0);
  }

  /** The part of {@link byteLength} on the JavaScript heap. */
  get heapByteLength(): number {
    return this.search ? SEARCH_BYTES : 0;
  }

  /** Whether background work is running, which prevents eviction. */
  get isBusy(): boolean {
    return this.background || this.search?.isEmbedding === true;
  }

  /** Stops indexing. If `reason` is given, later searches throw it. */
  close(reason?: WorldsError): void {
    this.closed = true;
    this.closedBy = reason;
    this.building.clear();
    this.forgetTail();
    this.search?.close();
  }

  private forgetTail(): void {
    this.tail = [];
    this.tailBytes = 0;
  }

  private startBackground(): void {
    if (this.background || this.closed || !this.hasBackgroundWork) return;
    this.background = true;
    setImmediate(() => {
      this.background = false;
      if (this.closed) return;
      this.namespace
        .use(() => this.lock.run(() => this.catchUp(NO_WORLDS, { maxQuads: QUADS_PER_TURN })))
        // Entries that arrived meanwhile.
        .then(() => this.startBackground())
        .catch((cause) => {
          if (!this.closed) this.failures.failed(this.namespace.name, 'indexing', cause);
        });
    });
  }

  private get hasBackgroundWork(): boolean {
    if (this.building.size > 0) return true;
    if (this.tail.length === 0) return false;
    return this.search !== undefined || (this.isOpen() && this.tailBytes > MAX_UNREAD_TAIL);
  }

  /**
   * Indexes the tail, and some of the given worlds: at least one that is not indexed yet. Without
   * worlds, continues those whose indexing was interrupted, up to `maxQuads`; the tail then waits
   * for them. Requires the lock.
   */
  private async catchUp(
    worlds: Uint32Array,
    { signal, maxQuads = Number.POSITIVE_INFINITY }: { readonly signal?: AbortSignal; readonly maxQuads?: number } = {},
  ): Promise<void> {
    if (worlds === NO_WORLDS ? this.isCurrent : this.isReadyFor(worlds)) return;
    // The background has nothing to do for an index that was discarded.
    if (!this.search && !this.stored && worlds === NO_WORLDS) return;
    this.indexing = true;
    try {
      await this.loadStored(signal);
      if (!this.search && worlds === NO_WORLDS) return;
      const slicer = new Slicer(signal);
      const search = (this.search ??= this.newSearch());
      const interrupted = [...this.building.values()];
      const wanted = worlds === NO_WORLDS ? interrupted : interrupted.filter(({ world }) => worlds.includes(world));
      for (const contents of wanted) {
        await this.indexContents(search, contents, { slicer, signal, maxQuads });
        if (this.building.has(contents.world)) return;
      }
      await this.indexTail(search, slicer, signal);
      let quads = 0;
      for (const { graphs } of this.unfed(worlds)) {
        quads += await this.indexWorld(search, graphs.world, slicer, signal);
        if (quads >= QUADS_PER_TURN) break;
      }
      this.failures.succeeded(this.namespace.name, 'indexing');
    } finally {
      this.indexing = false;
      this.reportChanges();
    }
  }

  private reportChanges(): void {
    const documents = this.search?.canStore ? this.search.changes - this.reportedChanges : 0;
    if (documents === 0) return;
    this.reportedChanges += documents;
    this.onIndexed(documents);
  }

  /**
   * Loads the stored index, if there is one. If it is damaged, or texts were analysed differently,
   * there is none afterwards. Throws if the signal fires. Requires the lock.
   */
  private async loadStored(signal: AbortSignal | undefined): Promise<void> {
    const { stored, namespace, dictionary } = this;
    if (!stored) return;
    const search = this.createSearch();
    try {
      namespace.requireRoom(stored.byteLength);
      const overlay = readingOverlay(dictionary);
      const content = await stored.open();
      if (await search.restore(content, overlay, dictionary.table.size, new Slicer(signal))) {
        this.stored = undefined;
        this.search = search;
        this.savedChanges = this.reportedChanges = search.changes;
        if (this.closed) search.close();
        return;
      }
    } catch (cause) {
      search.close();
      if (signal?.aborted) throw cause;
      this.forgetStored();
      // Neither a newer checkpoint of another engine nor a lack of memory means damage.
      const isHarmless = cause instanceof WorldsError && ['TRUNCATED', 'LIMIT_EXCEEDED'].includes(cause.code);
      if (!isHarmless && !this.closed) this.failures.failed(namespace.name, 'loading', cause);
      return;
    }
    search.close();
    this.forgetStored();
  }

  /** Forgets a stored index: the next search builds it from the quads. */
  private forgetStored(): void {
    this.stored = undefined;
    this.fed.clear();
    this.building.clear();
    this.dictionary = this.namespace.store.dictionary;
    this.forgetTail();
  }

  /**
   * Indexes the tail as it is now. Entries that arrive meanwhile are left for later: if commits
   * outpace indexing, a search would otherwise never finish.
   */
  private async indexTail(search: NamespaceSearch, slicer: Slicer, signal: AbortSignal | undefined): Promise<void> {
    for (let next = this.beforeTail(); next; next = this.beforeTail())
      await this.indexContents(search, next, { slicer, signal });
    const batch = this.tail;
    this.forgetTail();
    let done = 0;
    try {
      for (const pending of batch) {
        if ('dictionary' in pending) {
          await search.renewTerms(readingOverlay(pending.dictionary));
          this.dictionary = pending.dictionary;
        } else if ('dropped' in pending) await search.dropWorld(pending.world, slicer);
        else await this.applyDelta(search, pending.world, pending.delta, slicer);
        done++;
      }
    } finally {
      // Applying is idempotent, so entries that an abort interrupted are applied again.
      for (const pending of batch.slice(done)) if ('delta' in pending) this.tailBytes += pending.bytes;
      if (done < batch.length) this.tail = [...batch.slice(done), ...this.tail];
    }
  }

  /**
   * Returns a world whose first indexing must end before the tail is indexed: the tail has later
   * commits of it, or replaces the dictionary of its ids.
   */
  private beforeTail(): WorldContents | undefined {
    if (this.building.size === 0) return undefined;
    for (const pending of this.tail) {
      const [first] = this.building.values();
      const contents = 'dictionary' in pending ? first : this.building.get(pending.world);
      if (contents) return contents;
    }
    return undefined;
  }

  /** Creates an index without worlds. */
  private newSearch(): NamespaceSearch {
    this.dictionary = this.namespace.store.dictionary;
    this.savedChanges = this.reportedChanges = 0;
    return this.createSearch();
  }

  private createSearch(): NamespaceSearch {
    const { failures } = this;
    const { name } = this.namespace;
    return new NamespaceSearch({
      ...this.plugins,
      logger: failures.logger,
      onEmbedding: {
        failed: (cause) => failures.failed(name, 'embedding', cause),
        succeeded: () => failures.succeeded(name, 'embedding'),
      },
      keptVectors: this.keptVectors(),
    });
  }

  /**
   * Indexes the visible contents of a world, unless it was deleted. Returns the number of its
   * quads.
   */
  private async indexWorld(
    search: NamespaceSearch,
    world: number,
    slicer: Slicer,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    // Ids of the new contents may mean nothing in a dictionary that is still to be replaced.
    while (this.dictionary !== this.namespace.store.dictionary) await this.indexTail(search, slicer, signal);
    const state = this.namespace.worldOf(world);
    if (!state) return 0;
    // From here on, commits append their deltas to the tail.
    this.fed.add(world);
    const contents = new WorldContents(this.namespace, state);
    this.building.set(world, contents);
    await this.indexContents(search, contents, { slicer, signal });
    return contents.done;
  }

  /**
   * Indexes the contents of a world from where that stopped, at most about `maxQuads` of them.
   * Requires the lock.
   */
  private async indexContents(
    search: NamespaceSearch,
    contents: WorldContents,
    { slicer, signal, maxQuads = Number.POSITIVE_INFINITY }: ContentsWork,
  ): Promise<void> {
    const { namespace, fed, building } = this;
    const { world, done } = contents;
    try {
      // The tail has an entry for a world that was deleted meanwhile.
      for (let batch = contents.next(); batch && fed.has(world); batch = contents.next()) {
        await search.apply({ added: batch.added, removed: NO_DOCUMENTS }, batch.overlay, slicer);
        contents.applied();
        namespace.memory?.requireMeasuredRoom(namespace);
        if (slicer.due) await slicer.pause();
        if (contents.done - done >= maxQuads) return;
      }
      building.delete(world);
    } catch (cause) {
      // What was indexed survives an abort. Other failures may have damaged the index, or mean that
      // memory is short.
      if (!signal?.aborted) this.discard(search);
      else this.startBackground();
      throw cause;
    }
  }

  private discard(search: NamespaceSearch): void {
    search.close();
    this.search = undefined;
    this.fed.clear();
    this.building.clear();
    this.dictionary = this.namespace.store.dictionary;
    this.forgetTail();
  }

  /** Indexes the changes of a delta. */
  private async applyDelta(search: NamespaceSearch, world: number, delta: Delta, slicer: Slicer): Promise<void> {
    const graphs = this.namespace.worldOf(world)?.graphs;
    // The tail has a later entry for a world that was deleted. One whose indexing was aborted will
    // be indexed as it is then.
    if (!graphs || !this.fed.has(world)) return;
    const overlay = readingOverlay(this.dictionary);
    for (const change of changedDocuments(this.namespace, graphs, delta, overlay)) {
      await search.apply(change, overlay, slicer);
      if (slicer.due) await slicer.pause();
    }
  }
}

const NO_WORLDS = new Uint32Array(0);

interface ContentsWork {
  readonly slicer: Slicer;
  /** The signal of the slicer. */
  readonly signal: AbortSignal | undefined;
  readonly maxQuads?: number;
}

type ContentsBatch = ReturnType<typeof documentsOf> extends Iterable<infer Batch> ? Batch : never;

/** The documents of a world at the moment when its indexing began, and how far that is. */
class WorldContents {
  readonly world: number;
  /** Number of quads. */
  readonly total: number;
  private applying: ContentsBatch | undefined;
  private readonly batches: Iterator<ContentsBatch>;
  private quads = 0;

  constructor(namespace: NamespaceState, state: WorldState) {
    const { snapshot, dictionary } = namespace.store;
    this.world = state.graphs.world;
    this.total = quadsOf(namespace, state);
    this.batches = documentsOf(namespace, [state], snapshot, dictionary);
  }

  /** Number of quads whose documents were indexed. */
  get done(): number {
    return this.quads;
  }

  /** Returns the first batch that was not applied; undefined at the end. */
  next(): ContentsBatch | undefined {
    if (!this.applying) {
      const step = this.batches.next();
      this.applying = step.done ? undefined : step.value;
    }
    return this.applying;
  }

  applied(): void {
    this.quads += this.applying?.length ?? 0;
    this.applying = undefined;
  }
}

function quadsOf({ store }: NamespaceState, { graphs }: WorldState): number {
  const { snapshot, dictionary } = store;
  return store.view(readingOverlay(dictionary), [graphs], snapshot).count(NO_TERM, NO_TERM, NO_TERM, NO_TERM);
}
