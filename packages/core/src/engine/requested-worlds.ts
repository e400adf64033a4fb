import type { Namespace } from './namespace.ts';
import type { OpenSource } from './open-source.ts';

/**
 * The worlds of a request: its sources, or all of a namespace. The list of a whole namespace is
 * long, and made only when somebody asks for it.
 */
export class RequestedWorlds {
  /** The namespace, when they are all its worlds. */
  readonly collection: Namespace | undefined;
  private list: readonly OpenSource[] | (() => readonly OpenSource[]);

  /** @param list the worlds, or what makes a list of them */
  constructor(collection: Namespace | undefined, list: readonly OpenSource[] | (() => readonly OpenSource[])) {
    this.collection = collection;
    this.list = list;
  }

  /** The namespaces that they are in. */
  get homes(): readonly Namespace[] {
    return this.collection ? [this.collection] : [...new Set(this.sources.map(({ home }) => home))];
  }

  get sources(): readonly OpenSource[] {
    if (typeof this.list === 'function') this.list = this.list();
    return this.list;
  }
}
