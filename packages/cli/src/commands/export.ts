import { worldsCommand } from '../command.ts';
import { READ_ONLY_OPTION } from '../durable-storage.ts';
import { AT_OPTION } from '../moment-option.ts';
import { openSource, requiredWorld, SOURCE_OPTIONS } from '../service-options.ts';
import { EXPORT_OPTIONS, exportType, JSON_LD_EXPORT_OPTIONS, jsonLdOptions, writeWorld } from '../world-export.ts';
import { WORLD_OPTION } from '../world-option.ts';

export const exportWorld = worldsCommand({
  name: 'export',
  summary: 'Write a world as one RDF document; with --load, convert files.',
  options: [WORLD_OPTION, AT_OPTION, ...EXPORT_OPTIONS, ...JSON_LD_EXPORT_OPTIONS, ...SOURCE_OPTIONS, READ_ONLY_OPTION],
  notes: ['Formats without named graphs contain only the default graph.'],
  activity: 'opening the world',
  open: openSource,
  async begin(given) {
    // Reports an unknown format before any file is loaded.
    exportType(given);
    const options = { ...(await jsonLdOptions(given)), at: given.text('at') };
    return (service) => writeWorld(given, service, requiredWorld(given, service), options);
  },
});
