import type { WorldsEngine } from '@rdf-worlds/core';
import { assignCaller } from '@rdf-worlds/core/internal';
import type { Access } from './access.ts';
import { Deadline } from './deadline.ts';
import type { FeedSlots } from './feed-slots.ts';
import { type BodyClaim, HELD_BODIES } from './held-bodies.ts';
import type { Incoming } from './incoming.ts';
import type { Limits } from './limits.ts';
import type { NamespaceScope } from './named-world.ts';
import type { Activity } from './observation/activity.ts';
import type { RequestRecord } from './observation/request-record.ts';
import type { ReleaseSlot, RequestSlots } from './request-slots.ts';
import type { RouteMatch } from './route-info.ts';
import type { Upload, UploadWaits } from './upload-waits.ts';
import type { WorldName } from './world-name.ts';

/** What a change feed needs after its request was answered. */
export interface FeedHost {
  readonly slots: FeedSlots;
  /** Fires when the server begins to stop. */
  readonly stopping: AbortSignal | undefined;
  /** Authenticates the request again. Throws `UNAUTHENTICATED` if its token is no longer valid. */
  readonly authenticateAgain: () => Promise<Access>;
  /** Logs an unexpected failure. */
  readonly report: (cause: unknown) => void;
}

/** What streamed bodies share. */
export interface UploadHost {
  readonly slots: RequestSlots;
  readonly waits: UploadWaits;
}

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
  readonly uploads: UploadHost;
  readonly feeds: FeedHost;
  /** Undefined if the service does not report what it does. */
  readonly activity: Activity | undefined;
}

/**
 * One request to an operation: authenticated and permitted for its path. Its body is still unread.
 */
export class Call implements NamespaceScope, Disposable {
  readonly engine: WorldsEngine;
  readonly incoming: Incoming;
  readonly access: Access;
  readonly limits: Limits;
  /** The namespace of the path; on the shorthand routes, the caller's default namespace. */
  readonly namespace: string;
  /** The world named by the path; undefined on collection routes. */
  readonly world: WorldName | undefined;
  /** The public address of the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Collects the data that logs, metrics and traces report about the request. */
  readonly record: RequestRecord;
  readonly feeds: FeedHost;
  readonly activity: Activity | undefined;
  /** Undefined until `signal` is first read. */
  deadline: Deadline | undefined;
  private claim: BodyClaim | undefined;
  private readonly match: RouteMatch;
  private readonly slots: RequestSlots;
  private slot: ReleaseSlot | undefined;
  private readonly uploads: UploadHost;
  private endUpload: (() => void) | undefined;

  constructor({
    engine,
    incoming,
    access,
    limits,
    match,
    namespace,
    publicUrl,
    record,
    slots,
    uploads,
    feeds,
    activity,
  }: CallParts) {
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
    this.uploads = uploads;
    this.feeds = feeds;
    this.activity = activity;
  }

  get defaultNamespace(): string {
    return this.access.defaultNamespace;
  }

  /** Number of requests of all callers that wait to be processed. */
  get waitingRequests(): number {
    return this.slots.waiting;
  }

  /** True if the path names a namespace. */
  get isNamespaced(): boolean {
    return this.match.namespace !== undefined;
  }

  /** The part of the path after `graphs/`, as sent (not decoded). */
  get graphPath(): string | undefined {
    return this.match.graphPath;
  }

  /** The public address of the requested route, without the part matched by `{graph*}`. */
  get endpointUrl(): string {
    const { route, namespace, slug } = this.match;
    const path = route.path.replace('/{graph*}', '').replace('{slug}', slug ?? '');
    return `${this.publicUrl}${namespace === undefined ? '' : `/namespaces/${namespace}`}${path}`;
  }

  /** The request's claim on the process-wide memory budget for bodies; created on first use. */
  get bodyClaim(): BodyClaim {
    this.claim ??= HELD_BODIES.open(this.access.id, this.limits.maxHeldBodyBytes);
    return this.claim;
  }

  /** Releases the body's claim. Call it once nothing refers to the body. */
  releaseBody(): void {
    this.claim?.release();
  }

  /**
   * Takes a slot for the work of the request; returns a promise only if it has to wait. Call it
   * after the last byte from the client has arrived: a slow client must not occupy a slot. Throws
   * and rejects as `RequestSlots.take` does.
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

  /**
   * Begins to stream a body into work of the request; returns once one of the slots for streamed
   * bodies is free. The waits of the body stop the deadline from then on, and count as
   * `UploadWaits` says. Throws as {@link enter} does.
   */
  async beginUpload(body: Upload): Promise<void> {
    const { engine, uploads } = this;
    const importsWaiting = () => engine.memoryPool.imports.waitingImports;
    // Also of a body that is never read, because its import failed before.
    this.endUpload = () => body.refuse(new Error('The request has ended.'));
    const release = await uploads.slots.take(this.access.caller.name, () => this.signal);
    this.endUpload = () => {
      release();
      uploads.waits.finish(body);
      body.refuse(new Error('The request has ended.'));
    };
    const deadline = this.startedDeadline();
    body.waits = {
      begin: () => {
        deadline.pause();
        uploads.waits.begin(body, importsWaiting);
      },
      end: () => {
        uploads.waits.end(body);
        deadline.resume();
      },
    };
  }

  /** Releases the slot of a streamed body that has arrived. */
  uploadArrived(): void {
    this.endUpload?.();
    this.endUpload = undefined;
  }

  /** Releases the slots and the deadline, once the request is answered or abandoned. */
  [Symbol.dispose](): void {
    this.uploadArrived();
    this.slot?.();
    this.deadline?.[Symbol.dispose]();
  }

  /**
   * The abort signal of the request. Fires when the client disconnects or the time limit expires.
   * Work under it counts towards the caller's share of the event loop. Created on first use, after
   * the body has been read, or as much of it as is held: the time limit starts then, and requests
   * that never need it pay for no timer and no connection listener.
   */
  get signal(): AbortSignal {
    return this.startedDeadline().signal;
  }

  private startedDeadline(): Deadline {
    if (!this.deadline) {
      this.deadline = new Deadline(this.incoming, this.limits[this.match.route.deadline ?? 'timeoutMs']);
      assignCaller(this.deadline.signal, this.access.caller);
    }
    return this.deadline;
  }
}

/** Returns the world of the path. Throws `TypeError` on a route without one. */
export function pathWorld({ world }: Call): WorldName {
  if (!world) throw new TypeError('This route names no world.');
  return world;
}
