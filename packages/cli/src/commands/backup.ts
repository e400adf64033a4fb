import type { Command } from '../command.ts';
import { DIRECTORY_OPTION, READ_ONLY_OPTION, withDirectory } from '../durable-storage.ts';
import { OUTPUT_OPTION, writeOutput } from '../output.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Write all worlds of a directory into one file.',
  options: [DIRECTORY_OPTION, READ_ONLY_OPTION, OUTPUT_OPTION],
  notes: ['restore makes a directory of it again. The file is there whole or not at all.'],
  async run(given) {
    await withDirectory(given, (engine) =>
      writeOutput(new Response(ReadableStream.from(engine.backupStream())), given.text('output')),
    );
  },
};
