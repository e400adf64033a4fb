import { worldsCommand } from '../command.ts';
import { READ_ONLY_OPTION } from '../durable-storage.ts';
import { listWorlds } from '../list-worlds.ts';
import { chosenNamespace, chosenWorld, openSource, SOURCE_OPTIONS } from '../service-options.ts';
import { WORLD_OR_ALL_OPTION } from '../world-option.ts';
import { WORLDS_COMMANDS } from '../worlds-commands.ts';

export const shell = worldsCommand({
  name: 'shell',
  summary: 'Type queries, updates and commands, and see their answers.',
  options: [WORLD_OR_ALL_OPTION, ...SOURCE_OPTIONS, READ_ONLY_OPTION],
  notes: [
    'What comes through a pipe is run text by text, with an empty line between them; the first that fails ends it.',
    'History is kept in the file of RDF_WORLDS_HISTORY, else in rdf-worlds/history of the directory for states; not at all if that is empty.',
  ],
  open: openSource,
  begin(given) {
    const namespace = chosenNamespace(given);
    return async (service) => {
      const { Shell } = await import('../shell/shell.ts');
      const chosen = chosenWorld(given, service);
      const worlds = chosen ? [chosen] : (await listWorlds(service, namespace)).slice(0, 2);
      // If there is only one world, it is selected.
      const world = worlds.length === 1 ? { namespace, slug: worlds[0].slug } : undefined;
      await new Shell({ service, commands: WORLDS_COMMANDS, namespace, world: chosen ?? world }).run();
    };
  },
});
