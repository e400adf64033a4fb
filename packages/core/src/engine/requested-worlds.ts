import type { Namespace } from './namespace.ts';
import type { OpenSource } from './open-source.ts';

/**
 * The worlds of a request: its sources, or all worlds of a namespace. The list of a whole namespace
 * may be long, so it is created on demand.
 */
export class RequestedWorlds {
  /** The namespace, if the request covers all its worlds. */
  readonly collection: Namespace | undefined;
  private grouped: ReadonlyMap<Namespace, readonly OpenSource[]> | undefined;
  private list: readonly OpenSource[] | (() => readonly OpenSource[]);

  /** @param list the worlds, or a function that returns them */
  constructor(collection: Namespace | undefined, list: readonly OpenSource[] | (() => readonly OpenSource[])) {
    this.collection = collection;
    this.list = list;
  }

  /** The namespaces of the worlds. */
  get homes(): readonly Namespace[] {
    return this.collection ? [this.collection] : [...new Set(this.sources.map(({ home }) => home))];
  }

  get sources(): readonly OpenSource[] {
    if (typeof this.list === 'function') this.list = this.list();
    return this.list;
  }

  /** The worlds that a search covers, by namespace: all but the schema sources. Grouped once. */
  get searched(): ReadonlyMap<Namespace, readonly OpenSource[]> {
    this.grouped ??= searchedByNamespace(this.sources);
    return this.grouped;
  }
}

function searchedByNamespace(sources: readonly OpenSource[]): ReadonlyMap<Namespace, readonly OpenSource[]> {
  const byNamespace = new Map<Namespace, OpenSource[]>();
  for (const source of sources) {
    if (source.schema) continue;
    const known = byNamespace.get(source.home);
    if (known) known.push(source);
    else byNamespace.set(source.home, [source]);
  }
  return byNamespace;
}
