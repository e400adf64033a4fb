import { existsSync } from 'node:fs';
import { type OnBackgroundError, WorldsEngine, type WorldsEngineOptions } from '@rdf-worlds/core';
import { fileStorage } from '@rdf-worlds/storage-file';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';

/** Worlds of a server, or of a directory without one. */
export const DATA_OPTION = new Option(
  '--data <DIR>',
  'without a server: the worlds in a directory, which no other process has open',
);

/** Of commands that are for a directory. */
export const DIRECTORY_OPTION = new Option(
  '--data <DIR>',
  'the directory; no other process has it open',
).makeOptionMandatory();

/** The directory of `--data`, opened; it is made when it is missing. Without a logger, failures in the background are lines on standard error. */
export function openDirectory(path: string, options: WorldsEngineOptions = {}): Promise<WorldsEngine> {
  const onBackgroundError = options.logger ? undefined : printBackgroundError;
  return WorldsEngine.open({ onBackgroundError, ...options, storage: fileStorage({ path }) });
}

const printBackgroundError: OnBackgroundError = (error, { namespace, activity }) => {
  const place = namespace === null ? '' : ` of the namespace ${namespace}`;
  process.stderr.write(`rdf-worlds: background work failed (${activity}${place}): ${error.message}\n`);
};

/** Opens the directory of a command for maintenance, works, and closes whatever becomes of the work. */
export async function withDirectory(given: Arguments, work: (engine: WorldsEngine) => Promise<void>): Promise<void> {
  const path = given.text('data')!;
  if (!existsSync(path)) throw new Error(`${path}: there is no such directory.`);
  const engine = await openDirectory(path, { textIndex: null });
  try {
    await work(engine);
  } finally {
    await engine.close();
  }
}
