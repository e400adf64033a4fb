import type { Arguments } from './arguments.ts';

/** One option of a command; without `value` it is a flag. */
export interface Option {
  /** Without the dashes. */
  readonly name: string;
  /** What the help calls its value. */
  readonly value?: string;
  readonly isRepeatable?: boolean;
  readonly summary: string;
}

/** One command: a row of the table in `commands.ts`. */
export interface Command {
  /** One word, or two: `worlds list`. */
  readonly name: string;
  readonly summary: string;
  /** The operands as the help shows them, and how many there may be. */
  readonly operands?: { readonly usage: string; readonly least: number; readonly most: number };
  readonly options: readonly Option[];
  /** More for its own help, in lines. */
  readonly notes?: readonly string[];
  /** Throws UsageError for arguments that cannot be meant; any other error is a failure of the work. */
  readonly run: (given: Arguments) => Promise<void>;
}
