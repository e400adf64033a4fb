import type { Command } from '../command.ts';
import { READ_ONLY_OPTION } from '../durable-storage.ts';
import { openSource, requiredWorld, SOURCE_OPTIONS, withService } from '../service-options.ts';
import { EXPORT_OPTIONS, exportType, writeWorld } from '../world-export.ts';
import { WORLD_OPTION } from '../world-option.ts';

export const exportWorld: Command = {
  name: 'export',
  summary: 'Write a world as one RDF document; with --load, convert files.',
  options: [WORLD_OPTION, ...EXPORT_OPTIONS, ...SOURCE_OPTIONS, READ_ONLY_OPTION],
  notes: ['Formats without named graphs hold the default graph alone.'],
  async run(given) {
    // Before files are loaded: a format that does not exist is told at once.
    exportType(given);
    await withService(openSource(given), (service) => writeWorld(given, service, requiredWorld(given, service)));
  },
};
