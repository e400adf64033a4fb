import { assignCaller, type WorldsEngine } from '@rdf-worlds/core';
import type { Access } from './access.ts';
import { Deadline } from './deadline.ts';
import { type BodyClaim, HELD_BODIES } from './held-bodies.ts';
import type { Incoming } from './incoming.ts';
import type { Limits } from './limits.ts';
import type { NamespaceScope } from './named-world.ts';
import type { RequestRecord } from './observation/request-record.ts';
import type { ReleaseSlot, RequestSlots } from './request-slots.ts';
import type { RouteMatch } from './route-info.ts';
import type { WorldName } from './world-name.ts';

export interface CallParts {
  readonly engine: WorldsEngine;
  readonly incoming: Incoming;
  readonly access: Access;
  readonly limits: Limits;
  readonly match: RouteMatch;
  readonly namespace: string;
  readonly publicUrl: string;
  readonly record: RequestRecord;
  readonly slots: RequestSlots;
}

/** One request to an operation: authenticated, with leave for its path. Its body is unread. */
export class Call implements NamespaceScope, Disposable {
  readonly engine: WorldsEngine;
  readonly incoming: Incoming;
  readonly access: Access;
  readonly limits: Limits;
  /** The namespace of the path; the caller's default one on the shorthand routes. */
  readonly namespace: string;
  /** The world that the path names; undefined on a route of a collection. */
  readonly world: WorldName | undefined;
  /** The public address of the service, without a slash at the end. */
  readonly publicUrl: string;
  /** What logs and metrics are told of the request. */
  readonly record: RequestRecord;
  /** Undefined until somebody asked for the signal. */
  deadline: Deadline | undefined;
  private claim: BodyClaim | undefined;
  private readonly match: RouteMatch;
  private readonly slots: RequestSlots;
  private slot: ReleaseSlot | undefined;

  constructor({ engine, incoming, access, limits, match, namespace, publicUrl, record, slots }: CallParts) {
    this.engine = engine;
    this.incoming = incoming;
    this.access = access;
    this.limits = limits;
    this.match = match;
    this.namespace = namespace;
    this.world = match.slug === undefined ? undefined : { namespace, slug: match.slug };
    this.publicUrl = publicUrl;
    this.record = record;
    this.slots = slots;
  }

  get defaultNamespace(): string {
    return this.access.defaultNamespace;
  }

  /** Whether the path names a namespace. */
  get isNamespaced(): boolean {
    return this.match.namespace !== undefined;
  }

  /** What follows `graphs/` in the path, as it was sent. */
  get graphPath(): string | undefined {
    return this.match.graphPath;
  }

  /**
   * The public address of the route that was asked; of one that takes the rest of a path, without
   * that.
   */
  get endpointUrl(): string {
    const { route, namespace, slug } = this.match;
    const path = route.path.replace('/{graph*}', '').replace('{slug}', slug ?? '');
    return `${this.publicUrl}${namespace === undefined ? '' : `/namespaces/${namespace}`}${path}`;
  }

  /** What the request's body holds of the bytes that the process has for bodies. */
  get bodyClaim(): BodyClaim {
    this.claim ??= HELD_BODIES.open(this.access.id, this.limits.maxHeldBodyBytes);
    return this.claim;
  }

  /** The body is not read any more. */
  releaseBody(): void {
    this.claim?.release();
  }

  /**
   * Waits until the request may work, if there is anything to wait for. To be called once nothing
   * has to come from the client any more, since one that is slow would keep others out. Throws and
   * rejects as `RequestSlots.take`.
   */
  enter(): void | Promise<void> {
    if (this.slot) return;
    const slot = this.slots.take(this.access.caller.name, () => this.signal);
    if (!(slot instanceof Promise)) {
      this.slot = slot;
      return;
    }
    return slot.then((release) => {
      this.slot = release;
    });
  }

  /** All is answered, or will never be. */
  [Symbol.dispose](): void {
    this.slot?.();
    this.deadline?.[Symbol.dispose]();
  }

  /**
   * Work under it shares the caller's part of the event loop. Fires when the client goes away, and
   * when the request's time is over. The time begins when this is first asked for, after the body
   * is read; and not before then is anything spent on watching a connection and a clock.
   */
  get signal(): AbortSignal {
    if (!this.deadline) {
      this.deadline = new Deadline(this.incoming.signal, this.limits[this.match.route.deadline ?? 'timeoutMs']);
      assignCaller(this.deadline.signal, this.access.caller);
    }
    return this.deadline.signal;
  }
}

/** The world of the path, on a route that has one. */
export function pathWorld({ world }: Call): WorldName {
  if (!world) throw new TypeError('This route names no world.');
  return world;
}
