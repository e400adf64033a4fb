import type { WorldsCommand } from '../command.ts';
import type { Prefixes } from '../prefixes.ts';
import type { Service } from '../service.ts';
import type { WorldName } from '../world-name.ts';

/** The part of the shell that commands and completion use. */
export interface ShellSession {
  readonly service: Service;
  /** The commands on worlds. */
  readonly commands: readonly WorldsCommand[];
  readonly namespace: string | undefined;
  /** The selected world; undefined for all worlds of the namespace. */
  world: WorldName | undefined;
  prefixes: Prefixes;
  /** The format of answers; undefined for a table or Turtle. */
  format: string | undefined;
  /** Runs a command with its arguments. */
  command(words: readonly string[]): Promise<void>;
  /** Runs a query or update. */
  statement(text: string): Promise<void>;
  /** Shows the plan of a query or update. */
  explain(text: string, options: readonly string[]): Promise<void>;
  /** Ends the shell after the current command. */
  exit(): void;
}
