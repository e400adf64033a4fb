import { Option } from 'commander';
import type { Command } from '../command.ts';
import { DIRECTORY_OPTIONS, withDirectory } from '../durable-storage.ts';
import { writeText } from '../output.ts';

export const compact: Command = {
  name: 'compact',
  summary: 'Free what is gone: terms that nothing mentions any more, deletions, vectors.',
  options: [
    ...DIRECTORY_OPTIONS,
    new Option('--namespace <NAME>', 'this namespace alone'),
    new Option('--forget-changes', 'also what is only kept for those who follow the changes'),
  ],
  notes: [
    'Nothing that is there changes. The engine does this on its own when much is gone.',
    'What was deleted lately stays in the log of changes, and on disk, unless --forget-changes is given.',
  ],
  async run(given) {
    await withDirectory(given, async (engine) => {
      const namespace = given.text('namespace');
      const { namespaces, terms, bytes } = await engine.compact({
        ...(namespace !== undefined && { namespace }),
        forgetChanges: given.flag('forget-changes'),
      });
      await writeText(`${namespaces} namespaces, freed ${terms} terms of ${bytes} bytes.\n`);
    });
  },
};
