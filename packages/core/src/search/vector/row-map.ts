import { IdMap, mixId } from '../id-map.ts';

const SHARDS = 64;
/** Above this many keys the map is cut into shards. */
const ONE_MAP = 4096;

/**
 * From a key to its row. Large maps are 64 small ones, by the upper bits of the mixed key: a hash
 * table that grows copies itself, and a `set` that copies a million entries holds everything else
 * up.
 */
export class RowMap {
  private shards: IdMap[] = [new IdMap()];

  get memoryBytes(): number {
    return this.shards.reduce((sum, shard) => sum + shard.memoryBytes, 0);
  }

  /** The row of a key, or -1. */
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
