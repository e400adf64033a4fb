import { worldsCommand } from '../command.ts';
import { jsonRequest } from '../service.ts';
import { openServer, SERVER_OPTIONS } from '../service-options.ts';
import { UsageError } from '../usage-error.ts';
import { worldName, worldPath } from '../world-name.ts';
import { RECORD_OPTIONS, recordFields, WORLD_OPERAND } from '../world-record.ts';

export const worldsUpdate = worldsCommand({
  name: 'worlds update',
  summary: 'Change the label or the description of a world.',
  operand: WORLD_OPERAND,
  options: [...RECORD_OPTIONS, ...SERVER_OPTIONS],
  activity: 'updating',
  open: openServer,
  begin(given) {
    const fields = recordFields(given);
    if (Object.keys(fields).length === 0) throw new UsageError('nothing to change; pass --label or --description.');
    const path = worldPath(worldName(given.operands[0], given.text('namespace')));
    return async (service) => {
      await service.send(path, jsonRequest('PUT', fields));
    };
  },
});
