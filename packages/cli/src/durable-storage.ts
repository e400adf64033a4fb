import { existsSync } from 'node:fs';
import { type OnBackgroundError, type Storage, WorldsEngine, type WorldsEngineOptions } from '@rdf-worlds/core';
import { fileStorage } from '@rdf-worlds/storage-file';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { CLIENT_CONFIG_OPTION } from './config-file.ts';
import { DIRECTORY_OPTION, placeOf } from './place.ts';
import { UsageError } from './usage-error.ts';

/** Of every command with `--data`. */
export const TAKE_OVER_OPTION = new Option(
  '--take-over',
  'with --data: the process that had the directory, on another machine or in another container, has ended; do not wait for it',
);

/**
 * The directory of `--data`, if that is where the worlds are. Throws UsageError for `--take-over`
 * and `--read-only` without it.
 */
export function directoryOf(given: Arguments): string | undefined {
  const { directory } = placeOf(given);
  if (directory === undefined && given.flag('take-over'))
    throw new UsageError('--take-over is for a directory: name it by --data DIR.');
  if (directory === undefined && asksReadOnly(given))
    throw new UsageError('--read-only is for a directory: name it by --data DIR.');
  if (asksReadOnly(given) && given.flag('take-over'))
    throw new UsageError('--take-over is for writing, and --read-only does not write: name one of them.');
  return directory;
}

/** Of commands that only read. */
export const READ_ONLY_OPTION = new Option(
  '--read-only',
  'with --data: write nothing there, not even a lock; the disk may be read-only, and another process may have it open',
);

export function asksReadOnly(given: Arguments): boolean {
  return given.knows('read-only') && given.flag('read-only');
}

/** The directory of `--data`. Throws UsageError when there is none. */
function requiredDirectory(given: Arguments): string {
  const directory = directoryOf(given);
  if (directory === undefined) throw new UsageError('name the directory by --data DIR.');
  return directory;
}

/**
 * The directory of `--data`, which must be given; it is made when it is missing, unless it is only
 * read.
 */
export function directoryStorage(given: Arguments): Storage {
  const path = requiredDirectory(given);
  if (asksReadOnly(given)) return fileStorage({ path, readOnly: true });
  const leaseMs = given.knows('lease-ms') ? given.integer('lease-ms') : undefined;
  const maxOpenFiles = given.knows('max-open-files') ? given.integer('max-open-files') : undefined;
  return fileStorage({ path, takeOver: given.flag('take-over'), leaseMs, maxOpenFiles });
}

/**
 * The directory of `--data`, opened. Without a logger, failures in the background are lines on
 * standard error.
 */
export function openDirectory(given: Arguments, options: WorldsEngineOptions = {}): Promise<WorldsEngine> {
  const onBackgroundError = options.logger ? undefined : printBackgroundError;
  return WorldsEngine.open({ onBackgroundError, ...options, storage: directoryStorage(given) });
}

const printBackgroundError: OnBackgroundError = (error, { namespace, activity }) => {
  const place = namespace === null ? '' : ` of the namespace ${namespace}`;
  process.stderr.write(`rdf-worlds: background work failed (${activity}${place}): ${error.message}\n`);
};

/**
 * Throws when the directory of `--data` is not there: a command that does not make worlds would
 * look into a new one, and find nothing.
 */
export function requireDirectory(given: Arguments): void {
  const path = requiredDirectory(given);
  if (!existsSync(path)) throw new Error(`${path}: there is no such directory; check --data.`);
}

/** Of commands that are for a directory alone. */
export const DIRECTORY_OPTIONS: readonly Option[] = [DIRECTORY_OPTION, TAKE_OVER_OPTION, CLIENT_CONFIG_OPTION];

/**
 * Opens the directory of a command for maintenance, works, and closes whatever becomes of the work.
 */
export async function withDirectory(
  given: Arguments,
  work: (engine: WorldsEngine) => Promise<void>,
  options: Pick<WorldsEngineOptions, 'quotas'> = {},
): Promise<void> {
  requireDirectory(given);
  const engine = await openDirectory(given, { textIndex: null, ...options });
  try {
    await work(engine);
  } finally {
    await engine.close();
  }
}
