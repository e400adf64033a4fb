import { Option } from 'commander';
import type { Command } from '../command.ts';
import { DIRECTORY_OPTIONS, READ_ONLY_OPTION, withDurable } from '../durable-storage.ts';
import { writeText } from '../output.ts';
import { salvageText } from '../salvage-text.ts';
import { StatusLine } from '../status-line.ts';
import { WrittenFile } from '../written-file.ts';

export const salvage: Command = {
  name: 'salvage',
  summary: 'Report which data of a damaged namespace its files still prove, and write it as N-Quads.',
  options: [
    ...DIRECTORY_OPTIONS,
    new Option('--namespace <NAME>', 'the damaged namespace').makeOptionMandatory(),
    new Option('--output <FILE>', 'file for its worlds (default: print only the report)'),
    READ_ONLY_OPTION,
  ],
  notes: [
    'The directory is not changed. To repair a namespace without loss, use check --repair.',
    'Every quad written existed at the reported revision. The exit code is 1 if something may be missing.',
  ],
  async run(given) {
    await withDurable(given, async (engine) => {
      const path = given.text('output');
      const file = path === undefined ? undefined : new WrittenFile(path);
      const namespace = given.text('namespace')!;
      const status = new StatusLine(`reading the files of ${namespace}`);
      const report = await engine
        .salvage({ namespace, ...(file && { output: file.stream }) })
        .finally(() => status.end());
      await writeText(salvageText(report));
      if (report.missing.length > 0) throw new Error(`${namespace}: not all data could be proven intact.`);
    });
  },
};
