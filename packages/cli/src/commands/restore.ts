import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { WorldsEngine } from '@rdf-worlds/core';
import type { Command } from '../command.ts';
import { DURABLE_OPTIONS, durableStorage } from '../durable-storage.ts';
import { WORLDS_MEMORY_OPTION } from '../engine-options.ts';
import { ProgressBar } from '../progress-bar.ts';

export const restore: Command = {
  name: 'restore',
  summary: 'Create a directory, or fill a database, from a full backup and the incremental backups after it.',
  operand: '<FILE...>',
  options: [...DURABLE_OPTIONS],
  notes: [
    'The FILE - is standard input. Pass several files oldest first: a full backup, then the incremental backups that follow it.',
    'The directory, or the schema of the database, must not contain worlds yet. If a restore fails, remove it and try again.',
  ],
  async run(given) {
    const backups = given.operands.map((file) => (file === '-' ? process.stdin : chunksOf(file)));
    const storage = await durableStorage(given, { mustExist: false });
    const engine = await WorldsEngine.restore(backups, {
      storage,
      textIndex: null,
      maxMemoryBytes: given.integer(WORLDS_MEMORY_OPTION.name()),
    });
    await engine.close();
  },
};

/** Yields the chunks of a file, which is opened on first read. */
async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  const { size } = await stat(file);
  if (size === 0) throw new Error(`${file}: the file is empty, so it is not a backup.`);
  yield* new ProgressBar(file, size).follow(createReadStream(file));
}
