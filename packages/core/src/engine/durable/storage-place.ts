import { WorldsError } from '../../model/worlds-error.ts';
import type { Storage } from '../../storage/storage.ts';

/** What an engine tells the others that have the same storage open. */
export type StorageNews =
  /** A namespace has grown, or has begun. */
  | { readonly type: 'grew'; readonly namespace: string }
  /** A namespace is gone, and with it all revisions up to this one. */
  | { readonly type: 'gone'; readonly namespace: string; readonly revision: number };

const SHARED_COMPACTION = 'may mention what a compaction would free; close it, then compact';

type Listener = (news: StorageNews) => void;

/** What all storages of one place share. */
interface Place {
  readonly listeners: Set<Listener>;
  /** What somebody does who must be alone: others come in afterwards. */
  readonly occupied: Set<Promise<unknown>>;
}

const places = new WeakMap<object, Place>();

/**
 * Where engines of this process that have the same storage open meet, as far as their storage says
 * that it is the same (`Storage.place`): each tells the others what it wrote, so that they do not
 * show what is no longer so.
 */
export class StoragePlace {
  private readonly place: Place;
  private readonly listener: Listener;

  private constructor(place: Place, listener: Listener) {
    this.place = place;
    this.listener = listener;
  }

  /** Waits for whoever is to be alone there. */
  static async enter({ place: key }: Storage, listener: Listener): Promise<StoragePlace> {
    const place = (key && places.get(key)) ?? { listeners: new Set(), occupied: new Set() };
    if (key) places.set(key, place);
    // From now on nobody else can begin to be alone.
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
   * Does what no other engine must look on at. Throws CONFLICT, and nothing was done, when there is
   * one.
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
