import type { Command } from 'commander';
import type { SettingValue } from './search-setting.ts';

/** Where the value of an option is from; undefined when it has none. */
export type Origin = 'cli' | 'env' | 'config' | 'default' | undefined;

interface OptionValue {
  readonly value: unknown;
  readonly origin: Origin;
}

/** What stands on the command line after the name of a command. */
export class Arguments {
  readonly operands: readonly string[];
  private readonly values: ReadonlyMap<string, OptionValue>;

  private constructor(operands: readonly string[], values: ReadonlyMap<string, OptionValue>) {
    this.operands = operands;
    this.values = values;
  }

  /** Of a command that has been parsed. */
  static of(parsed: Command): Arguments {
    const values = parsed.options.map((option) => {
      const name = option.attributeName();
      // A variable that is set to nothing is not set.
      const isSet = parsed.getOptionValueSource(name) !== 'env' || parsed.getOptionValue(name) !== '';
      const value = isSet ? parsed.getOptionValue(name) : undefined;
      return [
        option.name(),
        { value, origin: isSet ? (parsed.getOptionValueSource(name) as Origin) : undefined },
      ] as const;
    });
    return new Arguments(parsed.args, new Map(values));
  }

  /** Whether the command has an option, given or not. */
  knows(name: string): boolean {
    return this.values.has(name);
  }

  /** Who said what the value of an option is. */
  origin(name: string): Origin {
    return this.entry(name).origin;
  }

  /** Whether a flag is there. */
  flag(name: string): boolean {
    return this.value(name) === true;
  }

  /** The value of an option; undefined when it is not given and has no default. */
  text(name: string): string | undefined {
    return this.value(name) as string | undefined;
  }

  /** The values of a repeatable option. */
  texts(name: string): readonly string[] {
    return (this.value(name) as readonly string[] | undefined) ?? [];
  }

  /** The value of an option whose parser makes it an integer. */
  integer(name: string): number | undefined {
    return this.value(name) as number | undefined;
  }

  /** The value of an option for a setting of a search; undefined when it is not given. */
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
