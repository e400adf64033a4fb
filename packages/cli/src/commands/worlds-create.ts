import type { World } from '@rdf-worlds/core';
import { worldsCommand } from '../command.ts';
import { writeText } from '../output.ts';
import { asksJson, jsonText, RECORD_TABLE_OPTIONS } from '../record-format.ts';
import { jsonRequest } from '../service.ts';
import { openServer, SERVER_OPTIONS } from '../service-options.ts';
import { tableStyle } from '../table-style.ts';
import { collectionPath, worldName } from '../world-name.ts';
import { RECORD_OPTIONS, recordFields, WORLD_OPERAND } from '../world-record.ts';
import { worldsTable } from '../worlds-table.ts';

export const worldsCreate = worldsCommand({
  name: 'worlds create',
  summary: 'Create a world.',
  operand: WORLD_OPERAND,
  options: [...RECORD_OPTIONS, ...SERVER_OPTIONS, ...RECORD_TABLE_OPTIONS],
  activity: 'creating the world',
  open: (given) => openServer(given, { makesPlace: true }),
  begin(given) {
    const isJson = asksJson(given);
    const { namespace, slug } = worldName(given.operands[0], given.text('namespace'));
    return async (service) => {
      const body = { slug, ...recordFields(given) };
      const response = await service.send(collectionPath(namespace), jsonRequest('POST', body));
      const world = (await response.json()) as World;
      await writeText(isJson ? jsonText(world) : worldsTable([world], tableStyle(given)));
    };
  },
});
