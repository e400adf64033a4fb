import { WorldsError } from '@rdf-worlds/core';
import {
  type Checkpoint,
  type ConfirmHead,
  type Head,
  type LogRecord,
  type NamespaceStorage,
  type NamespaceStorageStats,
  type Remains,
  type Segment,
  type Storage,
  type StorageCapabilities,
  type StoredRecord,
  type StoredSegment,
  sameHead,
  throwIfAborted,
} from '@rdf-worlds/core/plugin';
import type { Doubt, SimulatedNetwork } from './simulated-network.ts';
import { SimulatedReservations, type SimulatedTurns } from './simulated-turns.ts';
import { VirtualTime } from './virtual-time.ts';

/** Most records that one answer of `read` contains. */
const PAGE_RECORDS = 4;

/**
 * Looks at a head that does not move come less and less often, down to one in this time, in
 * milliseconds. Otherwise they would be most of what happens in a run.
 */
const LONGEST_POLL_MS = 1000;

/** Learns what happens in the storage, in the order in which it happens. */
export interface StorageObserver {
  /** Records were appended; `head` is directly after the last. */
  appended(namespace: string, head: Head, records: readonly LogRecord[]): void;
  /** A namespace was deleted by an operation. */
  dropped(namespace: string, operation: number | undefined): void;
  truncated(namespace: string, upTo: Head): void;
}

/**
 * What one process sees of a storage that several processes share. The storage itself may be any:
 * what it does takes no virtual time, and the way to it is the simulated network.
 */
export class SimulatedStorage implements Storage {
  readonly capabilities: StorageCapabilities;
  private readonly inner: Storage;
  private readonly network: SimulatedNetwork;
  private readonly observer: StorageObserver;
  private readonly turns: SimulatedTurns | undefined;
  private readonly doubts = new Map<string, Set<Doubt>>();

  /** `turns` are the reservations of all processes; without them, the storage has none. */
  constructor(
    inner: Storage,
    network: SimulatedNetwork,
    observer: StorageObserver,
    { isShared = true, turns }: { readonly isShared?: boolean; readonly turns?: SimulatedTurns | undefined } = {},
  ) {
    this.inner = inner;
    this.network = network;
    this.observer = observer;
    this.turns = turns;
    this.capabilities = { ...inner.capabilities, shared: isShared };
  }

  open(): Promise<void> {
    return this.network.call({ what: 'open', apply: () => this.inner.open(), mayFail: false });
  }

  close(): Promise<void> {
    return this.network.call({ what: 'close', apply: () => this.inner.close(), mayFail: false });
  }

  async *namespaces(): AsyncIterable<string> {
    const list = async () => {
      const names: string[] = [];
      for await (const name of this.inner.namespaces()) names.push(name);
      return names;
    };
    yield* await this.network.call({ what: 'namespaces', apply: list });
  }

  namespace(name: string): NamespaceStorage {
    let doubts = this.doubts.get(name);
    if (!doubts) this.doubts.set(name, (doubts = new Set()));
    const { network, turns } = this;
    return new SimulatedNamespace(name, this.inner.namespace(name), { network, doubts, turns }, this.observer);
  }
}

interface Link {
  readonly network: SimulatedNetwork;
  /** The appends of the process to this namespace whose outcome is unknown. */
  readonly doubts: Set<Doubt>;
  readonly turns: SimulatedTurns | undefined;
}

class SimulatedNamespace implements NamespaceStorage {
  private readonly name: string;
  private readonly inner: NamespaceStorage;
  private readonly network: SimulatedNetwork;
  private readonly doubts: Set<Doubt>;
  private readonly observer: StorageObserver;
  private readonly turns: SimulatedTurns | undefined;
  private readonly reservations: SimulatedReservations | undefined;
  readonly reserve?: (forMs: number) => Promise<() => Promise<void>>;

  constructor(name: string, inner: NamespaceStorage, { network, doubts, turns }: Link, observer: StorageObserver) {
    this.name = name;
    this.inner = inner;
    this.network = network;
    this.doubts = doubts;
    this.observer = observer;
    this.turns = turns;
    if (!turns) return;
    const reservations = new SimulatedReservations(name, turns, network);
    this.reservations = reservations;
    this.reserve = (forMs) => reservations.reserve(forMs);
  }

  head(): Promise<Head> {
    const settled = () => {
      for (const doubt of this.doubts) doubt.isSettled = true;
      this.doubts.clear();
      return this.inner.head();
    };
    return this.call('head', settled);
  }

  async append(expected: Head, records: readonly LogRecord[]): Promise<Head> {
    const { name, inner, network, doubts, turns, reservations, observer } = this;
    // A driver keeps no memory of its caller.
    const copies = records.map(({ id, chunks }) => ({ id, chunks: chunks.map((chunk) => chunk.slice()) }));
    const what = `append ${copies.length} to ${name} at ${expected.position}`;
    for (;;) {
      const isHeldUp = reservations?.condition();
      const isAtHead = async () => sameHead(expected, await inner.head());
      const append = async () => {
        if (isHeldUp?.() && (await isAtHead())) return undefined;
        const head = await inner.append(expected, copies);
        turns?.appended(name);
        observer.appended(name, head, copies);
        network.moved(name, head);
        return head;
      };
      const head = await network.call({ what, apply: append, doubts });
      if (head) return head;
      if (!(await reservations!.wait(isAtHead)))
        throw new WorldsError('CONFLICT', `${what} has to wait: another process has reserved the next append.`);
    }
  }

  async *read(after: Head, signal?: AbortSignal): AsyncIterable<StoredRecord> {
    throwIfAborted(signal);
    const records = this.inner.read(after, signal)[Symbol.asyncIterator]();
    let isOver = false;
    const page = async () => {
      const found: StoredRecord[] = [];
      while (found.length < PAGE_RECORDS && !isOver) {
        const { done, value } = await records.next();
        if (done) isOver = true;
        else found.push(value);
      }
      return found;
    };
    const what = `read ${this.name} after ${after.position}`;
    try {
      while (!isOver) {
        for (const record of await this.network.call({ what, apply: page, signal })) {
          throwIfAborted(signal);
          yield record;
        }
      }
    } finally {
      if (!isOver) await records.return?.();
    }
  }

  async checkpoint(): Promise<Checkpoint | undefined> {
    const found = await this.call('checkpoint', () => this.inner.checkpoint());
    return found && this.distant(found);
  }

  writeCheckpoint(
    at: Head,
    segments: AsyncIterable<Segment> | Iterable<Segment>,
    confirm?: ConfirmHead,
  ): Promise<void> {
    const { context } = VirtualTime;
    const { network, name, inner } = this;
    const asked = confirm && (() => network.callback(context, confirm));
    const write = async () => {
      await inner.writeCheckpoint(
        at,
        pulled(segments, (work) => network.callback(context, work)),
        asked,
      );
      if (confirm) network.moved(name, await inner.head());
    };
    return this.call(`writeCheckpoint at ${at.position}${confirm ? ' omitting terms' : ''}`, write);
  }

  truncate(upTo: Head): Promise<void> {
    const truncate = async () => {
      await this.inner.truncate(upTo);
      this.observer.truncated(this.name, upTo);
    };
    return this.call(`truncate to ${upTo.position}`, truncate);
  }

  async *watch(signal: AbortSignal): AsyncIterable<Head> {
    const { context } = VirtualTime;
    const { network } = this;
    if (!context) throw new Error('Only a simulated process can watch.');
    const heads: Head[] = [];
    let wake = (): void => undefined;
    const awake = () => wake();
    const stop = network.watch(context, this.name, (head) => {
      heads.push(head);
      wake();
    });
    let timer: NodeJS.Timeout | undefined;
    let isDue = true;
    let waitMs = 0;
    let last: Head | undefined;
    signal.addEventListener('abort', awake);
    try {
      while (!signal.aborted) {
        const noticed = heads.shift();
        if (noticed) yield noticed;
        else if (isDue) {
          isDue = false;
          const head = await this.head();
          const { pollMs } = network.faults;
          const isMoved = !last || !sameHead(last, head);
          waitMs = isMoved ? pollMs : Math.min(2 * waitMs, Math.max(pollMs, LONGEST_POLL_MS));
          if (Number.isFinite(waitMs)) {
            timer = setTimeout(() => {
              isDue = true;
              wake();
            }, waitMs);
          }
          last = head;
          if (isMoved) yield head;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      stop();
      clearTimeout(timer);
      signal.removeEventListener('abort', awake);
    }
  }

  stats(): Promise<NamespaceStorageStats> {
    return this.call('stats', () => this.inner.stats());
  }

  drop(expected?: Head): Promise<void> {
    const operation = VirtualTime.context?.operation;
    const drop = async () => {
      const { position } = await this.inner.head();
      await this.inner.drop(expected);
      if (position === 0) return;
      this.observer.dropped(this.name, operation);
      this.network.moved(this.name, await this.inner.head());
    };
    return this.call('drop', drop);
  }

  async remains(): Promise<Remains | undefined> {
    const { inner } = this;
    const found = inner.remains && (await this.call('remains', () => inner.remains!()));
    if (!found) return undefined;
    return {
      checkpoints: found.checkpoints.map((checkpoint) => this.distant(checkpoint)),
      logStart: found.logStart,
      read: (after, signal) => found.read(after, signal),
    };
  }

  private distant({ at, segments }: Checkpoint): Checkpoint {
    const far = (segment: StoredSegment): StoredSegment => ({
      name: segment.name,
      byteLength: segment.byteLength,
      read: () => this.call(`segment ${segment.byteLength}`, () => segment.read()),
    });
    return { at, segments: segments.map(far) };
  }

  private call<Result>(what: string, apply: () => Promise<Result>): Promise<Result> {
    return this.network.call({ what: `${what} of ${this.name}`, apply });
  }
}

/** Segments that the storage asks a process for, one after the other. */
async function* pulled(
  segments: AsyncIterable<Segment> | Iterable<Segment>,
  ask: <Result>(work: () => Promise<Result>) => Promise<Result>,
): AsyncGenerator<Segment> {
  const source = Symbol.asyncIterator in segments ? segments[Symbol.asyncIterator]() : segments[Symbol.iterator]();
  for (;;) {
    const { done, value } = await ask(async () => source.next());
    if (done) return;
    const contents = async () => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of value.write()) chunks.push(new Uint8Array(chunk));
      return chunks;
    };
    yield {
      name: value.name,
      write: async function* () {
        yield* await ask(contents);
      },
    };
  }
}
