import { worldsCommand } from '../command.ts';
import { READ_ONLY_OPTION } from '../durable-storage.ts';
import { listWorlds } from '../list-worlds.ts';
import { chosenNamespace, chosenWorld, openSource, SOURCE_OPTIONS } from '../service-options.ts';
import { WORLD_OR_ALL_OPTION } from '../world-option.ts';
import { WORLDS_COMMANDS } from '../worlds-commands.ts';

export const shell = worldsCommand({
  name: 'shell',
  summary: 'Run queries, updates and commands interactively.',
  options: [WORLD_OR_ALL_OPTION, ...SOURCE_OPTIONS, READ_ONLY_OPTION],
  notes: [
    'Piped input is split into texts at empty lines; they run in order until one fails.',
    'History is stored in the file named by RDF_WORLDS_HISTORY, by default rdf-worlds/history in the state directory. If the variable is empty, no history is stored.',
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
