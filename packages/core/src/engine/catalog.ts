import { WorldsError } from '../model/worlds-error.ts';
import type { Snapshot } from '../quads/snapshot.ts';
import type { HashKey } from '../quads/term-hash.ts';
import type { WorldsEngineOptions } from './engine-options.ts';
import { type Logger, silentLogger } from './logger.ts';
import { Namespace, type WorldState } from './namespace.ts';
import type { SearchPlugins } from './search-feed.ts';
import type { WorldSource } from './world.ts';
import { type ResolvedSource, requireName, resolveNamespace, resolveSource } from './world-name.ts';

/** A source that exists, with the state that it has at this moment. */
export interface OpenSource extends ResolvedSource {
  readonly home: Namespace;
  readonly state: WorldState;
  /** The quads at the same moment: a request may wait before it reads, and graphs and quads of two moments do not fit. */
  readonly snapshot: Snapshot;
}

/** The namespaces of an engine and how requests name their worlds. */
export class Catalog {
  readonly defaultNamespace: string;
  readonly clock: () => number;
  readonly random: (length: number) => Uint8Array;
  readonly logger: Logger;
  private readonly namespaces = new Map<string, Namespace>();
  private readonly plugins: SearchPlugins;
  private closed = false;
  /** The highest revision of a namespace that is gone: one of the same name goes on above it, so that no revision means two worlds. */
  private lastRevision = 0;

  constructor(options: WorldsEngineOptions, plugins: SearchPlugins) {
    this.defaultNamespace = requireName(options.defaultNamespace ?? 'default', 'defaultNamespace');
    this.clock = options.clock ?? Date.now;
    this.random = options.random ?? ((length) => crypto.getRandomValues(new Uint8Array(length)));
    this.logger = options.logger ?? silentLogger;
    this.plugins = plugins;
  }

  /** Throws when the engine is closed. */
  requireOpen(): void {
    if (this.closed) throw new WorldsError('INVALID_ARGUMENT', 'The engine is closed; open another one.');
  }

  namespaceName(namespace: string | undefined): string {
    return namespace === undefined
      ? this.defaultNamespace
      : resolveNamespace(namespace, this.defaultNamespace, 'namespace');
  }

  find(namespace: string): Namespace | undefined {
    return this.namespaces.get(namespace);
  }

  /** The namespace, made when it does not exist yet. */
  obtain(name: string): Namespace {
    let namespace = this.namespaces.get(name);
    if (!namespace) {
      namespace = new Namespace(name, this.hashKey(), this.plugins, this.logger);
      namespace.revision = this.lastRevision;
      this.namespaces.set(name, namespace);
    }
    return namespace;
  }

  /** Lets go of a namespace and everything in it. */
  async drop(namespace: Namespace): Promise<void> {
    namespace.dropped = true;
    this.lastRevision = Math.max(this.lastRevision, namespace.revision);
    if (this.namespaces.get(namespace.name) === namespace) this.namespaces.delete(namespace.name);
    namespace.search.close();
    await namespace.store.close();
  }

  /** Names of namespaces that hold a world, in code-unit order. */
  names(): string[] {
    return Array.from(this.namespaces.values())
      .filter(({ worlds }) => worlds.size > 0)
      .map(({ name }) => name)
      .sort();
  }

  resolve(source: WorldSource, namespace?: string, field = 'source'): ResolvedSource {
    return resolveSource(source, {
      namespace: namespace ?? this.defaultNamespace,
      defaultNamespace: this.defaultNamespace,
      field,
    });
  }

  /** The world of a source. Throws NOT_FOUND. */
  open(source: WorldSource, namespace?: string, field = 'source'): OpenSource {
    const resolved = this.resolve(source, namespace, field);
    const home = this.namespaces.get(resolved.namespace);
    const state = home?.worlds.get(resolved.slug);
    if (!home || !state) throw worldNotFound(resolved);
    return { ...resolved, home, state, snapshot: home.store.snapshot };
  }

  /** The worlds of a request: its sources, each once, or all worlds of its namespace. */
  openAll(sources: readonly WorldSource[] | undefined, namespace: string | undefined): OpenSource[] {
    const name = this.namespaceName(namespace);
    if (!sources) {
      const home = this.namespaces.get(name);
      return home
        ? Array.from(home.worlds, ([slug, state]) => ({
            namespace: name,
            slug,
            write: undefined,
            schema: false,
            home,
            state,
            snapshot: home.store.snapshot,
          }))
        : [];
    }
    const opened = new Map<WorldState, OpenSource>();
    sources.forEach((source, i) => {
      const one = this.open(source, name, `sources[${i}]`);
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

  /** An empty namespace for a request that names no world. */
  emptyNamespace(): Namespace {
    return new Namespace(this.defaultNamespace, this.hashKey(), this.plugins, this.logger);
  }

  /** Waits until no background work is left. */
  async settle(): Promise<void> {
    for (const { store } of this.namespaces.values()) await store.settle();
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(Array.from(this.namespaces.values(), (namespace) => this.drop(namespace)));
  }

  /** 16 random bytes: the identity of the blank nodes of one commit or request. */
  readonly newScope = (): Uint8Array => this.random(16);

  private hashKey(): HashKey {
    const bytes = this.random(8);
    const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
    return { low: view.getInt32(0), high: view.getInt32(4) };
  }
}

export function worldNotFound({ namespace, slug }: { namespace: string; slug: string }): WorldsError {
  return new WorldsError('NOT_FOUND', `There is no world ${namespace}/${slug}; create it first, or check the name.`);
}
