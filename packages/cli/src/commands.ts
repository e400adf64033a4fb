import type { Command } from './command.ts';
import { backup } from './commands/backup.ts';
import { check } from './commands/check.ts';
import { compact } from './commands/compact.ts';
import { exportWorld } from './commands/export.ts';
import { importFiles } from './commands/import.ts';
import { query } from './commands/query.ts';
import { restore } from './commands/restore.ts';
import { salvage } from './commands/salvage.ts';
import { search } from './commands/search.ts';
import { serve } from './commands/serve.ts';
import { stats } from './commands/stats.ts';
import { update } from './commands/update.ts';
import { worldsCreate } from './commands/worlds-create.ts';
import { worldsDelete } from './commands/worlds-delete.ts';
import { worldsGet } from './commands/worlds-get.ts';
import { worldsList } from './commands/worlds-list.ts';
import { worldsUpdate } from './commands/worlds-update.ts';

/** Every command. To add one, write its file in `commands/` and add a row. */
export const COMMANDS: readonly Command[] = [
  serve,
  worldsList,
  worldsCreate,
  worldsGet,
  worldsUpdate,
  worldsDelete,
  importFiles,
  exportWorld,
  query,
  update,
  search,
  backup,
  restore,
  check,
  salvage,
  compact,
  stats,
];
