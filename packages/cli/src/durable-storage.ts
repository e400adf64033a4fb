import { existsSync } from 'node:fs';
import { type OnBackgroundError, WorldsEngine, type WorldsEngineOptions, WorldsError } from '@rdf-worlds/core';
import type { Storage } from '@rdf-worlds/core/plugin';
import { fileStorage } from '@rdf-worlds/storage-file';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { CLIENT_CONFIG_OPTION } from './config-file.ts';
import { databaseStorage } from './database-storage.ts';
import { WORLDS_MEMORY_OPTION } from './engine-options.ts';
import { DIRECTORY_OPTION, placeOf, STORAGE_OPTION } from './place.ts';
import { UsageError } from './usage-error.ts';

/** For every command with `--data`. */
export const TAKE_OVER_OPTION = new Option(
  '--take-over',
  'with --data: assert that the process that had the directory open, on another machine or in another container, has ended, and do not wait for it',
);

/**
 * Returns the directory of `--data`, if the worlds are in one. Throws `UsageError` for
 * `--take-over` or `--read-only` without a directory.
 */
export function directoryOf(given: Arguments): string | undefined {
  const { directory } = placeOf(given);
  if (directory === undefined) refuseTakeOver(given);
  if (directory === undefined && asksReadOnly(given))
    throw new UsageError('--read-only requires a directory: pass --data DIR.');
  if (asksReadOnly(given) && given.flag('take-over'))
    throw new UsageError('--take-over writes, so it cannot be combined with --read-only.');
  return directory;
}

/** Throws `UsageError` for `--take-over`, which only directories have a use for. */
export function refuseTakeOver(given: Arguments): void {
  if (given.flag('take-over')) throw new UsageError('--take-over requires a directory: pass --data DIR.');
}

/** For commands that only read. */
export const READ_ONLY_OPTION = new Option(
  '--read-only',
  'with --data: write nothing there, not even a lock. Implied if another process has the directory open for writing, whose commits are then followed',
);

export function asksReadOnly(given: Arguments): boolean {
  return given.knows('read-only') && given.flag('read-only');
}

/**
 * Returns true if the arguments name a directory or a database. Throws as {@link directoryOf} does.
 */
export function isDurable(given: Arguments): boolean {
  return directoryOf(given) !== undefined || placeOf(given).storage !== undefined;
}

/** Whether a place without worlds is an error; only commands that create worlds create one. */
export interface OpenedPlace {
  readonly mustExist: boolean;
}

/**
 * Returns the storage of `--data` or `--storage`. Throws `UsageError` if neither is given. Without
 * `mustExist`, a missing directory or schema is created, unless a directory is opened read-only.
 */
export async function durableStorage(given: Arguments, { mustExist }: OpenedPlace): Promise<Storage> {
  const path = directoryOf(given);
  const { storage } = placeOf(given);
  if (storage !== undefined) return databaseStorage(storage, { mustExist });
  if (path === undefined) {
    const orDatabase = given.knows('storage') ? ', or a database with --storage URL' : '';
    throw new UsageError(`specify the directory with --data DIR${orDatabase}.`);
  }
  if (mustExist && !existsSync(path)) throw new Error(`${path}: no such directory; check --data.`);
  if (asksReadOnly(given)) return fileStorage({ path, readOnly: true });
  const leaseMs = given.knows('lease-ms') ? given.integer('lease-ms') : undefined;
  const maxOpenFiles = given.knows('max-open-files') ? given.integer('max-open-files') : undefined;
  return fileStorage({ path, takeOver: given.flag('take-over'), leaseMs, maxOpenFiles });
}

/**
 * Opens the directory of `--data` or the database of `--storage`. Without a logger, background
 * failures are printed to standard error. A command that only reads follows the process that has
 * the directory open for writing, and says so on standard error.
 */
export async function openDurable(
  given: Arguments,
  place: OpenedPlace,
  options: WorldsEngineOptions = {},
): Promise<WorldsEngine> {
  const onBackgroundError = options.logger ? undefined : printBackgroundError;
  const opened = (storage: Storage) => WorldsEngine.open({ onBackgroundError, ...options, storage });
  const storage = await durableStorage(given, place);
  try {
    return await opened(storage);
  } catch (cause) {
    const path = directoryOf(given);
    const isTaken = cause instanceof WorldsError && cause.code === 'CONFLICT';
    if (path === undefined || !isTaken || !place.mustExist || !onlyReads(given)) throw cause;
    const engine = await opened(fileStorage({ path, readOnly: true }));
    process.stderr.write(`rdf-worlds: another process has ${path} open for writing; its data is only read.\n`);
    return engine;
  }
}

/** Whether a command changes nothing, as far as its arguments say. */
function onlyReads(given: Arguments): boolean {
  const repairs = given.knows('repair') && given.flag('repair');
  return given.knows('read-only') && !given.flag('take-over') && !repairs;
}

const printBackgroundError: OnBackgroundError = (error, { namespace, activity }) => {
  const place = namespace === null ? '' : ` of the namespace ${namespace}`;
  process.stderr.write(`rdf-worlds: background work failed (${activity}${place}): ${error.message}\n`);
};

/** For commands that accept only a directory. */
export const DIRECTORY_OPTIONS: readonly Option[] = [
  DIRECTORY_OPTION,
  TAKE_OVER_OPTION,
  CLIENT_CONFIG_OPTION,
  WORLDS_MEMORY_OPTION,
];

/** For commands that accept a directory or a database. */
export const DURABLE_OPTIONS: readonly Option[] = [...DIRECTORY_OPTIONS, STORAGE_OPTION];

/**
 * Opens the directory or database for a maintenance command, runs the work, and closes it even if
 * the work fails.
 */
export async function withDurable(
  given: Arguments,
  work: (engine: WorldsEngine) => Promise<void>,
  options: Pick<WorldsEngineOptions, 'quotas'> = {},
): Promise<void> {
  const maxMemoryBytes = given.integer(WORLDS_MEMORY_OPTION.name());
  const engine = await openDurable(given, { mustExist: true }, { textIndex: null, maxMemoryBytes, ...options });
  try {
    await work(engine);
  } finally {
    await engine.close();
  }
}
