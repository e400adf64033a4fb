import { changesText } from '../changes-text.ts';
import { worldsCommand } from '../command.ts';
import { writeText } from '../output.ts';
import { placeOf } from '../place.ts';
import { openSource, requiredWorld, SOURCE_OPTIONS } from '../service-options.ts';
import { FILE_OPTION, sparqlInput } from '../sparql-input.ts';
import { UsageError } from '../usage-error.ts';
import { EXPORT_OPTIONS, exportType, writeWorld } from '../world-export.ts';
import { worldPath } from '../world-name.ts';
import { WORLD_OPTION } from '../world-option.ts';

export const update = worldsCommand({
  name: 'update',
  summary: 'Run a SPARQL update on a world; with --load, write the changed data.',
  operand: '[TEXT]',
  options: [FILE_OPTION, WORLD_OPTION, ...EXPORT_OPTIONS, ...SOURCE_OPTIONS],
  notes: ['The operations of the text are applied completely or not at all. --format and --output require --load.'],
  activity: 'updating',
  open: openSource,
  async begin(given) {
    const isKept = placeOf(given).files.length === 0;
    if (isKept && (given.text('format') ?? given.text('output')) !== undefined) {
      throw new UsageError(
        '--format and --output require --load; to write a world of a server or directory, use export.',
      );
    }
    exportType(given);
    const text = await sparqlInput(given);
    return async (service) => {
      const world = requiredWorld(given, service);
      const headers = { 'content-type': 'application/sparql-update' };
      const answer = await service.send(`${worldPath(world)}/sparql`, { method: 'POST', headers, body: text });
      const changes = changesText(answer);
      if (isKept) await writeText(changes === undefined ? '' : `${changes}\n`);
      // A loaded world is lost when the process ends, so it is written to the output.
      else await writeWorld(given, service, world);
    };
  },
});
