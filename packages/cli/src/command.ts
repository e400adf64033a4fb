import type { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import type { Service } from './service.ts';

/** One command: a row of the table in `commands.ts`. */
export interface Command {
  /** One word, or two: `worlds list`. */
  readonly name: string;
  readonly summary: string;
  /**
   * What stands beside the options: `<WORLD>`, `[TEXT]` when it may be missing, `<FILE...>` for one
   * or more.
   */
  readonly operand?: string;
  readonly options: readonly Option[];
  /** More for its own help, in lines. */
  readonly notes?: readonly string[];
  /**
   * Throws UsageError for arguments that cannot be meant; any other error is a failure of the work.
   */
  readonly run: (given: Arguments) => Promise<void>;
}

/** A command about worlds, wherever they are. The shell runs it on those that it has open. */
export interface WorldsCommand extends Command {
  /**
   * Looks at the arguments, before anything is opened. What it gives does the work. Throws as
   * {@link Command.run}.
   */
  readonly begin: (given: Arguments) => WorldsWork | Promise<WorldsWork>;
}

export type WorldsWork = (service: Service) => Promise<void>;

/** A command that opens what its arguments name, works on it, and closes it. */
export function worldsCommand(
  row: Omit<WorldsCommand, 'run'> & { readonly open: (given: Arguments) => Service | Promise<Service> },
): WorldsCommand {
  const { open, ...command } = row;
  return {
    ...command,
    async run(given) {
      const work = await command.begin(given);
      const service = await open(given);
      try {
        await work(service);
      } finally {
        await service.close();
      }
    },
  };
}
