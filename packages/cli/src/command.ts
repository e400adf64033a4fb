import type { Option } from 'commander';
import type { Arguments } from './arguments.ts';

/** One command: a row of the table in `commands.ts`. */
export interface Command {
  /** One word, or two: `worlds list`. */
  readonly name: string;
  readonly summary: string;
  /** What stands beside the options: `<WORLD>`, `[TEXT]` when it may be missing, `<FILE...>` for one or more. */
  readonly operand?: string;
  readonly options: readonly Option[];
  /** More for its own help, in lines. */
  readonly notes?: readonly string[];
  /** Throws UsageError for arguments that cannot be meant; any other error is a failure of the work. */
  readonly run: (given: Arguments) => Promise<void>;
}
