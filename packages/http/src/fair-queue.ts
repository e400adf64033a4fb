/**
 * A queue that takes one entry of each owner in turn, so that an owner with many entries does not
 * delay the others. The entries of one owner leave in order of arrival.
 */
export class FairQueue<T> {
  /** In the order of turns. */
  private readonly owners = new Map<string, Set<T>>();
  private entries = 0;

  /** Number of entries. */
  get size(): number {
    return this.entries;
  }

  /** Returns whether an owner has an entry. */
  has(owner: string): boolean {
    return this.owners.has(owner);
  }

  add(owner: string, entry: T): void {
    this.entries++;
    const entries = this.owners.get(owner);
    if (entries) entries.add(entry);
    else this.owners.set(owner, new Set([entry]));
  }

  /** Removes and returns the next entry; undefined if the queue is empty. */
  take(): T | undefined {
    const [turn] = this.owners;
    if (!turn) return undefined;
    this.entries--;
    const [owner, entries] = turn;
    const [entry] = entries;
    entries.delete(entry);
    this.owners.delete(owner);
    if (entries.size > 0) this.owners.set(owner, entries);
    return entry;
  }
}
