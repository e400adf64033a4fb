import type { Command } from '../command.ts';
import { DIRECTORY_OPTION, READ_ONLY_OPTION, withDirectory } from '../durable-storage.ts';
import { writeText } from '../output.ts';

export const check: Command = {
  name: 'check',
  summary: 'Verify everything in a directory: checksums, and that all indexes have the same quads.',
  options: [DIRECTORY_OPTION, READ_ONLY_OPTION],
  notes: ['Nothing is changed. The exit code is 1 when something is wrong.'],
  async run(given) {
    await withDirectory(given, async (engine) => {
      const { namespaces, problems } = await engine.check();
      await writeText(problems.map(({ namespace, problem }) => `${namespace ?? 'storage'}: ${problem}\n`).join(''));
      if (problems.length > 0) throw new Error(`${problems.length} problems in ${namespaces} namespaces.`);
      await writeText(`${namespaces} namespaces, no problems.\n`);
    });
  },
};
