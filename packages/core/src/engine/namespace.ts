import { QuadStore } from '../quads/quad-store.ts';
import type { HashKey } from '../quads/term-hash.ts';
import type { WorldGraphs } from '../quads/world-graphs.ts';
import type { Logger } from './logger.ts';
import { Mutex } from './mutex.ts';
import { SearchFeed, type SearchPlugins } from './search-feed.ts';
import type { World } from './world.ts';

/** A world as the engine holds it. Immutable: a commit puts another in its place. */
export interface WorldState {
  readonly record: World;
  readonly graphs: WorldGraphs;
}

/**
 * One namespace in memory. Everything here is changed by `commit.ts` alone, with `lock` held; whoever reads takes what is
 * current and keeps it, since every part is immutable.
 */
export class Namespace {
  readonly name: string;
  readonly store: QuadStore;
  readonly lock = new Mutex();
  readonly worlds = new Map<string, WorldState>();
  readonly search: SearchFeed;
  /** Moves by one with every commit. */
  revision = 0;
  /** The number of the next world; never used twice. */
  nextWorld = 1;
  /** True once the last world is gone and the engine has let go of it. */
  dropped = false;
  private readonly slugByNumber = new Map<number, string>();
  private slugList: readonly string[] | undefined;
  private graphsList: readonly WorldGraphs[] | undefined;

  constructor(name: string, key: HashKey, plugins: SearchPlugins, logger: Logger) {
    this.name = name;
    this.store = new QuadStore(key, (cause) => {
      logger.error(
        { err: cause, namespace: name },
        'A background merge failed; the data is unharmed and will be merged later.',
      );
    });
    this.search = new SearchFeed(this, plugins, logger);
  }

  /** The slugs in code-unit order. */
  get slugs(): readonly string[] {
    this.slugList ??= [...this.worlds.keys()].sort();
    return this.slugList;
  }

  /** The graphs of all worlds: the dataset of a query over the collection. The same array until a world or graph comes or goes. */
  get allGraphs(): readonly WorldGraphs[] {
    this.graphsList ??= Array.from(this.worlds.values(), ({ graphs }) => graphs);
    return this.graphsList;
  }

  /** A world by its number; undefined when it is gone. */
  worldOf(number: number): WorldState | undefined {
    const slug = this.slugByNumber.get(number);
    return slug === undefined ? undefined : this.worlds.get(slug);
  }

  /** Puts a world's new state in place. */
  put(slug: string, state: WorldState): void {
    const old = this.worlds.get(slug);
    if (!old) this.slugList = undefined;
    if (old?.graphs !== state.graphs) this.graphsList = undefined;
    this.worlds.set(slug, state);
    if (!old) this.slugByNumber.set(state.graphs.world, slug);
  }

  remove(slug: string): void {
    const old = this.worlds.get(slug);
    if (old) this.slugByNumber.delete(old.graphs.world);
    this.worlds.delete(slug);
    this.slugList = undefined;
    this.graphsList = undefined;
  }
}
