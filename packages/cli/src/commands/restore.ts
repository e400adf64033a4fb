import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { WorldsEngine } from '@rdf-worlds/core';
import type { Command } from '../command.ts';
import { DIRECTORY_OPTIONS, directoryStorage } from '../durable-storage.ts';
import { ProgressBar } from '../progress-bar.ts';

export const restore: Command = {
  name: 'restore',
  summary: 'Make a directory of worlds from a backup, or from a full one and those that were made since.',
  operand: '<FILE...>',
  options: [...DIRECTORY_OPTIONS],
  notes: [
    'A FILE of - is standard input. Several are a full backup and the incremental ones that follow it, oldest first.',
    'The directory must have no worlds yet; when a restore fails, remove it and try again.',
  ],
  async run(given) {
    const backups = given.operands.map((file) => (file === '-' ? process.stdin : chunksOf(file)));
    const engine = await WorldsEngine.restore(backups, { storage: directoryStorage(given), textIndex: null });
    await engine.close();
  },
};

/** Yields the chunks of a file, which is opened on first read. */
async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  const { size } = await stat(file);
  yield* new ProgressBar(file, size).follow(createReadStream(file));
}
