import { Slicer } from '../../contracts/slicer.ts';
import { NO_HEAD } from '../../contracts/storage-arguments.ts';
import { asBytes } from '../../model/any-realm.ts';
import { kindOf } from '../../model/passed-value.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { NamespaceState } from '../namespace-state.ts';
import type { BackupPlace } from './backup-format.ts';
import { BackupReader } from './backup-reader.ts';
import { encodeToken } from './backup-token.ts';
import { decodeCommitRecord } from './commit-record.ts';
import { load } from './recover.ts';
import { replay } from './replay.ts';

/** A backup as a stream of chunks or as bytes. */
export type BackupInput = AsyncIterable<Uint8Array> | Uint8Array;

/**
 * Yields the namespaces of a full backup and its incremental backups, as of the last one, in
 * code-unit order. The backups are read in parallel, one namespace at a time. The caller owns the
 * namespaces.
 *
 * Throws INVALID_ARGUMENT before the first namespace if the backups are not consecutive. Throws
 * CORRUPT if one is damaged: before the first namespace for bytes, which are read twice; for
 * streams possibly only after the last namespace.
 */
export async function* namespacesOfChain<State extends NamespaceState>(
  inputs: readonly BackupInput[],
  newNamespace: (name: string) => State,
): AsyncGenerator<State, void, void> {
  const readers: BackupReader[] = [];
  try {
    // Opened concurrently: the error of a stream that fails before it is read would end the
    // process.
    const opened = await Promise.allSettled(
      inputs.map((input, i) => BackupReader.open(chunksOf(input), labelOf(i, inputs))),
    );
    for (const one of opened) if (one.status === 'fulfilled') readers.push(one.value);
    for (const one of opened) if (one.status === 'rejected') throw one.reason;
    requireChain(readers);
    for (const [i, input] of inputs.entries()) {
      // Bytes can be read twice, so they are verified before anything is restored.
      if (asBytes(input)) await readWhole(await BackupReader.open(chunksOf(input), labelOf(i, inputs)));
    }
    for (let name = firstName(readers); name !== undefined; name = firstName(readers)) {
      const namespace = await readNamespace(readers, name, newNamespace);
      if (namespace) yield namespace;
    }
    for (const reader of readers) await reader.finish();
    requireDigests(readers);
  } finally {
    await Promise.allSettled(readers.map((reader) => reader.close()));
  }
}

/**
 * Reads the token of a backup, as returned by `WorldsEngine.backup`, from the backup itself. Reads
 * the whole stream. Throws INVALID_ARGUMENT if it is not a backup, CORRUPT if it is damaged,
 * UNSUPPORTED if its version is newer, or 1, which has no token.
 */
export async function backupToken(backup: BackupInput): Promise<string> {
  if (!isBackupInput(backup)) throw noBackup('backupToken', backup, 'backupToken(createReadStream(path))');
  const reader = await BackupReader.open(chunksOf(backup), 'The backup');
  try {
    if (!reader.head) {
      throw new WorldsError(
        'UNSUPPORTED',
        'The backup has format version 1, which no incremental backup can follow; make a full one.',
      );
    }
    const places = await readWhole(reader);
    return encodeToken({ id: reader.head.id, digest: reader.digest!, places });
  } finally {
    await reader.close();
  }
}

/** Reads a backup to its end and returns the places of its namespaces. */
async function readWhole(reader: BackupReader): Promise<ReadonlyMap<string, BackupPlace>> {
  const places = new Map<string, BackupPlace>();
  for (let { name } = reader; name !== undefined; { name } = reader) {
    for await (const part of reader.parts()) {
      if (part.kind === 'log') for await (const record of part.records) void record;
      if (part.kind === 'gone') places.delete(name);
      else if (part.kind === 'log') places.set(name, placeAfter(part.log));
      else if (part.place) places.set(name, part.place);
    }
  }
  await reader.finish();
  return places;
}

/** Throws INVALID_ARGUMENT for a value that is not a backup, before an engine is opened for it. */
export function requireBackups(inputs: readonly unknown[]): void {
  for (const [i, input] of inputs.entries()) {
    if (isBackupInput(input)) continue;
    const where = inputs.length === 1 ? 'restore: backup' : `restore: backup[${i}]`;
    throw noBackup(where, input, 'WorldsEngine.restore(createReadStream(path), options)');
  }
}

function isBackupInput(input: unknown): boolean {
  if (typeof input !== 'object' || input === null) return false;
  return asBytes(input) !== undefined || Symbol.asyncIterator in input;
}

function noBackup(where: string, input: unknown, example: string): WorldsError {
  return new WorldsError(
    'INVALID_ARGUMENT',
    `${where}: expected the bytes of a backup or a stream of them, not ${kindOf(input)}; write ${example}.`,
  );
}

function chunksOf(input: BackupInput): AsyncIterable<Uint8Array> {
  const bytes = asBytes(input);
  if (!bytes) return input as Exclude<BackupInput, Uint8Array>;
  return (async function* () {
    yield bytes;
  })();
}

function labelOf(i: number, { length }: readonly unknown[]): string {
  return length === 1 ? 'The backup' : `Backup ${i + 1} of ${length}`;
}

function requireChain(readers: readonly BackupReader[]): void {
  for (const [i, { head }] of readers.entries()) {
    const label = labelOf(i, readers);
    const before = readers[i - 1];
    if (!before) {
      if (head?.parent) {
        throw notAChain(`${label} is an incremental backup. Pass the full backup before it, and those in between.`);
      }
    } else if (!head?.parent) {
      throw notAChain(
        `${label} is a full backup. Pass it alone, or before the incremental backups that were made after it.`,
      );
    } else if (head.parent.id !== before.head?.id) {
      throw notAChain(
        `${label} does not follow the one before it: a backup is missing, the order is wrong, or they come from different engines. Pass the full backup first, then the incremental backups in the order in which they were made.`,
      );
    }
  }
}

/** Verifies the content of each parent. The ids match already. */
function requireDigests(readers: readonly BackupReader[]): void {
  for (const [i, { head }] of readers.entries()) {
    if (head?.parent && head.parent.digest !== readers[i - 1].digest) {
      throw notAChain(
        `${labelOf(i, readers)} does not follow the one before it, whose content differs from that of its parent.`,
      );
    }
  }
}

function notAChain(message: string): WorldsError {
  return new WorldsError('INVALID_ARGUMENT', message);
}

function firstName(readers: readonly BackupReader[]): string | undefined {
  let first: string | undefined;
  for (const { name } of readers) if (name !== undefined && (first === undefined || name < first)) first = name;
  return first;
}

/**
 * Reads one namespace from all backups. Undefined if the last one does not contain it, or contains
 * it without worlds.
 */
async function readNamespace<State extends NamespaceState>(
  readers: readonly BackupReader[],
  name: string,
  newNamespace: (name: string) => State,
): Promise<State | undefined> {
  const slicer = new Slicer();
  let namespace: State | undefined;
  let place: BackupPlace | undefined;
  try {
    for (const reader of readers) {
      if (reader.name !== name) {
        // An incremental backup has an entry for each namespace of its parent.
        if (namespace) throw reader.damaged();
        continue;
      }
      let isWhole = true;
      for await (const part of reader.parts()) {
        isWhole = true;
        if (part.kind === 'unchanged') {
          if (!namespace || !isSamePlace(part.place, place)) throw reader.damaged();
        } else if (part.kind === 'log') {
          const { log } = part;
          if (!namespace || !place || place.incarnation !== log.incarnation || place.position !== log.from)
            throw reader.damaged();
          let position = log.from;
          for await (const data of part.records) {
            await replayRecord(namespace, data, ++position, slicer);
            if (position > log.position) throw reader.damaged();
          }
          isWhole = position === log.position;
          place = placeAfter(log);
        } else {
          await namespace?.store.close();
          namespace = undefined;
          place = undefined;
          if (part.kind === 'gone') continue;
          namespace = newNamespace(name);
          await load(namespace, { at: NO_HEAD, segments: part.segments }, slicer, { withNewKey: true });
          ({ place } = part);
        }
      }
      // A log may lack records only if a later part replaces it.
      if (!isWhole) throw reader.damaged();
    }
    // Deleted rows may reference terms that a compaction freed and that were later added under
    // another number.
    await namespace?.store.mergeAll();
  } catch (cause) {
    await namespace?.store.close();
    throw cause;
  }
  if (namespace?.worlds.size) return namespace;
  await namespace?.store.close();
  return undefined;
}

async function replayRecord(
  namespace: NamespaceState,
  data: Uint8Array,
  position: number,
  slicer: Slicer,
): Promise<void> {
  const where = `the namespace ${namespace.name}, commit ${position}`;
  await slicer.run(replay(namespace, await slicer.run(decodeCommitRecord(data, where)), where));
  await namespace.store.keepUp();
}

function isSamePlace(a: BackupPlace, b: BackupPlace | undefined): boolean {
  return a.incarnation === b?.incarnation && a.position === b.position;
}

function placeAfter({ incarnation, position, record }: BackupPlace): BackupPlace {
  return { incarnation, position, record };
}
