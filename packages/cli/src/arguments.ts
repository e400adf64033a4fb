import { parseArgs } from 'node:util';
import type { Command } from './command.ts';
import { UsageError } from './usage-error.ts';

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** What stands on the command line after the name of a command, checked against its table. */
export class Arguments {
  readonly operands: readonly string[];
  private readonly values: Values;

  private constructor(operands: readonly string[], values: Values) {
    this.operands = operands;
    this.values = values;
  }

  /** Throws UsageError for an option that the command does not have, a missing value, too few or too many operands. */
  static parse(command: Command, args: readonly string[]): Arguments {
    const options = Object.fromEntries(
      command.options.map(({ name, value, isRepeatable = false }) => [
        name,
        { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: isRepeatable },
      ]),
    );
    const { values, positionals } = parsed(args, { ...options, help: { type: 'boolean', multiple: false } });
    const { least, most } = command.operands ?? { least: 0, most: 0 };
    if (values.help !== true) {
      if (positionals.length < least) throw new UsageError(`${command.name}: ${command.operands!.usage} is missing.`);
      if (positionals.length > most) {
        throw new UsageError(
          `${command.name}: ${JSON.stringify(positionals[most])} is one argument too many; quote a text that has spaces.`,
        );
      }
    }
    return new Arguments(positionals, values);
  }

  /** Whether a flag is there. */
  flag(name: string): boolean {
    return this.values[name] === true;
  }

  /** The value of an option; undefined when it is not given. */
  text(name: string): string | undefined {
    return this.values[name] as string | undefined;
  }

  /** The values of a repeatable option. */
  texts(name: string): readonly string[] {
    return (this.values[name] as string[] | undefined) ?? [];
  }

  /** An integer option. Throws UsageError when it is none, or out of range. */
  integer(name: string, { least, most }: { readonly least: number; readonly most: number }): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      throw new UsageError(`--${name}: expected an integer from ${least} to ${most}, found ${JSON.stringify(text)}.`);
    }
    return value;
  }
}

function parsed(
  args: readonly string[],
  options: Record<string, { type: 'boolean' | 'string'; multiple: boolean }>,
): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw cause;
    throw new UsageError(message, { cause });
  }
}
