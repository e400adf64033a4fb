import { IdMap, mixId } from '../id-map.ts';

const SHARDS = 64;
/** A map with more keys is split into shards. */
const ONE_MAP = 4096;

/**
 * Maps keys to rows. A large map is split into 64 shards by the upper bits of the mixed key: a hash
 * table copies itself when it grows, and a `set` that copies a million entries would block
 * everything else.
 */
export class RowMap {
  private shards: IdMap[] = [new IdMap()];

  get memoryBytes(): number {
    return this.shards.reduce((sum, shard) => sum + shard.memoryBytes, 0);
  }

  /** Returns the row of a key, or -1. */
  get(key: number): number {
    return this.shardOf(key).get(key);
  }

  set(key: number, row: number): void {
    const shard = this.shardOf(key);
    shard.set(key, row);
    if (this.shards.length === 1 && shard.size > ONE_MAP) this.cut(shard);
  }

  delete(key: number): void {
    this.shardOf(key).delete(key);
  }

  private shardOf(key: number): IdMap {
    return this.shards.length === 1 ? this.shards[0] : this.shards[mixId(key) >>> 26];
  }

  private cut(whole: IdMap): void {
    this.shards = Array.from({ length: SHARDS }, () => new IdMap());
    for (const key of whole.take(whole.size)) this.shardOf(key).set(key, whole.get(key));
  }
}
