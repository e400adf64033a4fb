import { Slicer } from '../../contracts/slicer.ts';
import type { Head } from '../../contracts/storage.ts';
import { throwIfAborted, WorldsError } from '../../model/worlds-error.ts';
import { DictionaryCompaction, type TermAmount } from '../../quads/dictionary-compaction.ts';
import type { Commit } from '../commit.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { Overtaken } from '../overtaken.ts';
import type { CompactionWork } from './compaction-work.ts';
import type { Durability } from './durability.ts';
import { mentionCommit, mentionHistory, mentionLog, mentionWhatIsThere } from './mentioned-terms.ts';

const NOTHING: TermAmount = { terms: 0, bytes: 0 };
/**
 * How often a compaction starts over because a commit mentions a term that it was about to free.
 * Under a load that does so every time, the terms are not worth freeing.
 */
const MAX_ATTEMPTS = 5;
/**
 * How often the head may move between two questions of the storage, while writers of this engine
 * wait.
 */
const MAX_CONFIRMATIONS = 50;

/** The attempt must start over: its state is not the one that it would free terms of. */
class StartOver extends Error {}

/**
 * Like `compactNamespace`, for a namespace that others may write to (decision 0024). Another engine
 * may use any term until it knows the new generation, so the terms are freed in storage first: the
 * checkpoint that omits them becomes the newest only if no commit since has mentioned one of them.
 * Memory follows in the same step, with the lock held.
 *
 * Throws {@link Overtaken} if the namespace must be reloaded first, CONFLICT if others prevent the
 * compaction again and again.
 */
export async function compactShared(
  namespace: NamespaceState,
  durability: Durability,
  work: CompactionWork,
): Promise<TermAmount> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await new SharedCompaction(namespace, durability, work).run();
    } catch (cause) {
      if (!(cause instanceof StartOver) && !isRefused(cause)) throw cause;
      if (attempt === MAX_ATTEMPTS) throw busy(namespace.name);
    }
  }
}

/** Whether a checkpoint of another engine was in the way, or truncated the log. */
function isRefused(cause: unknown): boolean {
  const isInTheWay = cause instanceof WorldsError && (cause.code === 'CONFLICT' || cause.code === 'TRUNCATED');
  return isInTheWay && !(cause instanceof Overtaken);
}

function busy(name: string): WorldsError {
  return new WorldsError(
    'CONFLICT',
    `The namespace ${name} was not compacted: commits of this or other processes kept using terms that it was about to free. Try again when there are fewer.`,
  );
}

class SharedCompaction {
  private readonly namespace: NamespaceState;
  private readonly durability: Durability;
  private readonly request: CompactionWork;
  private readonly slicer: Slicer;
  /** Commits whose terms are not marked yet. */
  private readonly commits: Commit[] = [];
  private work!: DictionaryCompaction;
  private unlock: (() => void) | undefined;
  private confirmations = 0;

  constructor(namespace: NamespaceState, durability: Durability, request: CompactionWork) {
    this.namespace = namespace;
    this.durability = durability;
    this.request = request;
    this.slicer = new Slicer(request.signal);
  }

  async run(): Promise<TermAmount> {
    const { namespace, slicer, commits } = this;
    const { journal, checkpointer } = this.durability;
    const { isWorthwhile, forgetChanges = false, forgetHistory, signal } = this.request;
    throwIfAborted(signal);
    await this.locked(() => this.follow());
    if (forgetHistory) namespace.forgetHistory();
    else namespace.expireHistory();
    await namespace.store.mergeAll();
    // First, so that the log is as short as possible.
    await checkpointer.write({ merged: true, forgetChanges, always: forgetHistory });
    // The storage keeps two checkpoints: the one before this still has the history.
    if (forgetHistory) await checkpointer.write({ always: true });
    if (namespace.dropped) return NOTHING;
    commits.push(...journal.pending);
    const unobserve = namespace.observe({ latest: (commit) => commits.push(commit) });
    try {
      const { dictionary } = namespace.store;
      this.work = new DictionaryCompaction(dictionary, journal.state.terms);
      await mentionWhatIsThere(namespace, this.work, slicer);
      await mentionHistory(namespace, this.work, slicer);
      await mentionLog(namespace, checkpointer, this.work, slicer);
      await slicer.run(this.work.close());
      const { all, dead } = await slicer.run(this.work.measure());
      if (dead.terms === 0 || !isWorthwhile(dead, all)) return NOTHING;
      await this.catchUp();
      await checkpointer.writeCompacted({
        dictionary: this.work.next,
        forgetChanges,
        prepare: () => this.prepare(),
        taken: () => this.release(),
        confirm: () => this.confirm(),
        written: () => this.written(),
      });
      if (namespace.dropped) return NOTHING;
      await namespace.texts?.compact();
      // The storage keeps two checkpoints. After another one, the checkpoint from before the
      // compaction is deleted.
      await checkpointer.write({ always: true });
      return this.work.freed;
    } finally {
      this.release();
      unobserve();
    }
  }

  private async catchUp(): Promise<void> {
    for (const commit of this.commits.splice(0)) await mentionCommit(commit, this.work, this.slicer);
    await this.slicer.run(this.work.copyKept());
  }

  /** Brings the namespace to the head. Requires the lock. */
  private async follow(): Promise<void> {
    const { namespace, durability, request } = this;
    throwIfAborted(request.signal);
    if (namespace.dropped) throw new Overtaken(namespace.name);
    if (!(await durability.journal.follow())) {
      durability.reload();
      throw new Overtaken(namespace.name);
    }
  }

  /** Holds the lock from here until the state of the checkpoint is taken. */
  private async prepare(): Promise<void> {
    await this.lock();
    await this.follow();
    this.requireSameDictionary();
    await this.catchUp();
    await this.durability.vectors.dropFreed(this.work.next.table);
  }

  /** Holds the lock from the first call until the checkpoint is the newest, or was given up. */
  private async confirm(): Promise<Head> {
    const { work, slicer, commits } = this;
    await this.lock();
    await this.follow();
    this.requireSameDictionary();
    const { terms } = work.freed;
    for (const commit of commits.splice(0)) await mentionCommit(commit, work, slicer);
    // The checkpoint omits a term that is mentioned again.
    if (work.freed.terms !== terms) throw new StartOver();
    if (++this.confirmations > MAX_CONFIRMATIONS) throw new StartOver();
    return this.durability.journal.state.head;
  }

  private async written(): Promise<void> {
    const { namespace, durability, work } = this;
    durability.journal.generationRaised();
    // Not interrupted any more: the storage has freed the terms.
    await new Slicer().run(work.copyKept());
    namespace.renewDictionary(work.next);
    this.release();
  }

  /** Another engine's commits may have withdrawn terms that the compaction has copied. */
  private requireSameDictionary(): void {
    if (this.work.dictionary !== this.namespace.store.dictionary) throw new StartOver();
  }

  private async locked(run: () => Promise<void>): Promise<void> {
    await this.lock();
    try {
      await run();
    } finally {
      this.release();
    }
  }

  private async lock(): Promise<void> {
    if (this.unlock) return;
    this.unlock = await new Promise<() => void>((resolve) => {
      void this.namespace.withLock(() => new Promise<void>((release) => resolve(release)));
    });
  }

  private release(): void {
    this.unlock?.();
    this.unlock = undefined;
  }
}
