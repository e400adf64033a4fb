import { Option } from 'commander';
import type { Command } from '../command.ts';
import { DIRECTORY_OPTIONS, READ_ONLY_OPTION, withDirectory } from '../durable-storage.ts';
import { writeText } from '../output.ts';
import { salvageText } from '../salvage-text.ts';
import { WrittenFile } from '../written-file.ts';

export const salvage: Command = {
  name: 'salvage',
  summary: 'Tell what the files of a damaged namespace still prove, and write it as N-Quads.',
  options: [
    ...DIRECTORY_OPTIONS,
    new Option('--namespace <NAME>', 'the damaged namespace').makeOptionMandatory(),
    new Option('--output <FILE>', 'where to write its worlds; without it the report is all'),
    READ_ONLY_OPTION,
  ],
  notes: [
    'The directory is not changed; check --repair repairs what can be repaired without loss.',
    'Every quad that is written was there at the revision that is told. The exit code is 1 when something may be missing.',
  ],
  async run(given) {
    await withDirectory(given, async (engine) => {
      const path = given.text('output');
      const file = path === undefined ? undefined : new WrittenFile(path);
      const namespace = given.text('namespace')!;
      const report = await engine.salvage({ namespace, ...(file && { output: file.stream }) });
      await writeText(salvageText(report));
      if (report.missing.length > 0) throw new Error(`${namespace}: not everything could be proven.`);
    });
  },
};
