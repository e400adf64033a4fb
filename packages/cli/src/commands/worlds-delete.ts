import { worldsCommand } from '../command.ts';
import { openServer, SERVER_OPTIONS } from '../service-options.ts';
import { worldName, worldPath } from '../world-name.ts';
import { WORLD_OPERAND } from '../world-record.ts';

export const worldsDelete = worldsCommand({
  name: 'worlds delete',
  summary: 'Delete a world and all its data.',
  operand: WORLD_OPERAND,
  options: SERVER_OPTIONS,
  activity: 'deleting',
  open: openServer,
  begin(given) {
    const path = worldPath(worldName(given.operands[0], given.text('namespace')));
    return async (service) => {
      await service.send(path, { method: 'DELETE' });
    };
  },
});
