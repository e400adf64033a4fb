import type { Command } from '../command.ts';
import { openServer, SERVER_OPTIONS, withService } from '../service-options.ts';
import { worldName, worldPath } from '../world-name.ts';
import { WORLD_OPERAND } from '../world-record.ts';

export const worldsDelete: Command = {
  name: 'worlds delete',
  summary: 'Delete a world with everything in it.',
  operand: WORLD_OPERAND,
  options: SERVER_OPTIONS,
  async run(given) {
    const path = worldPath(worldName(given.operands[0], given.text('namespace')));
    await withService(openServer(given), async (service) => {
      await service.send(path, { method: 'DELETE' });
    });
  },
};
