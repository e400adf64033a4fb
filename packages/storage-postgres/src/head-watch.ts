import { createHash, randomBytes } from 'node:crypto';
import type { WorldsError } from '@rdf-worlds/core';
import { type Head, sameHead, throwIfAborted } from '@rdf-worlds/core/plugin';
import type { Database, Row } from './database.ts';
import { headOf, namespaceColumns, namespaceRow } from './namespace-row.ts';
import { decodeNotice, encodeNotice, type Notice } from './notice.ts';
import { databaseError, outcomeOf } from './postgres-errors.ts';
import type { SchemaTables } from './schema-tables.ts';

/** Where notifications arrive, looks are this many times less often. */
const RELAXED = 2;
/** Time between two attempts to listen, in milliseconds. */
const LISTEN_AGAIN_MS = 1000;
/** Time between two probes of the connection that listens, beyond that for an answer. */
const PROBE_AGAIN_MS = 5000;
/** Looks that fail come less and less often, down to one in this many milliseconds. */
const LOOK_AGAIN_MS = 1000;
/**
 * Sends notifications. Without its own wait for the disk, which a hint does not need: the server
 * logs the commit of a transaction that notifies.
 */
const SEND = `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, payload)
  FROM unnest($2::text[]) AS payload`;

/** What following needs of a store. */
export interface WatchedStore {
  readonly schema: string;
  readonly tables: SchemaTables;
  once(text: string, values: readonly unknown[]): Promise<readonly Row[]>;
  report(error: WorldsError): void;
}

interface Watcher {
  readonly key: string;
  /** The head that the watcher last yielded. */
  last: Head | undefined;
  /** The head that it is to yield next. */
  next: Head | undefined;
  wake: () => void;
}

/**
 * Follows the heads of all watched namespaces of a store. One statement reads all of them, at
 * intervals. Notifications (LISTEN) are only hints to look earlier: some databases have none, and
 * some poolers lose them. A process sends them while it watches, since one that does not is alone,
 * as far as it knows.
 */
export class HeadWatch {
  readonly #database: Database;
  readonly #store: WatchedStore;
  readonly #pollMs: number;
  readonly #limitMs: number;
  readonly #channel: string;
  readonly #watchers = new Set<Watcher>();
  /** Keys to look at without waiting. */
  readonly #noted = new Set<string>();
  /** Identifies this store in notifications, which it receives itself too. */
  readonly #sender = randomBytes(8).toString('hex');
  /** Payloads of the notifications to send. */
  readonly #toSend = new Set<string>();
  #following: Promise<void> | undefined;
  #sending: Promise<void> | undefined;
  /** Resolvers of {@link turnPassed}, by key. */
  readonly #awaited = new Map<string, Set<() => void>>();
  /** Ends the wait before the next look. */
  #hasten: () => void = () => undefined;
  #stopListening: (() => Promise<void>) | undefined;
  /** When to try to listen; undefined if the database cannot. */
  #listenAtMs: number | undefined = 0;
  /** Whether a notification has arrived since the connection listens. */
  #isHearing = false;
  /** When the last one arrived, and when the last probe was sent. */
  #heardAtMs = 0;
  #probedAtMs = 0;
  #canSend = true;
  /** Looks that have failed since one succeeded. */
  #failedLooks = 0;

  constructor(
    database: Database,
    store: WatchedStore,
    { pollMs, statementTimeoutMs }: { readonly pollMs: number; readonly statementTimeoutMs: number },
  ) {
    this.#database = database;
    this.#store = store;
    this.#pollMs = pollMs;
    this.#limitMs = statementTimeoutMs;
    // A channel is an identifier, which may be shorter than a schema and a prefix.
    this.#channel = `rdf_worlds_${createHash('sha256').update(store.schema).digest('hex').slice(0, 32)}`;
  }

  /**
   * Yields the head of a namespace, then each time that it has moved, possibly several times at
   * once. `check` throws if the storage is not open.
   */
  async *watch(key: string, signal: AbortSignal, check: () => void): AsyncGenerator<Head> {
    const watcher: Watcher = { key, last: undefined, next: undefined, wake: () => undefined };
    const wake = (): void => watcher.wake();
    signal.addEventListener('abort', wake);
    this.#watchers.add(watcher);
    this.#note(key);
    this.#following ??= this.#follow();
    try {
      for (;;) {
        check();
        throwIfAborted(signal);
        const { next } = watcher;
        watcher.next = undefined;
        if (next) {
          watcher.last = next;
          yield next;
          continue;
        }
        await new Promise<void>((resolve) => {
          watcher.wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener('abort', wake);
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#hasten();
    }
  }

  /** This process has appended to a namespace, up to `head`. */
  appended(key: string, head: Head): void {
    if (this.#watchers.size === 0) return;
    for (const watcher of this.#watchers) {
      if (watcher.key !== key) continue;
      if (isLater(head, knownBy(watcher))) this.#tell(watcher, head);
      else this.#note(key);
    }
    this.#send({ kind: 'appended', key });
  }

  /** This process has passed the turn to append to a namespace. */
  passed(key: string): void {
    this.#turnPassed(key);
    if (this.#watchers.size > 0) this.#send({ kind: 'passed', key });
  }

  /**
   * Resolves when a turn to append to a namespace passes, as far as it is heard, or after a time.
   */
  async turnPassed(key: string, limitMs: number): Promise<void> {
    const awaited = this.#awaited.get(key) ?? new Set();
    this.#awaited.set(key, awaited);
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        awaited.delete(done);
        if (awaited.size === 0) this.#awaited.delete(key);
        resolve();
      };
      const timer = setTimeout(done, limitMs);
      awaited.add(done);
    });
  }

  /** Whether notifications arrive, so that {@link turnPassed} needs no short time. */
  get isHearing(): boolean {
    return this.#isHearing;
  }

  /** Makes all watchers check whether their storage is still open. */
  wakeAll(): void {
    for (const watcher of this.#watchers) watcher.wake();
  }

  /** Ends when all watchers have ended, and returns the connection that listens. */
  async close(): Promise<void> {
    this.wakeAll();
    await this.#following;
    await this.#sending;
  }

  #turnPassed(key: string): void {
    for (const done of [...(this.#awaited.get(key) ?? [])]) done();
  }

  #tell(watcher: Watcher, head: Head): void {
    watcher.next = head;
    watcher.wake();
  }

  #note(key: string): void {
    this.#noted.add(key);
    this.#hasten();
  }

  /** Looks for moved heads as long as there are watchers. */
  async #follow(): Promise<void> {
    try {
      // The first watcher is there; later ones join.
      while (this.#watchers.size > 0) {
        await this.#listen();
        await this.#look();
        await this.#pause();
      }
      await this.#stopListening?.();
    } finally {
      this.#stopListening = undefined;
      this.#isHearing = false;
      this.#following = undefined;
    }
    // One may have come while the connection was returned.
    if (this.#watchers.size > 0) this.#following ??= this.#follow();
  }

  async #look(): Promise<void> {
    const keys = this.#noted.size > 0 ? [...this.#noted] : [...new Set([...this.#watchers].map(({ key }) => key))];
    this.#noted.clear();
    try {
      const rows = await this.#store.once(
        `SELECT namespace, ${namespaceColumns()} FROM ${this.#store.tables.namespaces} WHERE namespace = ANY($1::text[])`,
        [keys],
      );
      this.#failedLooks = 0;
      const heads = new Map(rows.map((row) => [String(row.namespace), headOf(namespaceRow(row))]));
      for (const watcher of this.#watchers) {
        if (!keys.includes(watcher.key)) continue;
        const head = heads.get(watcher.key) ?? headOf(undefined);
        const known = knownBy(watcher);
        // An append of this process may have been told while the statement ran.
        if (known && (sameHead(known, head) || isLater(known, head))) continue;
        this.#tell(watcher, head);
      }
    } catch (error) {
      this.#failedLooks++;
      this.#store.report(databaseError(error, 'Looking for commits of other processes'));
    }
  }

  async #pause(): Promise<void> {
    if (this.#noted.size > 0 || this.#watchers.size === 0) return;
    const usualMs = this.#isHearing ? this.#pollMs * RELAXED : this.#pollMs;
    const waitMs = Math.max(usualMs, Math.min(LOOK_AGAIN_MS, usualMs * 2 ** this.#failedLooks));
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#hasten = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#hasten = () => undefined;
  }

  async #listen(): Promise<void> {
    await this.#probe();
    if (this.#stopListening || this.#listenAtMs === undefined || performance.now() < this.#listenAtMs) return;
    this.#listenAtMs = performance.now() + LISTEN_AGAIN_MS;
    const onEnd = (): void => {
      this.#stopListening = undefined;
      this.#isHearing = false;
    };
    const onNotice = (payload: string): void => {
      this.#isHearing = true;
      this.#heardAtMs = performance.now();
      const notice = decodeNotice(payload);
      if (!notice || notice.sender === this.#sender) return;
      if (notice.kind === 'passed') this.#turnPassed(notice.key);
      else if (notice.kind === 'appended') this.#note(notice.key);
    };
    try {
      this.#stopListening = await this.#database.listen(this.#channel, { onNotice, onEnd, limitMs: this.#limitMs });
      // A pooler may accept LISTEN and deliver nothing.
      this.#sendProbe();
    } catch (error) {
      // Without notifications it looks more often.
      if (outcomeOf(error) === 'refused') this.#listenAtMs = undefined;
      else this.#store.report(databaseError(error, 'Listening for notifications'));
    }
  }

  /**
   * Closes a connection on which nothing arrives any more: a network that drops packets tells
   * nobody.
   */
  async #probe(): Promise<void> {
    if (!this.#stopListening || !this.#isHearing || !this.#canSend) return;
    const sinceMs = performance.now() - this.#probedAtMs;
    if (sinceMs < this.#limitMs + PROBE_AGAIN_MS) return;
    if (this.#heardAtMs > this.#probedAtMs) return this.#sendProbe();
    const stop = this.#stopListening;
    this.#stopListening = undefined;
    this.#isHearing = false;
    await stop();
  }

  #sendProbe(): void {
    this.#probedAtMs = performance.now();
    this.#send({ kind: 'probe', key: '' });
  }

  /**
   * Sends a notification, after the statement of the append: its own transaction delays no commit.
   */
  #send(notice: Omit<Notice, 'sender'>): void {
    if (!this.#canSend) return;
    this.#toSend.add(encodeNotice({ ...notice, sender: this.#sender }));
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#toSend.size > 0 && this.#canSend) {
      const payloads = [...this.#toSend];
      this.#toSend.clear();
      try {
        await this.#store.once(SEND, [this.#channel, payloads]);
      } catch (error) {
        // Those who watch will look by themselves.
        if (outcomeOf(error) === 'refused') this.#canSend = false;
        else this.#store.report(databaseError(error, 'Sending notifications'));
      }
    }
    this.#toSend.clear();
  }
}

/** The head that a watcher has yielded last, or will yield next. */
function knownBy({ last, next }: Watcher): Head | undefined {
  return next ?? last;
}

/** Whether a head is one of the same incarnation and generation, and after the other. */
function isLater(head: Head, other: Head | undefined): boolean {
  return (
    head.incarnation === other?.incarnation && head.generation === other.generation && head.position > other.position
  );
}
