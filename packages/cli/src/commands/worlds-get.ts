import type { World } from '@rdf-worlds/core';
import { worldsCommand } from '../command.ts';
import { READ_ONLY_OPTION } from '../durable-storage.ts';
import { AT_OPTION } from '../moment-option.ts';
import { writeText } from '../output.ts';
import { asksJson, jsonText, RECORD_TABLE_OPTIONS } from '../record-format.ts';
import { openServer, SERVER_OPTIONS } from '../service-options.ts';
import { tableStyle } from '../table-style.ts';
import { worldName, worldPath } from '../world-name.ts';
import { WORLD_OPERAND } from '../world-record.ts';
import { worldsTable } from '../worlds-table.ts';

export const worldsGet = worldsCommand({
  name: 'worlds get',
  summary: 'Show the record of a world.',
  operand: WORLD_OPERAND,
  options: [AT_OPTION, ...SERVER_OPTIONS, READ_ONLY_OPTION, ...RECORD_TABLE_OPTIONS],
  activity: 'opening the world',
  open: openServer,
  begin(given) {
    const isJson = asksJson(given);
    const at = given.text('at');
    const moment = at === undefined ? '' : `?at=${encodeURIComponent(at)}`;
    const path = worldPath(worldName(given.operands[0], given.text('namespace'))) + moment;
    return async (service) => {
      const world = (await (await service.send(path)).json()) as World;
      await writeText(isJson ? jsonText(world) : worldsTable([world], tableStyle(given)));
    };
  },
});
