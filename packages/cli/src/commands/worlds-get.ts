import type { World } from '@rdf-worlds/core';
import type { Command } from '../command.ts';
import { READ_ONLY_OPTION } from '../durable-storage.ts';
import { writeText } from '../output.ts';
import { asksJson, jsonText, RECORD_FORMAT_OPTION } from '../record-format.ts';
import { openServer, SERVER_OPTIONS, withService } from '../service-options.ts';
import { worldName, worldPath } from '../world-name.ts';
import { WORLD_OPERAND } from '../world-record.ts';
import { worldsTable } from '../worlds-table.ts';

export const worldsGet: Command = {
  name: 'worlds get',
  summary: 'Show the record of a world.',
  operand: WORLD_OPERAND,
  options: [...SERVER_OPTIONS, READ_ONLY_OPTION, RECORD_FORMAT_OPTION],
  async run(given) {
    const isJson = asksJson(given);
    const path = worldPath(worldName(given.operands[0], given.text('namespace')));
    await withService(openServer(given), async (service) => {
      const world = (await (await service.send(path)).json()) as World;
      await writeText(isJson ? jsonText(world) : worldsTable([world]));
    });
  },
};
