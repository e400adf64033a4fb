import type { WorldsCommand } from './command.ts';
import { canonicalize } from './commands/canonicalize.ts';
import { diff } from './commands/diff.ts';
import { explain } from './commands/explain.ts';
import { exportWorld } from './commands/export.ts';
import { fork } from './commands/fork.ts';
import { importFiles } from './commands/import.ts';
import { query } from './commands/query.ts';
import { search } from './commands/search.ts';
import { update } from './commands/update.ts';
import { worldsCreate } from './commands/worlds-create.ts';
import { worldsDelete } from './commands/worlds-delete.ts';
import { worldsGet } from './commands/worlds-get.ts';
import { worldsList } from './commands/worlds-list.ts';
import { worldsUpdate } from './commands/worlds-update.ts';

/**
 * The commands on worlds, available on the command line and in the shell. To add one, write its
 * file in `commands/` and add a row.
 */
export const WORLDS_COMMANDS: readonly WorldsCommand[] = [
  worldsList,
  worldsCreate,
  worldsGet,
  worldsUpdate,
  worldsDelete,
  importFiles,
  exportWorld,
  canonicalize,
  fork,
  diff,
  query,
  update,
  explain,
  search,
];
