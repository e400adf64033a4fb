import { type Caller, WorldsError } from '@rdf-worlds/core';
import type { Principal } from './principal.ts';
import { shown, type WorldName } from './world-name.ts';

export type Permission = 'read' | 'write';

/** A world that was asked for; the worlds of a namespace when `slug` is not given. */
export interface AskedWorlds {
  readonly namespace: string;
  readonly slug?: string;
}

interface NamespaceGrants {
  read: boolean;
  write: boolean;
  readonly worlds: Map<string, { read: boolean; write: boolean }>;
}

/**
 * What one caller may do. Decides from the grants alone and never looks at what exists, so that no
 * answer tells whether a foreign world does.
 */
export class Access {
  /** What `_` and the routes without a namespace mean. */
  readonly defaultNamespace: string;
  /** Whose part of the event loop the caller's requests share. */
  readonly caller: Caller;
  /** Everything that was required, granted or not, in its order: for the log. */
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

  /** Of the principal. */
  get id(): string {
    return this.principal.id;
  }

  /** Whether one world may be read or written. */
  may(permission: Permission, { namespace, slug }: WorldName): boolean {
    if (this.mayAll(permission, namespace)) return true;
    return this.namespaces.get(namespace)?.worlds.get(slug)?.[permission] ?? false;
  }

  /** Whether all worlds of a namespace may be read or written, those to come too. */
  mayAll(permission: Permission, namespace: string): boolean {
    return this.principal.admin === true || (this.namespaces.get(namespace)?.[permission] ?? false);
  }

  /**
   * Whether answers over these worlds must not show ids: where the caller does not see all of a
   * namespace, their order would tell which terms other worlds of it have.
   */
  hides(worlds: readonly WorldName[]): boolean {
    return worlds.some(({ namespace }) => !this.mayAll('read', namespace));
  }

  /** Whether there is any grant in a namespace; with a permission, any grant of it. */
  mayEnter(namespace: string, permission?: Permission): boolean {
    if (this.principal.admin) return true;
    const grants = this.namespaces.get(namespace);
    if (!grants || permission === undefined) return grants !== undefined;
    return grants[permission] || Array.from(grants.worlds.values()).some((world) => world[permission]);
  }

  /** Whether there is any grant of a permission anywhere. */
  mayAnywhere(permission: Permission): boolean {
    if (this.principal.admin) return true;
    return Array.from(this.namespaces.keys()).some((namespace) => this.mayEnter(namespace, permission));
  }

  /** Throws PERMISSION_DENIED, in the same words for worlds that exist and worlds that do not. */
  require(permission: Permission, world: WorldName): void {
    this.asked.push(world);
    if (this.may(permission, world)) return;
    throw new WorldsError(
      'PERMISSION_DENIED',
      `You may not ${permission} ${shown(world.namespace)}/${shown(world.slug)}; ask for a grant on it.`,
    );
  }

  /**
   * Throws PERMISSION_DENIED unless the caller may do everything. `what` is a verb with its object.
   */
  requireAdmin(what: string): void {
    if (this.principal.admin) return;
    throw new WorldsError('PERMISSION_DENIED', `You may not ${what}; only callers with admin may.`);
  }

  /** Throws PERMISSION_DENIED when there is no grant in a namespace. */
  requireEntry(namespace: string, permission?: Permission): void {
    this.asked.push({ namespace });
    if (this.mayEnter(namespace, permission)) return;
    throw new WorldsError(
      'PERMISSION_DENIED',
      `You may not use the namespace ${shown(namespace)}; ask for a grant in it.`,
    );
  }
}
