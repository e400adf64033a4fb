import { createHash } from '#platform';
import { Slicer } from '../../contracts/slicer.ts';
import type { Head, NamespaceStorage, Segment } from '../../contracts/storage.ts';
import { throwIfAborted, WorldsError } from '../../model/worlds-error.ts';
import type { BackgroundFailures } from '../background-failures.ts';
import { heldItems } from '../held-stream.ts';
import type { Namespace } from '../namespace.ts';
import { type BackupPlace, backupHeader, DIGEST_BYTES, ENTRY, entryHeader, jsonEntry } from './backup-format.ts';
import { type BackupPoint, encodeToken } from './backup-token.ts';
import { takeContents } from './checkpoint-contents.ts';
import { lengthOf } from './sealed-bytes.ts';

/** The namespaces of an engine, as needed for a backup. */
export interface BackupSource {
  /** In any order. */
  readonly names: readonly string[];
  find(name: string): Namespace | undefined | Promise<Namespace | undefined>;
  /**
   * Returns the log of a namespace and its visible head, without loading the namespace; undefined
   * without storage.
   */
  log(name: string): Promise<VisibleLog | undefined>;
  /** Incarnation of namespaces without storage. */
  readonly engineId: string;
  readonly clock: () => number;
  /** 128 random bits as 32 hexadecimal digits. */
  readonly newId: () => string;
  /** Receives damage in the log that the backup works around with a full copy. */
  readonly failures: BackgroundFailures;
}

export interface VisibleLog {
  readonly storage: NamespaceStorage;
  readonly head: Head;
}

export interface BackupWork {
  /** Parent of an incremental backup; undefined for a full backup. */
  readonly since?: BackupPoint;
  readonly signal?: AbortSignal;
}

type Entries = AsyncGenerator<Uint8Array, BackupPlace | undefined, void>;

/** Bytes hashed between two checks of the clock. */
const DIGEST_STEP = 1 << 20;

/**
 * Writes all namespaces, each captured when its turn comes, and returns the token of the backup.
 */
export async function* writeBackup(source: BackupSource, work: BackupWork): AsyncGenerator<Uint8Array, string, void> {
  const { signal } = work;
  const hash = createHash('sha256');
  const slicer = new Slicer(signal);
  const id = source.newId();
  const places = new Map<string, BackupPlace>();
  for await (const chunk of entriesOf(source, work, id, places)) {
    throwIfAborted(signal);
    for (let start = 0; start < chunk.length; start += DIGEST_STEP) {
      hash.update(chunk.subarray(start, start + DIGEST_STEP));
      if (slicer.due) await slicer.pause();
    }
    yield chunk;
  }
  const digest = hash.digest();
  yield digest;
  return encodeToken({ id, digest: digest.toString('hex'), places });
}

async function* entriesOf(
  source: BackupSource,
  { since, signal }: BackupWork,
  id: string,
  places: Map<string, BackupPlace>,
): AsyncGenerator<Uint8Array, void, void> {
  yield backupHeader();
  yield jsonEntry(ENTRY.head, '', since ? { id, parent: { id: since.id, digest: since.digest } } : { id });
  // In code-unit order, so that restore can read the backups of a chain in parallel.
  const names = new Set([...source.names, ...(since?.places.keys() ?? [])]);
  for (const name of [...names].sort()) {
    throwIfAborted(signal);
    const known = since?.places.get(name);
    const place = (known && (yield* changedEntries(source, name, known, signal))) ?? (yield* fullEntries(source, name));
    if (place) places.set(name, place);
    else if (known) yield entryHeader(ENTRY.gone, name, 0);
  }
  yield entryHeader(ENTRY.end, '', DIGEST_BYTES);
}

/**
 * Writes what changed in a namespace since a place. Returns undefined if a full copy is needed,
 * which replaces entries that were already written.
 */
async function* changedEntries(
  source: BackupSource,
  name: string,
  known: BackupPlace,
  signal: AbortSignal | undefined,
): Entries {
  const log = await source.log(name);
  if (log) return yield* logEntries(source, name, known, log, signal);
  const home = await source.find(name);
  if (!home?.worlds.size || home.durability) return undefined;
  if (known.incarnation !== source.engineId || known.position !== home.revision) return undefined;
  yield jsonEntry(ENTRY.unchanged, name, known);
  return known;
}

async function* logEntries(
  { failures }: BackupSource,
  name: string,
  known: BackupPlace,
  { storage, head }: VisibleLog,
  signal: AbortSignal | undefined,
): Entries {
  if (head.incarnation !== known.incarnation || head.position < known.position) return undefined;
  try {
    const own = await recordAt(storage, { ...head, position: known.position }, signal);
    // The log was forked: an older copy of the directory was restored and written to.
    if (own !== undefined && known.record !== '' && own !== known.record) return undefined;
    if (head.position === known.position) {
      yield jsonEntry(ENTRY.unchanged, name, known);
      return known;
    }
    const place = placeAt(head, await recordAt(storage, head, signal));
    let { position } = known;
    for await (const record of storage.read({ ...head, position }, signal)) {
      if (position === known.position) yield jsonEntry(ENTRY.log, name, { ...place, from: position });
      yield entryHeader(ENTRY.record, '', record.data.length);
      yield record.data;
      ({ position } = record.head);
      // Records after the visible head may still fail.
      if (position === head.position) return place;
    }
    return undefined;
  } catch (cause) {
    if (!(cause instanceof WorldsError)) throw cause;
    if (cause.code === 'TRUNCATED') return undefined;
    if (cause.code !== 'CORRUPT' && cause.code !== 'UNSUPPORTED') throw cause;
    // The backup gets a full copy of the namespace instead.
    failures.failed(name, 'opening', cause);
    return undefined;
  }
}

/** Returns the id of the record just before a head; undefined if the log no longer contains it. */
async function recordAt(storage: NamespaceStorage, head: Head, signal?: AbortSignal): Promise<string | undefined> {
  try {
    for await (const { id } of storage.read({ ...head, position: head.position - 1 }, signal)) return id;
  } catch (cause) {
    if (!(cause instanceof WorldsError && cause.code === 'TRUNCATED')) throw cause;
  }
  return undefined;
}

/** Writes a checkpoint of a namespace as it is now. Undefined if it has no worlds. */
async function* fullEntries(source: BackupSource, name: string): Entries {
  const home = await source.find(name);
  if (!home?.worlds.size) return undefined;
  const full = home.durability?.place.isShared
    ? // Under the lock, because commits of another engine are replayed in several steps.
      await home.withLock(() => takeFull(source, home))
    : takeFull(source, home);
  return full && (yield* heldPlace(full.entries, full.place));
}

interface FullCopy {
  readonly place: Promise<BackupPlace>;
  readonly entries: AsyncGenerator<Uint8Array, void, void>;
}

/**
 * Captures a snapshot synchronously. The namespace is held in memory until the entries were read.
 */
function takeFull(source: BackupSource, home: Namespace): FullCopy | undefined {
  if (home.worlds.size === 0) return undefined;
  const { clock, newId } = source;
  const durable = home.durability?.journal.state;
  const termCount = durable?.terms ?? home.store.dictionary.table.size;
  const { segments } = takeContents(home, { termCount, timeMs: clock(), marks: [], newId });
  const place = placeOf(source, home, durable?.head);
  place.catch(() => undefined); // Thrown where the entries are read.
  return { place, entries: heldItems([home], copyEntries(home.name, place, segments)) };
}

function placeAt({ incarnation, position }: Head, record: string | undefined): BackupPlace {
  return { incarnation, position, record: record ?? '' };
}

async function placeOf(
  { engineId, log, failures }: BackupSource,
  { name, revision }: Namespace,
  head: Head | undefined,
): Promise<BackupPlace> {
  if (!head) return { incarnation: engineId, position: revision, record: '' };
  try {
    const storage = (await log(name))?.storage;
    return placeAt(head, storage && (await recordAt(storage, head)));
  } catch (cause) {
    if (!(cause instanceof WorldsError && (cause.code === 'CORRUPT' || cause.code === 'UNSUPPORTED'))) throw cause;
    // Memory is intact, and may be the only copy left.
    failures.failed(name, 'opening', cause);
    return placeAt(head, undefined);
  }
}

async function* copyEntries(
  name: string,
  place: Promise<BackupPlace>,
  segments: readonly Segment[],
): AsyncGenerator<Uint8Array, void, void> {
  yield jsonEntry(ENTRY.namespace, name, await place);
  for (const segment of segments) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of segment.write()) chunks.push(chunk);
    yield entryHeader(ENTRY.segment, segment.name, lengthOf(chunks));
    yield* chunks;
  }
}

async function* heldPlace(entries: AsyncGenerator<Uint8Array, void, void>, place: Promise<BackupPlace>): Entries {
  yield* entries;
  return place;
}
