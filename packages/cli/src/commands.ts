import type { Command } from './command.ts';
import { backup } from './commands/backup.ts';
import { check } from './commands/check.ts';
import { compact } from './commands/compact.ts';
import { completion } from './commands/completion.ts';
import { mcp } from './commands/mcp.ts';
import { restore } from './commands/restore.ts';
import { salvage } from './commands/salvage.ts';
import { serve } from './commands/serve.ts';
import { shell } from './commands/shell.ts';
import { stats } from './commands/stats.ts';
import { validate } from './commands/validate.ts';
import { WORLDS_COMMANDS } from './worlds-commands.ts';

/**
 * All commands. To add one, write its file in `commands/` and add a row here, or to
 * `WORLDS_COMMANDS` if it works on worlds.
 */
export const COMMANDS: readonly Command[] = [
  serve,
  mcp,
  ...WORLDS_COMMANDS,
  shell,
  backup,
  restore,
  check,
  salvage,
  compact,
  stats,
  validate,
  completion(() => COMMANDS),
];
