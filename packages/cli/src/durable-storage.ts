import { existsSync } from 'node:fs';
import { WorldsEngine, type WorldsEngineOptions } from '@rdf-worlds/core';
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

/** Of commands that only read. */
export const READ_ONLY_OPTION = new Option(
  '--read-only',
  'with --data: write nothing there, not even a lock; the disk may be read-only, and another process may have it open',
);

export function asksReadOnly(given: Arguments): boolean {
  return given.knows('read-only') && given.flag('read-only');
}

/** How an engine is opened on a directory. */
export interface DirectoryOptions extends Omit<WorldsEngineOptions, 'storage'> {
  readonly readOnly?: boolean;
}

/** The directory of `--data`, opened; it is made when it is missing, unless `readOnly`. */
export function openDirectory(path: string, { readOnly, ...options }: DirectoryOptions = {}): Promise<WorldsEngine> {
  return WorldsEngine.open({ ...options, storage: fileStorage({ path, readOnly }) });
}

/** Opens the directory of a command for maintenance, works, and closes whatever becomes of the work. */
export async function withDirectory(given: Arguments, work: (engine: WorldsEngine) => Promise<void>): Promise<void> {
  const path = given.text('data')!;
  if (!existsSync(path)) throw new Error(`${path}: there is no such directory.`);
  const engine = await openDirectory(path, { textIndex: null, readOnly: asksReadOnly(given) });
  try {
    await work(engine);
  } finally {
    await engine.close();
  }
}
