import type { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import type { Service } from './service.ts';
import { WatchedService } from './watched-service.ts';

/** One command: a row of the table in `commands.ts`. */
export interface Command {
  /** One word, or two such as `worlds list`. */
  readonly name: string;
  readonly summary: string;
  /**
   * The positional argument: `<WORLD>`; `[TEXT]` if it is optional; `<FILE...>` for one or more.
   */
  readonly operand?: string;
  readonly options: readonly Option[];
  /** Additional lines for the command's help. */
  readonly notes?: readonly string[];
  /**
   * Runs the command. Throws `UsageError` for invalid arguments; any other error is a failure of
   * the work itself.
   */
  readonly run: (given: Arguments) => Promise<void>;
}

/** A command on worlds, on a server or local. The shell runs it on the worlds it has open. */
export interface WorldsCommand extends Command {
  /**
   * Validates the arguments before anything is opened, and returns the function that does the work.
   * Throws as {@link Command.run} does.
   */
  readonly begin: (given: Arguments) => WorldsWork | Promise<WorldsWork>;
}

export type WorldsWork = (service: Service) => Promise<void>;

interface WorldsCommandRow extends Omit<WorldsCommand, 'run'> {
  readonly open: (given: Arguments) => Service | Promise<Service>;
  /**
   * What a terminal shows while a request takes long. Undefined for a command that shows its own
   * progress.
   */
  readonly activity?: string;
}

/** Makes a command that opens the place its arguments name, works on it and closes it. */
export function worldsCommand(row: WorldsCommandRow): WorldsCommand {
  const { open, activity, ...command } = row;
  return {
    ...command,
    async run(given) {
      const work = await command.begin(given);
      const opened = await open(given);
      const service = activity === undefined ? opened : new WatchedService(opened, activity);
      try {
        await work(service);
      } finally {
        await service.close();
      }
    },
  };
}
