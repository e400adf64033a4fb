import { randomUUID } from '#platform';
import { throwIfAborted } from '../model/worlds-error.ts';
import { joinChunks } from './join-chunks.ts';
import { publishConfirmed } from './publish-confirmed.ts';
import type {
  Checkpoint,
  ConfirmHead,
  Head,
  LogRecord,
  NamespaceStorage,
  NamespaceStorageStats,
  Remains,
  Segment,
  StoredRecord,
  StoredSegment,
} from './storage.ts';
import { checkLogRecords, checkSegmentName, NO_HEAD, sameHead, samePlace, storageErrors } from './storage-arguments.ts';

interface KeptRecord {
  readonly id: string;
  readonly data: Uint8Array;
}

interface KeptCheckpoint {
  readonly position: number;
  readonly segments: ReadonlyMap<string, Uint8Array>;
}

/** Contents of one incarnation of a namespace. */
class Incarnation {
  readonly name = randomUUID();
  generation: number;
  /** Position of the last truncated record. */
  logStart = 0;
  records: KeptRecord[] = [];
  /** The newest checkpoint, then its predecessor. */
  checkpoints: readonly KeptCheckpoint[] = [];

  constructor(generation: number) {
    this.generation = generation;
  }

  get head(): Head {
    return this.at(this.logStart + this.records.length);
  }

  at(position: number): Head {
    return { incarnation: this.name, position, generation: this.generation };
  }
}

/**
 * Contents of a {@link MemoryStorage}. Outlives a closed one: another storage over it finds
 * everything, as after reopening files.
 */
export class MemoryContents {
  /** @internal */
  readonly incarnations = new Map<string, Incarnation>();
  /** The generations in which dropped namespaces go on. @internal */
  readonly generations = new Map<string, number>();
}

/** @internal */
export class MemoryNamespace implements NamespaceStorage {
  readonly #name: string;
  readonly #contents: MemoryContents;
  readonly #checkOpen: () => void;

  /** `checkOpen` throws if the storage is not open. */
  constructor(name: string, contents: MemoryContents, checkOpen: () => void) {
    this.#name = name;
    this.#contents = contents;
    this.#checkOpen = checkOpen;
  }

  get #now(): Incarnation | undefined {
    return this.#contents.incarnations.get(this.#name);
  }

  get #head(): Head {
    return this.#now?.head ?? { ...NO_HEAD, generation: this.#contents.generations.get(this.#name) ?? 0 };
  }

  async head(): Promise<Head> {
    this.#checkOpen();
    return this.#head;
  }

  async append(expected: Head, records: readonly LogRecord[]): Promise<Head> {
    this.#checkOpen();
    checkLogRecords(records);
    if (!sameHead(expected, this.#head)) throw storageErrors.conflict(this.#name, expected, this.#head);
    const kept = records.map(({ id, chunks }) => ({ id, data: joinChunks(chunks) }));
    const incarnation = this.#now ?? new Incarnation(expected.generation);
    this.#contents.incarnations.set(this.#name, incarnation);
    for (const record of kept) incarnation.records.push(record);
    return incarnation.head;
  }

  async *read(after: Head, signal?: AbortSignal): AsyncIterable<StoredRecord> {
    this.#checkOpen();
    throwIfAborted(signal);
    const end = this.#head;
    const from = samePlace(after, NO_HEAD) ? { ...end, position: 0 } : after;
    for (let { position } = from; ; position++) {
      const incarnation = this.#now;
      const logStart = incarnation?.logStart ?? 0;
      if (from.incarnation !== this.#head.incarnation || position < logStart || position > end.position)
        throw storageErrors.truncated(this.#name, { ...from, position }, { ...end, position: logStart }, end);
      if (!incarnation || position === end.position) return;
      const { id, data } = incarnation.records[position - logStart];
      yield { id, head: incarnation.at(position + 1), data: data.slice() };
      this.#checkOpen();
      throwIfAborted(signal);
    }
  }

  async checkpoint(): Promise<Checkpoint | undefined> {
    this.#checkOpen();
    const incarnation = this.#now;
    const kept = incarnation?.checkpoints[0];
    return kept && this.#checkpoint(incarnation, kept);
  }

  #checkpoint(incarnation: Incarnation, { position, segments }: KeptCheckpoint): Checkpoint {
    return {
      at: incarnation.at(position),
      segments: [...segments].map(([name, data]) => this.#segment(name, data)),
    };
  }

  async writeCheckpoint(
    at: Head,
    segments: AsyncIterable<Segment> | Iterable<Segment>,
    confirm?: ConfirmHead,
  ): Promise<void> {
    this.#checkOpen();
    const incarnation = this.#checkpointable(at);
    const kept = new Map<string, Uint8Array>();
    for await (const segment of segments) {
      checkSegmentName(segment.name);
      if (kept.has(segment.name)) throw storageErrors.segmentTwice(segment.name);
      kept.set(segment.name, incarnation.checkpoints[0]?.segments.get(segment.name) ?? (await contentOf(segment)));
      this.#checkOpen();
      this.#checkpointable(at);
    }
    const publish = (confirmed?: Head): boolean => {
      this.#checkOpen();
      this.#checkpointable(at);
      if (confirmed && !sameHead(confirmed, incarnation.head)) return false;
      incarnation.checkpoints = [{ position: at.position, segments: kept }, ...incarnation.checkpoints.slice(0, 1)];
      if (confirmed) incarnation.generation++;
      return true;
    };
    if (confirm) await publishConfirmed(this.#name, confirm, publish);
    else publish();
  }

  async truncate(upTo: Head): Promise<void> {
    this.#checkOpen();
    const incarnation = this.#now;
    if (upTo.incarnation !== this.#head.incarnation) throw storageErrors.otherIncarnation(this.#name);
    if (!incarnation || upTo.position <= incarnation.logStart) return;
    const [newest] = incarnation.checkpoints;
    if (!newest || upTo.position > newest.position)
      throw storageErrors.notCheckpointed(this.#name, upTo, newest && incarnation.at(newest.position));
    incarnation.records = incarnation.records.slice(upTo.position - incarnation.logStart);
    incarnation.logStart = upTo.position;
  }

  async stats(): Promise<NamespaceStorageStats> {
    this.#checkOpen();
    const { records = [], checkpoints = [] } = this.#now ?? {};
    const segments = new Set(checkpoints.flatMap((checkpoint) => [...checkpoint.segments.values()]));
    return {
      logBytes: records.reduce((sum, { data }) => sum + data.byteLength, 0),
      logRecords: records.length,
      segmentBytes: [...segments].reduce((sum, { byteLength }) => sum + byteLength, 0),
      segments: segments.size,
    };
  }

  async drop(expected?: Head): Promise<void> {
    this.#checkOpen();
    if (expected && !sameHead(expected, this.#head)) throw storageErrors.conflict(this.#name, expected, this.#head);
    const incarnation = this.#now;
    if (!incarnation) return;
    this.#contents.generations.set(this.#name, incarnation.generation + 1);
    this.#contents.incarnations.delete(this.#name);
  }

  async remains(): Promise<Remains | undefined> {
    this.#checkOpen();
    const incarnation = this.#now;
    if (!incarnation) return undefined;
    return {
      checkpoints: incarnation.checkpoints.map((kept) => this.#checkpoint(incarnation, kept)),
      logStart: incarnation.at(incarnation.logStart),
      read: (after, signal) => this.read(after, signal),
    };
  }

  async rebuild(at: Head, segments: AsyncIterable<Segment> | Iterable<Segment>): Promise<undefined> {
    this.#checkOpen();
    const incarnation = this.#checkpointable(at);
    if (!sameHead(at, incarnation.head)) throw storageErrors.conflict(this.#name, at, incarnation.head);
    const kept = new Map<string, Uint8Array>();
    for await (const segment of segments) {
      checkSegmentName(segment.name);
      if (kept.has(segment.name)) throw storageErrors.segmentTwice(segment.name);
      kept.set(segment.name, await contentOf(segment));
    }
    this.#checkOpen();
    this.#checkpointable(at);
    incarnation.checkpoints = [{ position: at.position, segments: kept }];
    incarnation.records = [];
    incarnation.logStart = at.position;
  }

  /** Returns the incarnation of `at` if a checkpoint may be written there; throws otherwise. */
  #checkpointable(at: Head): Incarnation {
    const incarnation = this.#now;
    if (!incarnation || incarnation.name !== at.incarnation) throw storageErrors.otherIncarnation(this.#name);
    if (at.position > incarnation.head.position) throw storageErrors.beyondHead(this.#name, at, incarnation.head);
    if (at.generation !== incarnation.generation) throw storageErrors.otherGeneration(this.#name, at, incarnation.head);
    const [newest] = incarnation.checkpoints;
    if (newest && newest.position > at.position)
      throw storageErrors.olderCheckpoint(this.#name, at, incarnation.at(newest.position));
    return incarnation;
  }

  #segment(name: string, data: Uint8Array): StoredSegment {
    return {
      name,
      byteLength: data.byteLength,
      read: async () => {
        this.#checkOpen();
        if (!this.#now?.checkpoints.some((kept) => kept.segments.get(name) === data))
          throw storageErrors.segmentGone(this.#name, name);
        return data.slice();
      },
    };
  }
}

async function contentOf(segment: Segment): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of segment.write()) chunks.push(new Uint8Array(chunk));
  return joinChunks(chunks);
}
