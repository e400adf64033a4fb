import { createReadStream } from 'node:fs';
import { backupToken } from '@rdf-worlds/core';
import { Option } from 'commander';
import type { Command } from '../command.ts';
import { DIRECTORY_OPTION, READ_ONLY_OPTION, TAKE_OVER_OPTION, withDirectory } from '../durable-storage.ts';
import { OUTPUT_OPTION, writeOutput } from '../output.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Write all worlds of a directory into one file, or what changed since an earlier backup.',
  options: [
    DIRECTORY_OPTION,
    TAKE_OVER_OPTION,
    READ_ONLY_OPTION,
    new Option('--since <FILE>', 'an earlier backup, or its token: write only what changed since'),
    OUTPUT_OPTION,
  ],
  notes: [
    'restore makes a directory of it again, or of a full backup and the incremental ones after it. The file is there whole or not at all.',
  ],
  async run(given) {
    const since = await tokenOf(given.text('since'));
    await withDirectory(given, (engine) =>
      writeOutput(new Response(ReadableStream.from(engine.backupStream({ since }))), given.text('output')),
    );
  },
};

const TOKEN = /^rdf-worlds-backup-\d+\.[\w-]+\.[0-9a-f]+$/;

/** The token that `--since` says, or the token of the file that it names. */
async function tokenOf(since: string | undefined): Promise<string | undefined> {
  return since === undefined || TOKEN.test(since) ? since : backupToken(createReadStream(since));
}
