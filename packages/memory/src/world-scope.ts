import { type World, type Worlds, WorldsError } from '@rdf-worlds/core';
import { kindOf, NAME_PATTERN, resolveSource } from '@rdf-worlds/core/internal';
import type { WorldName } from './world-name.ts';

/**
 * Whether a caller may read or write a world, or without a slug every world of a namespace, future
 * ones included. Must not depend on whether the world exists.
 */
export type Permits = (
  permission: 'read' | 'write',
  world: { readonly namespace: string; readonly slug: string | undefined },
) => boolean;

/** Options of `new WorldScope`. */
export interface WorldScopeOptions {
  /** The namespace of worlds that are named without one. */
  readonly namespace: string;
  /** Slugs of the only worlds that may be used. Default: all of the namespace. */
  readonly worlds?: readonly string[] | undefined;
  /** Slug of the world of calls that name none. Default: the only one in `worlds`, else none. */
  readonly defaultWorld?: string | undefined;
  /** Whether writing is refused. Default: false. */
  readonly readOnly?: boolean | undefined;
  /** Further restricts `worlds`. Default: everything in `namespace`, nothing elsewhere. */
  readonly permits?: Permits | undefined;
}

/**
 * The worlds that the tools may reach. Every name in every argument is resolved here, so that no
 * call reaches a world that its caller may not use.
 */
export class WorldScope {
  readonly namespace: string;
  readonly readOnly: boolean;
  /** Whether there is only one world, so that calls need not name it. */
  readonly isSingle: boolean;
  /** The world of calls that name none; undefined if they must name one. */
  readonly defaultWorld: WorldName | undefined;
  private readonly worlds: ReadonlySet<string> | undefined;
  private readonly permits: Permits;

  constructor({ namespace, worlds, defaultWorld, readOnly = false, permits }: WorldScopeOptions) {
    if (!NAME_PATTERN.test(namespace))
      throw new WorldsError('INVALID_ARGUMENT', `namespace: ${JSON.stringify(namespace)} is not a valid name.`);
    if (worlds !== undefined && !Array.isArray(worlds))
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `worlds: expected an array of slugs, not ${kindOf(worlds)}; write worlds: ['people'].`,
      );
    for (const slug of [...(worlds ?? []), ...(defaultWorld === undefined ? [] : [defaultWorld])]) {
      if (!NAME_PATTERN.test(slug))
        throw new WorldsError('INVALID_ARGUMENT', `worlds: ${JSON.stringify(slug)} is not a valid name.`);
    }
    this.namespace = namespace;
    this.readOnly = readOnly;
    this.worlds = worlds && new Set(worlds);
    this.permits = permits ?? ((_, world) => world.namespace === namespace);
    this.isSingle = worlds?.length === 1;
    const slug = defaultWorld ?? (worlds?.length === 1 ? worlds[0] : undefined);
    if (slug !== undefined) this.defaultWorld = { namespace, slug };
  }

  /** Whether a world may be read or written, existing or not. */
  may(permission: 'read' | 'write', world: WorldName): boolean {
    if (permission === 'write' && this.readOnly) return false;
    const isListed = !this.worlds || (world.namespace === this.namespace && this.worlds.has(world.slug));
    return isListed && this.permits(permission, world);
  }

  /**
   * Returns the world of a name: `slug`, or `namespace/slug`. Throws `INVALID_ARGUMENT` for a
   * malformed name, and `PERMISSION_DENIED` with the same message whether the world exists or not.
   */
  require(permission: 'read' | 'write', name: string): WorldName {
    const { namespace, slug } = resolveSource(name, {
      namespace: this.namespace,
      defaultNamespace: this.namespace,
      field: 'world',
    });
    const world = { namespace, slug };
    if (this.may(permission, world)) return world;
    if (permission === 'write' && this.readOnly && this.may('read', world)) {
      throw new WorldsError(
        'PERMISSION_DENIED',
        'This server is read-only: nothing can be stored, changed or deleted here. Answer from what can be read.',
      );
    }
    throw new WorldsError(
      'PERMISSION_DENIED',
      `You may not ${permission} ${namespace}/${slug}; call list_worlds to see the worlds that you may use.`,
    );
  }

  /** Returns the world of a call: the named one, or the only one there is. */
  target(permission: 'read' | 'write', name: string | undefined): WorldName {
    if (name !== undefined) return this.require(permission, name);
    if (this.defaultWorld) return this.require(permission, this.defaultWorld.slug);
    throw new WorldsError('INVALID_ARGUMENT', 'world: say which world; call list_worlds to see their names.');
  }

  /**
   * Returns the world of a call that changes facts. It needs both permissions, because it reads
   * what is known before it writes, and its result shows that.
   */
  changeable(name: string | undefined): WorldName {
    const world = this.target('write', name);
    return this.require('read', `${world.namespace}/${world.slug}`);
  }

  /** Yields the records of the worlds that may be read, by slug. */
  async *readable(engine: Pick<Worlds, 'worlds'>): AsyncGenerator<World> {
    for await (const world of engine.worlds({ namespace: this.namespace })) if (this.may('read', world)) yield world;
  }

  /**
   * Whether answers over these worlds must not follow internal ids, whose order would reveal terms
   * of worlds of the namespace that the caller may not read.
   */
  hidesSome(worlds: readonly WorldName[]): boolean {
    return worlds.some(({ namespace }) => !this.permits('read', { namespace, slug: undefined }));
  }

  /** The name by which a call names a world: without the namespace if it is the usual one. */
  nameOf({ namespace, slug }: WorldName): string {
    return namespace === this.namespace ? slug : `${namespace}/${slug}`;
  }
}
