import type { Storage } from '../../contracts/storage.ts';
import { WorldsError } from '../../model/worlds-error.ts';

/** Notices that engines with the same storage send to each other. */
export type StorageNews =
  /** A namespace was created or has new commits. */
  | { readonly type: 'grew'; readonly namespace: string }
  /** A namespace was deleted, and with it all revisions up to this one. */
  | { readonly type: 'gone'; readonly namespace: string; readonly revision: number };

const SHARED_COMPACTION = 'may use terms that a compaction would free; close it, then compact';

type Listener = (news: StorageNews) => void;

/** Shared by all engines with the same storage. */
interface Place {
  readonly listeners: Set<Listener>;
  /** Exclusive work that is running. New engines wait for it. */
  readonly occupied: Set<Promise<unknown>>;
}

const places = new WeakMap<object, Place>();

/**
 * The meeting point of all engines of this process that have the same storage open, as identified
 * by `Storage.place`. Each engine notifies the others about its writes, so that they do not serve
 * stale data.
 */
export class StoragePlace {
  private readonly place: Place;
  private readonly listener: Listener;

  private constructor(place: Place, listener: Listener) {
    this.place = place;
    this.listener = listener;
  }

  /** Joins a place. Waits for exclusive work that is running there. */
  static async enter({ place: key }: Storage, listener: Listener): Promise<StoragePlace> {
    const place = (key && places.get(key)) ?? { listeners: new Set(), occupied: new Set() };
    if (key) places.set(key, place);
    // From now on, no exclusive work can start.
    place.listeners.add(listener);
    await Promise.allSettled(place.occupied);
    return new StoragePlace(place, listener);
  }

  leave(): void {
    this.place.listeners.delete(this.listener);
  }

  get isShared(): boolean {
    return this.place.listeners.size > 1;
  }

  tell(news: StorageNews): void {
    for (const listener of this.place.listeners) if (listener !== this.listener) listener(news);
  }

  /**
   * Runs work that requires that no other engine has the storage open. Otherwise throws CONFLICT
   * without running it.
   */
  alone<Result>(work: () => Promise<Result>, why = SHARED_COMPACTION): Promise<Result> {
    if (this.isShared)
      throw new WorldsError('CONFLICT', `Another engine of this process has the same storage open, and ${why}.`);
    const { occupied } = this.place;
    const running = work();
    occupied.add(running);
    const done = () => occupied.delete(running);
    running.then(done, done);
    return running;
  }
}
