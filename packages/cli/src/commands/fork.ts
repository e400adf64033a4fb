import type { World } from '@rdf-worlds/core';
import { worldsCommand } from '../command.ts';
import { AT_OPTION } from '../moment-option.ts';
import { writeText } from '../output.ts';
import { asksJson, jsonText, RECORD_TABLE_OPTIONS } from '../record-format.ts';
import { jsonRequest } from '../service.ts';
import { openServer, requiredWorld, SERVER_OPTIONS } from '../service-options.ts';
import { tableStyle } from '../table-style.ts';
import { worldPath } from '../world-name.ts';
import { WORLD_OPTION } from '../world-option.ts';
import { RECORD_OPTIONS, recordFields } from '../world-record.ts';
import { worldsTable } from '../worlds-table.ts';

export const fork = worldsCommand({
  name: 'fork',
  summary: 'Create a world as a copy of another one, now or as it was.',
  operand: '<SLUG>',
  options: [WORLD_OPTION, AT_OPTION, ...RECORD_OPTIONS, ...SERVER_OPTIONS, ...RECORD_TABLE_OPTIONS],
  notes: ['SLUG is the name of the new world, in the namespace of the other. Label and description are copied, too.'],
  activity: 'copying',
  open: openServer,
  begin(given) {
    const isJson = asksJson(given);
    return async (service) => {
      const path = `${worldPath(requiredWorld(given, service))}/fork`;
      const body = { slug: given.operands[0], at: given.text('at'), ...recordFields(given) };
      const world = (await (await service.send(path, jsonRequest('POST', body))).json()) as World;
      await writeText(isJson ? jsonText(world) : worldsTable([world], tableStyle(given)));
    };
  },
});
