import type { Command } from 'commander';
import type { SettingValue } from './search-setting.ts';

/** What stands on the command line after the name of a command. */
export class Arguments {
  readonly operands: readonly string[];
  private readonly values: ReadonlyMap<string, unknown>;

  private constructor(operands: readonly string[], values: ReadonlyMap<string, unknown>) {
    this.operands = operands;
    this.values = values;
  }

  /** Of a command that has been parsed. */
  static of(parsed: Command): Arguments {
    const values = parsed.options.map(
      (option) => [option.name(), parsed.getOptionValue(option.attributeName())] as const,
    );
    return new Arguments(parsed.args, new Map(values));
  }

  /** Whether the command has an option, given or not. */
  knows(name: string): boolean {
    return this.values.has(name);
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
    if (!this.values.has(name)) throw new Error(`This command has no option --${name}.`);
    return this.values.get(name);
  }
}
