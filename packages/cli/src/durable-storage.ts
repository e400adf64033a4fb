import { existsSync } from 'node:fs';
import { type OnBackgroundError, WorldsEngine, type WorldsEngineOptions } from '@rdf-worlds/core';
import type { Storage } from '@rdf-worlds/core/plugin';
import { fileStorage } from '@rdf-worlds/storage-file';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { CLIENT_CONFIG_OPTION } from './config-file.ts';
import { DIRECTORY_OPTION, placeOf } from './place.ts';
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
  if (directory === undefined && given.flag('take-over'))
    throw new UsageError('--take-over requires a directory: pass --data DIR.');
  if (directory === undefined && asksReadOnly(given))
    throw new UsageError('--read-only requires a directory: pass --data DIR.');
  if (asksReadOnly(given) && given.flag('take-over'))
    throw new UsageError('--take-over writes, so it cannot be combined with --read-only.');
  return directory;
}

/** For commands that only read. */
export const READ_ONLY_OPTION = new Option(
  '--read-only',
  'with --data: write nothing there, not even a lock; works on a read-only disk, and while another process has the directory open',
);

export function asksReadOnly(given: Arguments): boolean {
  return given.knows('read-only') && given.flag('read-only');
}

/** Returns the directory of `--data`. Throws `UsageError` if there is none. */
function requiredDirectory(given: Arguments): string {
  const directory = directoryOf(given);
  if (directory === undefined) throw new UsageError('specify the directory with --data DIR.');
  return directory;
}

/**
 * Returns the storage for the directory of the required option `--data`. The directory is created
 * if it is missing, unless it is opened read-only.
 */
export function directoryStorage(given: Arguments): Storage {
  const path = requiredDirectory(given);
  if (asksReadOnly(given)) return fileStorage({ path, readOnly: true });
  const leaseMs = given.knows('lease-ms') ? given.integer('lease-ms') : undefined;
  const maxOpenFiles = given.knows('max-open-files') ? given.integer('max-open-files') : undefined;
  return fileStorage({ path, takeOver: given.flag('take-over'), leaseMs, maxOpenFiles });
}

/**
 * Opens the directory of `--data`. Without a logger, background failures are printed to standard
 * error.
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
 * Throws if the directory of `--data` does not exist: a command that does not create worlds would
 * otherwise open a new, empty one.
 */
export function requireDirectory(given: Arguments): void {
  const path = requiredDirectory(given);
  if (!existsSync(path)) throw new Error(`${path}: no such directory; check --data.`);
}

/** For commands that accept only a directory. */
export const DIRECTORY_OPTIONS: readonly Option[] = [DIRECTORY_OPTION, TAKE_OVER_OPTION, CLIENT_CONFIG_OPTION];

/**
 * Opens the directory for a maintenance command, runs the work, and closes it even if the work
 * fails.
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
