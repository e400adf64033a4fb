import { WorldsError } from '../model/worlds-error.ts';
import { elsewhereText, namesNoNamespace } from './elsewhere.ts';
import type { Moment } from './history/moment.ts';
import { readPast } from './history/read-past.ts';
import type { Namespace } from './namespace.ts';
import { allSourcesOf, type OpenSource, worldNotFound } from './open-source.ts';
import { allOfPast, openPast } from './past-source.ts';
import { RequestedWorlds } from './requested-worlds.ts';
import { whenReady } from './when-ready.ts';
import type { World, WorldSource } from './world.ts';
import { type ResolvedSource, resolveSource } from './world-name.ts';
import type { WorldState } from './world-state.ts';

/** The namespaces in which sources are resolved; implemented by `Catalog`. */
export interface SourceCatalog {
  readonly defaultNamespace: string;
  /** Whether a storage may have namespaces that are not in memory. */
  readonly isStored: boolean;
  /** Whether other processes may create worlds in the storage. */
  readonly isShared: boolean;
  /** Brings namespaces to their heads, if other processes may write to them. */
  catchUp(names: readonly string[]): Promise<void>;
  /**
   * Loads the namespaces that are only in storage and updates those that are behind it. Undefined
   * if there are none.
   */
  ready(names: readonly string[]): Promise<void> | undefined;
  find(name: string): Namespace | undefined | Promise<Namespace | undefined>;
  inMemory(name: string): Namespace | undefined;
  inMemoryNow(): Iterable<Namespace>;
  names(): string[];
  namespaceName(namespace: string | undefined): string;
  requireOpen(): void;
}

/**
 * Resolves the sources of requests to worlds, and captures the state of each world. Results are
 * synchronous unless a namespace must first be loaded, so that a request reads the state at the
 * time of its call if possible.
 */
export class SourceResolver {
  private readonly catalog: SourceCatalog;

  constructor(catalog: SourceCatalog) {
    this.catalog = catalog;
  }

  resolve(source: WorldSource, namespace?: string, field = 'source'): ResolvedSource {
    return resolveSource(source, {
      namespace: namespace ?? this.catalog.defaultNamespace,
      defaultNamespace: this.catalog.defaultNamespace,
      field,
    });
  }

  /** Opens the world of a source. Throws NOT_FOUND. */
  open(source: WorldSource, namespace?: string, field = 'source'): OpenSource | Promise<OpenSource> {
    const resolved = this.resolve(source, namespace, field);
    const open = () => this.openResolved(resolved, namespace === undefined ? source : undefined);
    return whenReady(this.catalog.ready([resolved.namespace]), () => this.opening([resolved], open));
  }

  /**
   * Opens worlds. Before it fails with NOT_FOUND, looks whether another process has created the
   * world.
   */
  private opening<Opened>(sources: readonly ResolvedSource[], open: () => Opened): Opened | Promise<Opened> {
    if (!this.catalog.isShared) return open();
    try {
      return open();
    } catch (cause) {
      if (!(cause instanceof WorldsError && cause.code === 'NOT_FOUND')) throw cause;
      return this.catalog.catchUp([...new Set(sources.map(({ namespace }) => namespace))]).then(open);
    }
  }

  /**
   * Like {@link open}, as of a moment; undefined for now. Throws NOT_FOUND if the world did not
   * exist then, ABORTED if the signal fires, and as `readPast`.
   */
  openAt(
    source: WorldSource,
    at: Moment | undefined,
    field = 'source',
    signal?: AbortSignal,
  ): OpenSource | Promise<OpenSource> {
    if (at === undefined) return this.open(source, undefined, field);
    const resolved = this.resolve(source, undefined, field);
    return whenReady(this.catalog.ready([resolved.namespace]), () => {
      const home = this.homeOf(resolved);
      return readPast(home, at, (past) => openPast(home, past, resolved, at), signal);
    });
  }

  /** The record of a world as of a moment; undefined if it did not exist then. */
  recordAt(source: WorldSource, at: Moment, field: string): World | undefined | Promise<World | undefined> {
    const { namespace, slug } = this.resolve(source, undefined, field);
    return whenReady(this.catalog.find(namespace), (home) =>
      home ? readPast(home, at, (past) => past.world(slug)?.record) : undefined,
    );
  }

  /** Like {@link requested}, as of a moment. */
  requestedAt(
    sources: readonly WorldSource[] | undefined,
    namespace: string | undefined,
    at: Moment,
    signal?: AbortSignal,
  ): RequestedWorlds | Promise<RequestedWorlds> {
    const name = this.catalog.namespaceName(namespace);
    if (!sources) {
      return whenReady(this.catalog.find(name), (home) =>
        home
          ? whenReady(
              readPast(home, at, (past) => allOfPast(home, past), signal),
              (all) => new RequestedWorlds(undefined, all),
            )
          : new RequestedWorlds(undefined, []),
      );
    }
    const resolved = sources.map((source, i) => this.resolve(source, name, `sources[${i}]`));
    return this.openEachAt(resolved, at, signal);
  }

  private async openEachAt(
    resolved: readonly ResolvedSource[],
    at: Moment,
    signal: AbortSignal | undefined,
  ): Promise<RequestedWorlds> {
    const names = [...new Set(resolved.map(({ namespace }) => namespace))];
    if (names.length > 1 && typeof at === 'number') {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `at: a revision belongs to one namespace, and the sources are in ${names.join(', ')}; pass a Date.`,
      );
    }
    await this.catalog.ready(names);
    const opened = new Map<WorldState, OpenSource>();
    for (const name of names) {
      const own = resolved.filter(({ namespace }) => namespace === name);
      const home = this.homeOf(own[0]);
      const all = await readPast(home, at, (past) => own.map((source) => openPast(home, past, source, at)), signal);
      for (const [i, source] of all.entries()) addOnce(opened, source, resolved.indexOf(own[i]));
    }
    return new RequestedWorlds(undefined, [...opened.values()]);
  }

  private homeOf(resolved: ResolvedSource): Namespace {
    const home = this.catalog.inMemory(resolved.namespace);
    if (home) return home;
    this.catalog.requireOpen();
    throw worldNotFound(resolved);
  }

  /**
   * Opens the worlds of a request: its sources without duplicates, or all worlds of its namespace.
   */
  openAll(
    sources: readonly WorldSource[] | undefined,
    namespace: string | undefined,
  ): OpenSource[] | Promise<OpenSource[]> {
    const name = this.catalog.namespaceName(namespace);
    if (!sources) return whenReady(this.catalog.find(name), (home) => (home ? allSourcesOf(home) : []));
    const known = sources.length === 1 ? this.openKnown(sources[0], name) : undefined;
    if (known) return [known];
    const resolved = sources.map((source, i) => this.resolve(source, name, `sources[${i}]`));
    return whenReady(this.catalog.ready(resolved.map((one) => one.namespace)), () =>
      this.opening(resolved, () => this.openEach(resolved, namespace !== undefined, sources)),
    );
  }

  /** Like {@link openAll}, but lists the worlds only on demand. */
  requested(
    sources: readonly WorldSource[] | undefined,
    namespace: string | undefined,
  ): RequestedWorlds | Promise<RequestedWorlds> {
    if (sources) {
      return whenReady(this.openAll(sources, namespace), (opened) => new RequestedWorlds(undefined, opened));
    }
    const name = this.catalog.namespaceName(namespace);
    return whenReady(
      this.catalog.find(name),
      (home) => new RequestedWorlds(home, () => (home ? allSourcesOf(home) : [])),
    );
  }

  /**
   * Fast path for the most frequent source, a plain slug, without storage. A world that is found
   * needs no validation of its name.
   */
  private openKnown(source: WorldSource, namespace: string): OpenSource | undefined {
    if (typeof source !== 'string' || this.catalog.isStored) return undefined;
    const home = this.catalog.inMemory(namespace);
    const state = home?.worlds.get(source);
    if (!home || !state) return undefined;
    const { snapshot, dictionary } = home.store;
    return { namespace, slug: source, write: undefined, schema: false, home, state, snapshot, dictionary };
  }

  /** @param given the source as it was passed, if its request named no namespace */
  private openResolved(resolved: ResolvedSource, given: WorldSource | undefined): OpenSource {
    const home = this.catalog.inMemory(resolved.namespace);
    const state = home?.worlds.get(resolved.slug);
    if (!home || !state) {
      this.catalog.requireOpen();
      throw worldNotFound(resolved, given && namesNoNamespace(given) ? this.elsewhere(resolved, home) : undefined);
    }
    const { slug, write, schema } = resolved;
    const { snapshot, dictionary } = home.store;
    return { namespace: resolved.namespace, slug, write, schema, home, state, snapshot, dictionary };
  }

  private elsewhere(resolved: ResolvedSource, home: Namespace | undefined): string {
    const { namespace, slug } = resolved;
    const inMemory = [...this.catalog.inMemoryNow()];
    return elsewhereText(resolved, {
      holders: inMemory.filter(({ name, worlds }) => name !== namespace && worlds.has(slug)).map(({ name }) => name),
      others: this.catalog.names().filter((name) => name !== namespace),
      isEmpty: !home?.worlds.size,
    });
  }

  private openEach(sources: readonly ResolvedSource[], isAsked: boolean, given: readonly WorldSource[]): OpenSource[] {
    if (sources.length === 1) return [this.openResolved(sources[0], isAsked ? undefined : given[0])];
    const opened = new Map<WorldState, OpenSource>();
    sources.forEach((source, i) => {
      const one = this.openResolved(source, isAsked ? undefined : given[i]);
      addOnce(opened, one, i);
    });
    return [...opened.values()];
  }
}

/** Adds a source unless its world is there. Throws INVALID_ARGUMENT if it is, with other flags. */
function addOnce(opened: Map<WorldState, OpenSource>, source: OpenSource, index: number): void {
  const known = opened.get(source.state);
  if (known && (known.write !== source.write || known.schema !== source.schema)) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `sources[${index}]: ${source.namespace}/${source.slug} is named twice with different flags.`,
    );
  }
  opened.set(source.state, source);
}
