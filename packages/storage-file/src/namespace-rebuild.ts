import { basename, join } from 'node:path';
import type { WorldsError } from '@rdf-worlds/core';
import { checkSegmentName, type Head, type Segment, storageErrors } from '@rdf-worlds/core/plugin';
import { copyTo } from './file-copy.ts';
import { fileError } from './file-errors.ts';
import { discard, exists, type FileSystem, hasCode } from './file-system.ts';
import { LOG_HEADER_BYTES, logName, logPath } from './log-file-header.ts';
import { headerOf, makeLogFile, openLogFile } from './log-files.ts';
import { logFileBefore, placeBefore, recoverLog } from './log-recovery.ts';
import { type Manifest, type ManifestSegment, readManifest, writeManifest } from './manifest.ts';
import { numberOfSegmentName, segmentPath, writeSegment } from './segment-file.ts';
import { makeDirectories } from './storage-path.ts';
import { removeDirectory } from './trash.ts';
import { UnknownOutcome } from './unknown-outcome.ts';

export interface RebuildPlace {
  readonly fileSystem: FileSystem;
  readonly directory: string;
  /** The directory for copies of rebuilt directories. */
  readonly copies: string;
}

export interface Rebuild {
  readonly at: Head;
  readonly segments: AsyncIterable<Segment> | Iterable<Segment>;
  /** Called between pieces; stops the work by throwing. */
  readonly check: () => void;
  /** Receives failures to remove files that are no longer needed. */
  readonly onBackgroundError: (error: WorldsError) => void;
}

/**
 * Reduces a namespace to one checkpoint. Until the manifest that names it is in place, all existing
 * files stay: the earlier steps only add files, which have no effect without that manifest. Returns
 * the path of the copy.
 */
export async function rebuildNamespace(
  place: RebuildPlace,
  namespace: string,
  { at, segments, check, onBackgroundError }: Rebuild,
): Promise<string> {
  const { fileSystem, directory } = place;
  check();
  const manifest = await readManifest(fileSystem, directory);
  if (!manifest || at.incarnation !== manifest.incarnation) throw storageErrors.otherIncarnation(namespace);
  const names = await fileSystem.list(directory);
  // Throws CORRUPT if the end of the log cannot be proven.
  const { end } = await recoverLog(
    fileSystem,
    directory,
    { ...manifest, logStart: at.position, logFile: await logFileBefore(fileSystem, directory, manifest, at.position) },
    { isReadOnly: true, place: placeBefore(manifest, at.position) },
  );
  if (end.position !== at.position) throw storageErrors.conflict(namespace, at, { ...at, position: end.position });
  const copy = await copyDirectory(place, names, check, onBackgroundError);
  try {
    const written = await writeSegments(fileSystem, directory, manifest, names, segments, check);
    await beginLog(fileSystem, directory, manifest, at.position);
    await fileSystem.syncDirectory(directory);
    check();
    await writeManifest(fileSystem, directory, {
      ...manifest,
      logStart: at.position,
      logFile: at.position,
      durable: at.position,
      checkpoints: [{ position: at.position, segments: written }],
    });
  } catch (error) {
    // Nothing was replaced. If that is unknown, the copy may be the only one left.
    if (!(error instanceof UnknownOutcome)) await removeCopy(fileSystem, copy, onBackgroundError);
    throw error;
  }
  const isKept = (name: string) => name === 'manifest' || name === logName(at.position);
  for (const name of names) {
    if (isKept(name)) continue;
    await fileSystem.unlink(join(directory, name)).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return; // It was `manifest.tmp`.
      onBackgroundError(fileError(error, 'Removing a file that is no longer needed', join(directory, name)));
    });
  }
  return copy;
}

/**
 * Copies the files of the directory, durably, into a directory named after the current time and the
 * original.
 */
async function copyDirectory(
  { fileSystem, directory, copies }: RebuildPlace,
  names: readonly string[],
  check: () => void,
  onBackgroundError: (error: WorldsError) => void,
): Promise<string> {
  await makeDirectories(fileSystem, copies);
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  let copy = join(copies, `${time}-${basename(directory)}`);
  for (let count = 2; await exists(fileSystem, copy); count++)
    copy = join(copies, `${time}-${count}-${basename(directory)}`);
  await fileSystem.makeDirectory(copy);
  try {
    for (const name of names) {
      check();
      await copyFile(fileSystem, join(directory, name), join(copy, name));
    }
    await fileSystem.syncDirectory(copy);
    await fileSystem.syncDirectory(copies);
  } catch (error) {
    await removeCopy(fileSystem, copy, onBackgroundError);
    throw error;
  }
  return copy;
}

/**
 * Removes the copy of a failed rebuild. Otherwise each attempt on a full disk would add another
 * one.
 */
async function removeCopy(
  fileSystem: FileSystem,
  copy: string,
  onBackgroundError: (error: WorldsError) => void,
): Promise<void> {
  await removeDirectory(fileSystem, copy).catch((error: unknown) => {
    onBackgroundError(fileError(error, 'Removing the copy of a rebuild that failed', copy));
  });
}

async function copyFile(fileSystem: FileSystem, from: string, to: string): Promise<void> {
  const source = await fileSystem.open(from, 'read');
  try {
    await copyTo(fileSystem, source, to, 'create');
  } finally {
    await discard(source);
  }
}

async function writeSegments(
  fileSystem: FileSystem,
  directory: string,
  owner: Manifest,
  names: readonly string[],
  segments: AsyncIterable<Segment> | Iterable<Segment>,
  check: () => void,
): Promise<ManifestSegment[]> {
  // The numbers of missing files must not be reused either.
  const known = owner.checkpoints.flatMap((checkpoint) => checkpoint.segments.map(({ file }) => file));
  let file = Math.max(0, ...known, ...names.map((name) => numberOfSegmentName(name) ?? 0));
  const written = new Map<string, ManifestSegment>();
  try {
    for await (const segment of segments) {
      checkSegmentName(segment.name);
      if (written.has(segment.name)) throw storageErrors.segmentTwice(segment.name);
      written.set(segment.name, { name: segment.name, file: ++file, byteLength: 0 });
      written.set(segment.name, await writeSegment(fileSystem, directory, { owner, segment, file }, check));
    }
  } catch (error) {
    // Left-over files have no effect; the original failure is the one to report.
    for (const each of written.values())
      await fileSystem.unlink(segmentPath(directory, each.file)).catch(() => undefined);
    throw error;
  }
  return [...written.values()];
}

/**
 * Creates the file in which the log continues. An existing one without records is kept, since it is
 * needed until the manifest is replaced.
 */
async function beginLog(
  fileSystem: FileSystem,
  directory: string,
  manifest: Manifest,
  position: number,
): Promise<void> {
  const path = logPath(directory, position);
  if (!(await exists(fileSystem, path))) {
    await makeLogFile(fileSystem, directory, manifest, { position, chain: 0, offset: LOG_HEADER_BYTES }, 0);
    return;
  }
  const open = await openLogFile(fileSystem, path, 'read');
  try {
    await headerOf({ path, base: position, marks: [] }, open, manifest);
  } finally {
    await discard(open);
  }
}
