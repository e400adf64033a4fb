import { createReadStream } from 'node:fs';
import { WorldsEngine } from '@rdf-worlds/core';
import type { Command } from '../command.ts';
import { DIRECTORY_OPTION, directoryStorage, TAKE_OVER_OPTION } from '../durable-storage.ts';

export const restore: Command = {
  name: 'restore',
  summary: 'Make a directory of worlds from a backup.',
  operand: '<FILE>',
  options: [DIRECTORY_OPTION, TAKE_OVER_OPTION],
  notes: [
    'A FILE of - is standard input. The directory must have no worlds yet; when a restore fails, remove it and try again.',
  ],
  async run(given) {
    const [file] = given.operands;
    const backup = file === '-' ? process.stdin : createReadStream(file);
    const engine = await WorldsEngine.restore(backup, { storage: directoryStorage(given), textIndex: null });
    await engine.close();
  },
};
