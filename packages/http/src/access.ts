import { WorldsError } from '@rdf-worlds/core';
import type { Caller } from '@rdf-worlds/core/internal';
import type { Principal } from './principal.ts';
import { shown, type WorldName } from './world-name.ts';

/** What a caller may do with a world. */
export type Permission = 'read' | 'write';

/** A world that access was requested to; all worlds of the namespace if `slug` is missing. */
export interface AskedWorlds {
  readonly namespace: string;
  readonly slug?: string | undefined;
}

interface NamespaceGrants {
  read: boolean;
  write: boolean;
  readonly worlds: Map<string, { read: boolean; write: boolean }>;
}

/**
 * The permissions of one caller. Decides from the grants alone and never looks at which worlds
 * exist, so that no answer reveals whether a foreign world exists.
 */
export class Access {
  /** The namespace that `_` and the routes without a namespace refer to. */
  readonly defaultNamespace: string;
  /** Scheduling identity: requests of one caller share a single fair share of the event loop. */
  readonly caller: Caller;
  /** Every access that was required, granted or not, in order; for the log. */
  readonly asked: AskedWorlds[] = [];
  private readonly principal: Principal;
  private readonly namespaces = new Map<string, NamespaceGrants>();

  constructor(principal: Principal, platformNamespace: string) {
    this.principal = principal;
    this.caller = { name: principal.id || 'anonymous', weight: principal.weight };
    this.defaultNamespace = principal.defaultNamespace ?? platformNamespace;
    for (const { namespace, world, read = false, write = false } of principal.grants) {
      if (!read && !write) continue;
      let known = this.namespaces.get(namespace);
      if (!known) this.namespaces.set(namespace, (known = { read: false, write: false, worlds: new Map() }));
      const target = world === undefined ? known : (known.worlds.get(world) ?? { read: false, write: false });
      target.read ||= read;
      target.write ||= write;
      if (world !== undefined) known.worlds.set(world, target);
    }
  }

  /** The principal's id. */
  get id(): string {
    return this.principal.id;
  }

  /** Returns true if the caller has the permission for one world. */
  may(permission: Permission, { namespace, slug }: WorldName): boolean {
    if (this.mayAll(permission, namespace)) return true;
    return this.namespaces.get(namespace)?.worlds.get(slug)?.[permission] ?? false;
  }

  /**
   * Returns true if the caller has the permission for all worlds of a namespace, future ones
   * included.
   */
  mayAll(permission: Permission, namespace: string): boolean {
    return this.principal.admin === true || (this.namespaces.get(namespace)?.[permission] ?? false);
  }

  /**
   * Returns true if answers over these worlds must not expose the order of ids. To a caller that
   * cannot read the whole namespace, that order would reveal which terms its other worlds contain.
   */
  hides(worlds: readonly WorldName[]): boolean {
    return worlds.some(({ namespace }) => !this.mayAll('read', namespace));
  }

  /**
   * Returns true if the caller has any grant in the namespace, or one with the given permission.
   */
  mayEnter(namespace: string, permission?: Permission): boolean {
    if (this.principal.admin) return true;
    const grants = this.namespaces.get(namespace);
    if (!grants || permission === undefined) return grants !== undefined;
    return grants[permission] || Array.from(grants.worlds.values()).some((world) => world[permission]);
  }

  /** The namespaces with worlds that the caller may read, by name; `all` for admins. */
  get readableNamespaces(): readonly string[] | 'all' {
    if (this.principal.admin) return 'all';
    return [...this.namespaces.keys()].filter((namespace) => this.mayEnter(namespace, 'read')).sort();
  }

  /** True if the caller may do everything. */
  get isAdmin(): boolean {
    return this.principal.admin === true;
  }

  /** The namespaces of the caller's grants, by name. */
  get grantedNamespaces(): readonly string[] {
    return [...this.namespaces.keys()].sort();
  }

  /** Returns true if the caller has any grant of the permission in any namespace. */
  mayAnywhere(permission: Permission): boolean {
    if (this.principal.admin) return true;
    return Array.from(this.namespaces.keys()).some((namespace) => this.mayEnter(namespace, permission));
  }

  /**
   * Throws `PERMISSION_DENIED` if the caller lacks the permission; the message is the same whether
   * or not the world exists.
   */
  require(permission: Permission, world: WorldName): void {
    this.asked.push(world);
    if (this.may(permission, world)) return;
    throw new WorldsError(
      'PERMISSION_DENIED',
      `You may not ${permission} ${shown(world.namespace)}/${shown(world.slug)}; ask for a grant on it.`,
    );
  }

  /** Throws `PERMISSION_DENIED` if the caller may neither read nor write the world. */
  requireAny(world: WorldName): void {
    this.require(this.may('write', world) ? 'write' : 'read', world);
  }

  /** Throws `PERMISSION_DENIED` unless the caller is an admin. `what` is a verb with its object. */
  requireAdmin(what: string): void {
    if (this.principal.admin) return;
    throw new WorldsError('PERMISSION_DENIED', `You may not ${what}; only callers with admin may.`);
  }

  /** Throws `PERMISSION_DENIED` if the caller has no grant in the namespace. */
  requireEntry(namespace: string, permission?: Permission): void {
    this.asked.push({ namespace });
    if (this.mayEnter(namespace, permission)) return;
    throw new WorldsError(
      'PERMISSION_DENIED',
      `You may not use the namespace ${shown(namespace)}; ask for a grant in it.`,
    );
  }
}
