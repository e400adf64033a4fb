import { Option } from 'commander';
import { worldsCommand } from '../command.ts';
import { READ_ONLY_OPTION } from '../durable-storage.ts';
import { LOCAL_LIMIT_OPTIONS } from '../local-limits.ts';
import { moment } from '../moment-option.ts';
import { OUTPUT_OPTION, writeOutput } from '../output.ts';
import { jsonRequest } from '../service.ts';
import { openServer, requiredWorld, SERVER_OPTIONS } from '../service-options.ts';
import { UsageError } from '../usage-error.ts';
import { worldName, worldPath } from '../world-name.ts';
import { WORLD_OPTION } from '../world-option.ts';

export const diff = worldsCommand({
  name: 'diff',
  summary: 'Write what changes a world as it was into what it is, or into another world, as RDF Patch.',
  options: [
    WORLD_OPTION,
    new Option('--from <MOMENT>', 'the world as of a revision or a time (default: now)').argParser(moment),
    new Option('--to <MOMENT>', 'compared with it as of another moment (default: now)').argParser(moment),
    new Option('--with <NAME>', 'compared with another world instead, as of --to'),
    OUTPUT_OPTION,
    ...SERVER_OPTIONS,
    ...LOCAL_LIMIT_OPTIONS,
    READ_ONLY_OPTION,
  ],
  notes: ['`import` applies the result to the world: it reads files with the extension .rdfp as changes.'],
  open: openServer,
  begin(given) {
    const [from, to, other] = [given.text('from'), given.text('to'), given.text('with')];
    if (from === undefined && to === undefined && other === undefined)
      throw new UsageError('diff: name what to compare: a moment with --from, or another world with --with.');
    const source = other === undefined ? undefined : worldName(other, undefined);
    return async (service) => {
      const world = requiredWorld(given, service);
      const { namespace = world.namespace, slug } = source ?? {};
      const body = { from, to: source ? { source: { slug, namespace }, at: to } : to };
      const response = await service.send(`${worldPath(world)}/diff`, jsonRequest('POST', body));
      await writeOutput(response, given.text('output'));
    };
  },
});
