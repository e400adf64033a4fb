import { WorldsError } from '../model/worlds-error.ts';
import { elsewhereText, namesNoNamespace } from './elsewhere.ts';
import type { Namespace } from './namespace.ts';
import { allSourcesOf, type OpenSource, worldNotFound } from './open-source.ts';
import { RequestedWorlds } from './requested-worlds.ts';
import { whenReady } from './when-ready.ts';
import type { WorldSource } from './world.ts';
import { type ResolvedSource, resolveSource } from './world-name.ts';
import type { WorldState } from './world-state.ts';

/** The namespaces in which sources are resolved; implemented by `Catalog`. */
export interface SourceCatalog {
  readonly defaultNamespace: string;
  /** Whether a storage may have namespaces that are not in memory. */
  readonly isStored: boolean;
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
    return whenReady(this.catalog.ready([resolved.namespace]), () =>
      this.openResolved(resolved, namespace === undefined ? source : undefined),
    );
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
      this.openEach(resolved, namespace !== undefined, sources),
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
      const known = opened.get(one.state);
      if (known && (known.write !== one.write || known.schema !== one.schema)) {
        throw new WorldsError(
          'INVALID_ARGUMENT',
          `sources[${i}]: ${one.namespace}/${one.slug} is named twice with different flags.`,
        );
      }
      opened.set(one.state, one);
    });
    return [...opened.values()];
  }
}
