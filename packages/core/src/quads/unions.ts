import type { ContextMap } from './context-map.ts';
import type { Delta } from './merge-runs.ts';
import { BYTES_PER_ROW, type Run } from './run.ts';
import { Snapshot } from './snapshot.ts';
import { contextsInUnion, isDefaultOnly, isValid, type UnionDelta, unionDelta } from './union-runs.ts';
import type { WorldGraphs } from './world-graphs.ts';

/** Sets of worlds that a store remembers to have been asked for. */
const MAX_SETS = 16;

/** A snapshot in which each graph of some worlds has one context, with each triple once. */
export interface Union {
  readonly snapshot: Snapshot;
  readonly map: ContextMap;
  /** The worlds, with the graphs that they had. */
  readonly worlds: readonly WorldGraphs[];
}

/** A set of worlds that queries asked for. */
class WorldSet {
  asked = 0;
  isBeingMade = false;
  /** Most deltas of a snapshot are also those of the next one. */
  readonly deltas = new WeakMap<Delta, UnionDelta>();
  /** The same union each time, because it keeps measurements. */
  readonly unions = new WeakMap<Snapshot, Union>();

  bytesOf(deltas: readonly Delta[]): number {
    let bytes = 0;
    for (const delta of deltas) {
      const union = this.deltas.get(delta)?.delta;
      if (!union) continue;
      bytes += ownBytes(union.inserted, delta.inserted) + ownBytes(union.deleted, delta.deleted);
    }
    return bytes;
  }
}

/**
 * The unions of sets of worlds of one store. A query over a union costs what it costs over one
 * world. But unless all quads of the store are in the default graphs of the worlds, it is a copy.
 * Such a copy is made when the same worlds are asked for again; those of the worlds that were asked
 * for last are kept, as far as all copies take no more memory than the columns of the store.
 */
export class Unions {
  /** By the worlds' numbers. The one that was asked for last is last. */
  private readonly sets = new Map<string, WorldSet>();

  /** Returns the union of some worlds if there is one. */
  find(worlds: readonly WorldGraphs[], snapshot: Snapshot): Union | undefined {
    const name = nameOf(worlds);
    const set = this.sets.get(name);
    const found = set?.unions.get(snapshot);
    if (!found?.worlds.every((world, i) => world === worlds[i])) return undefined;
    this.keep(name, set!);
    return found;
  }

  /**
   * Returns whether a query should make the union of some worlds.
   *
   * @param isReady whether it can do without at no further cost
   */
  ask(worlds: readonly WorldGraphs[], snapshot: Snapshot, map: ContextMap, isReady: boolean): boolean {
    const name = nameOf(worlds);
    const isFirst = this.sets.size === 0;
    const set = this.sets.get(name) ?? new WorldSet();
    this.keep(name, set);
    if (this.sets.size > MAX_SETS) this.dropOldest();
    set.asked++;
    if (isShared(snapshot, map)) return true;
    // Queries that start at the same time should not make a copy each, if they have a choice.
    if (set.isBeingMade && isReady) return false;
    return set.asked > 1 || (isFirst && !isReady);
  }

  /** Makes the union of some worlds. A kernel. */
  *unite(worlds: readonly WorldGraphs[], snapshot: Snapshot, map: ContextMap): Generator<void, Union, void> {
    const set = this.sets.get(nameOf(worlds)) ?? new WorldSet();
    const { deltas } = snapshot;
    if (isShared(snapshot, map)) yield* snapshot.buildCollection();
    const contexts = deltas.map((delta) => contextsInUnion(delta, map));
    const unions: UnionDelta[] = [];
    let isNew = false;
    for (const [i, delta] of deltas.entries()) {
      const known = set.deltas.get(delta);
      if (known && isValid(known, contexts[i], unions[i - 1]?.token)) {
        unions.push(known);
        continue;
      }
      isNew = true;
      set.isBeingMade = true;
      try {
        unions.push(yield* unionDelta(deltas, contexts, unions));
      } finally {
        set.isBeingMade = false;
      }
      set.deltas.set(delta, unions[i]);
    }
    // The rows are the same if only empty graphs were added or dropped.
    const before = isNew ? undefined : set.unions.get(snapshot)?.snapshot;
    const made = { snapshot: before ?? new Snapshot(unions.map(({ delta }) => delta)), map: map.ofUnion, worlds };
    set.unions.set(snapshot, made);
    if (isNew) this.dropBeyond(deltas, snapshot.rows * BYTES_PER_ROW);
    return made;
  }

  /** Returns the memory of the unions of some deltas, in bytes, without what is also theirs. */
  bytesOf(deltas: readonly Delta[]): number {
    let bytes = 0;
    for (const set of this.sets.values()) bytes += set.bytesOf(deltas);
    return bytes;
  }

  private dropBeyond(deltas: readonly Delta[], maxBytes: number): void {
    while (this.sets.size > 1 && this.bytesOf(deltas) > maxBytes) this.dropOldest();
  }

  private dropOldest(): void {
    const [oldest] = this.sets.keys();
    this.sets.delete(oldest);
  }

  /** Makes a set the last one that is dropped. */
  private keep(name: string, set: WorldSet): void {
    this.sets.delete(name);
    this.sets.set(name, set);
  }
}

function nameOf(worlds: readonly WorldGraphs[]): string {
  return Uint32Array.from(worlds, ({ world }) => world)
    .sort()
    .join();
}

/**
 * Returns whether the union has the columns of the store: all its quads are in the default graph.
 */
function isShared({ runs }: Snapshot, map: ContextMap): boolean {
  return runs.every(({ contexts }) => isDefaultOnly(map.inUnion(contexts)));
}

/**
 * Returns the memory of a run of a union, without columns that it shares with the run of the store.
 */
function ownBytes(union: Run, { collection }: Run): number {
  if (union.length === 0) return 0;
  const isShared = collection !== undefined && union.columnsOf(0)[0].buffer === collection[0][0].buffer;
  return union.byteLength - (isShared ? union.length * BYTES_PER_ROW : 0);
}
