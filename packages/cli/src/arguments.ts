import type { Command } from 'commander';
import type { SettingValue } from './search-setting.ts';

/** The source of an option's value; undefined if it has none. */
export type Origin = 'cli' | 'env' | 'config' | 'default' | undefined;

interface OptionValue {
  readonly value: unknown;
  readonly origin: Origin;
}

/** The parsed arguments of a command. */
export class Arguments {
  readonly operands: readonly string[];
  private readonly values: ReadonlyMap<string, OptionValue>;

  private constructor(operands: readonly string[], values: ReadonlyMap<string, OptionValue>) {
    this.operands = operands;
    this.values = values;
  }

  /** Returns the arguments of a parsed command. */
  static of(parsed: Command): Arguments {
    const values = parsed.options.map((option) => {
      const name = option.attributeName();
      // An environment variable that is empty counts as not set.
      const isSet = parsed.getOptionValueSource(name) !== 'env' || parsed.getOptionValue(name) !== '';
      const value = isSet ? parsed.getOptionValue(name) : undefined;
      return [
        option.name(),
        { value, origin: isSet ? (parsed.getOptionValueSource(name) as Origin) : undefined },
      ] as const;
    });
    return new Arguments(parsed.args, new Map(values));
  }

  /** Returns true if the command has the option, given or not. */
  knows(name: string): boolean {
    return this.values.has(name);
  }

  /** Returns the source of an option's value. */
  origin(name: string): Origin {
    return this.entry(name).origin;
  }

  /** Returns true if a flag is given. */
  flag(name: string): boolean {
    return this.value(name) === true;
  }

  /** Returns the value of an option; undefined if it is not given and has no default. */
  text(name: string): string | undefined {
    return this.value(name) as string | undefined;
  }

  /** Returns the values of a repeatable option. */
  texts(name: string): readonly string[] {
    return (this.value(name) as readonly string[] | undefined) ?? [];
  }

  /** Returns the value of an option parsed as an integer. */
  integer(name: string): number | undefined {
    return this.value(name) as number | undefined;
  }

  /** Returns the value of a search-setting option; undefined if it is not given. */
  setting(name: string): SettingValue | undefined {
    return this.value(name) as SettingValue | undefined;
  }

  private value(name: string): unknown {
    return this.entry(name).value;
  }

  private entry(name: string): OptionValue {
    const found = this.values.get(name);
    if (!found) throw new Error(`This command has no option --${name}.`);
    return found;
  }
}
