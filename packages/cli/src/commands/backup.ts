import { createReadStream } from 'node:fs';
import { backupToken } from '@rdf-worlds/core';
import { Option } from 'commander';
import type { Command } from '../command.ts';
import { isDurable, READ_ONLY_OPTION, TAKE_OVER_OPTION, withDurable } from '../durable-storage.ts';
import { WORLDS_MEMORY_OPTION } from '../engine-options.ts';
import { refuseLocalLimits } from '../local-limits.ts';
import { isGzipName, OUTPUT_OPTION, writeOutput } from '../output.ts';
import { DATA_OPTION, placeOf, STORAGE_OPTION } from '../place.ts';
import { RemoteService } from '../remote-service.ts';
import { SERVER_ACCESS_OPTIONS } from '../service-options.ts';
import { UsageError } from '../usage-error.ts';

export const backup: Command = {
  name: 'backup',
  summary:
    'Write all worlds of a directory, a database or a running server, or the changes since an earlier backup, to one file.',
  options: [
    DATA_OPTION,
    ...SERVER_ACCESS_OPTIONS,
    TAKE_OVER_OPTION,
    STORAGE_OPTION,
    READ_ONLY_OPTION,
    WORLDS_MEMORY_OPTION,
    new Option('--since <FILE>', 'an earlier backup or its token; back up only later changes'),
    OUTPUT_OPTION,
  ],
  notes: [
    'With --url, --token must be an admin token.',
    'Use restore to create a directory, or fill a database, from a full backup and the incremental backups after it. The file is written completely or not at all.',
  ],
  async run(given) {
    const since = await tokenOf(given.text('since'));
    const output = given.text('output');
    if (output !== undefined && isGzipName(output))
      throw new UsageError('backup: a backup is already compressed, so it is not written as gzip; omit .gz.');
    const { url } = placeOf(given);
    if (url === undefined && !isDurable(given))
      throw new UsageError(
        'backup: specify a directory with --data DIR, a database with --storage URL, or a running server with --url URL.',
      );
    if (url !== undefined) {
      refuseLocalLimits(given);
      const query = since === undefined ? '' : `?${new URLSearchParams({ since })}`;
      const answer = await new RemoteService(url, given.text('token') || undefined).send(`/backup${query}`);
      return writeOutput(answer, given.text('output'));
    }
    await withDurable(given, (engine) =>
      writeOutput(new Response(ReadableStream.from(engine.backupStream({ since }))), given.text('output')),
    );
  },
};

const TOKEN = /^rdf-worlds-backup-\d+\.[\w-]+\.[0-9a-f]+$/;

/** Returns the backup token given as `--since`, or that of the backup file it names. */
async function tokenOf(since: string | undefined): Promise<string | undefined> {
  return since === undefined || TOKEN.test(since) ? since : backupToken(createReadStream(since));
}
