import type { World } from '@rdf-worlds/core';
import type { Command } from '../command.ts';
import { writeText } from '../output.ts';
import { asksJson, jsonText, RECORD_FORMAT_OPTION } from '../record-format.ts';
import { jsonRequest } from '../service.ts';
import { openServer, SERVER_OPTIONS, withService } from '../service-options.ts';
import { collectionPath, worldName } from '../world-name.ts';
import { RECORD_OPTIONS, recordFields, WORLD_OPERAND } from '../world-record.ts';
import { worldsTable } from '../worlds-table.ts';

export const worldsCreate: Command = {
  name: 'worlds create',
  summary: 'Create a world.',
  operand: WORLD_OPERAND,
  options: [...RECORD_OPTIONS, ...SERVER_OPTIONS, RECORD_FORMAT_OPTION],
  async run(given) {
    const isJson = asksJson(given);
    const { namespace, slug } = worldName(given.operands[0], given.text('namespace'));
    await withService(openServer(given, { makesDirectory: true }), async (service) => {
      const body = { slug, ...recordFields(given) };
      const response = await service.send(collectionPath(namespace), jsonRequest('POST', body));
      const world = (await response.json()) as World;
      await writeText(isJson ? jsonText(world) : worldsTable([world]));
    });
  },
};
