import type { Command } from '../command.ts';
import { jsonRequest } from '../service.ts';
import { openServer, SERVER_OPTIONS, withService } from '../service-options.ts';
import { UsageError } from '../usage-error.ts';
import { worldName, worldPath } from '../world-name.ts';
import { RECORD_OPTIONS, recordFields, WORLD_OPERAND } from '../world-record.ts';

export const worldsUpdate: Command = {
  name: 'worlds update',
  summary: 'Change the label or the description of a world.',
  operand: WORLD_OPERAND,
  options: [...RECORD_OPTIONS, ...SERVER_OPTIONS],
  async run(given) {
    const fields = recordFields(given);
    if (Object.keys(fields).length === 0)
      throw new UsageError('there is nothing to change; see --label and --description.');
    const path = worldPath(worldName(given.operands[0], given.text('namespace')));
    await withService(openServer(given), async (service) => {
      await service.send(path, jsonRequest('PUT', fields));
    });
  },
};
