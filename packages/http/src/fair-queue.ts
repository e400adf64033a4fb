/**
 * A queue that takes one entry of each owner in turn, so that an owner with many entries does not
 * delay the others. The entries of one owner leave in order of arrival.
 */
export class FairQueue<T> {
  /** In the order of turns. */
  private readonly owners = new Map<string, Set<T>>();

  get isEmpty(): boolean {
    return this.owners.size === 0;
  }

  add(owner: string, entry: T): void {
    const entries = this.owners.get(owner);
    if (entries) entries.add(entry);
    else this.owners.set(owner, new Set([entry]));
  }

  /** Removes and returns the next entry; undefined if the queue is empty. */
  take(): T | undefined {
    const [turn] = this.owners;
    if (!turn) return undefined;
    const [owner, entries] = turn;
    const [entry] = entries;
    entries.delete(entry);
    this.owners.delete(owner);
    if (entries.size > 0) this.owners.set(owner, entries);
    return entry;
  }
}
