import { Option } from 'commander';
import type { Command } from '../command.ts';
import { DURABLE_OPTIONS, withDurable } from '../durable-storage.ts';
import { writeText } from '../output.ts';
import { StatusLine } from '../status-line.ts';

export const compact: Command = {
  name: 'compact',
  summary: 'Reclaim the space of deleted data: unused terms, deleted quads, vectors.',
  options: [
    ...DURABLE_OPTIONS,
    new Option('--namespace <NAME>', 'compact only this namespace'),
    new Option('--forget-changes', 'also remove data kept only for followers of changes'),
    new Option('--forget-history', 'also remove data kept only for reading the past'),
  ],
  notes: [
    'Existing data does not change. The engine compacts automatically when there is much to reclaim.',
    'Recently deleted data stays in the log of changes, and on disk, unless --forget-changes is given; of worlds with a history, also unless --forget-history is.',
  ],
  async run(given) {
    await withDurable(given, async (engine) => {
      const namespace = given.text('namespace');
      const status = new StatusLine('opening');
      const { namespaces, terms, bytes } = await engine
        .compact({
          namespace,
          forgetChanges: given.flag('forget-changes'),
          forgetHistory: given.flag('forget-history'),
          onProgress: status.of('compacting'),
        })
        .finally(() => status.end());
      if (namespace !== undefined && namespaces === 0)
        throw new Error(`There is no namespace ${namespace}; stats lists them.`);
      await writeText(`${namespaces} namespaces, freed ${terms} terms of ${bytes} bytes.\n`);
    });
  },
};
