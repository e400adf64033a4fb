/** An option that takes an integer. */
export interface IntegerOption {
  readonly kind: 'integer';
  readonly default: number;
  readonly min: number;
  readonly meaning: string;
}

/** An option that takes the path of a file; undefined if it is not given. */
export interface FileOption {
  readonly kind: 'file';
  readonly meaning: string;
}

/** An option that takes one of a list of words or, for `choices`, several separated by commas. */
export interface ChoiceOption<Choice extends string = string> {
  readonly kind: 'choice' | 'choices';
  readonly choices: readonly Choice[];
  /** One word, or several separated by commas. */
  readonly default: string;
  readonly meaning: string;
}

/** An option without a value; true if it is given. */
export interface FlagOption {
  readonly kind: 'flag';
  readonly meaning: string;
}

export type Option = IntegerOption | FileOption | ChoiceOption | FlagOption;

export type Options = Readonly<Record<string, Option>>;

export type OptionValue<Row extends Option> = Row extends IntegerOption
  ? number
  : Row extends FileOption
    ? string | undefined
    : Row extends FlagOption
      ? boolean
      : Row extends ChoiceOption<infer Choice> & { kind: 'choices' }
        ? readonly Choice[]
        : Row extends ChoiceOption<infer Choice>
          ? Choice
          : never;

/** The values for a table of options. */
export type OptionValues<Table extends Options> = { readonly [Name in keyof Table]: OptionValue<Table[Name]> };

/** The seed of the random numbers; a different seed generates different data. */
export const SEED_OPTION = {
  kind: 'integer',
  default: 1,
  min: 0,
  meaning: 'seed of the generated data',
} as const satisfies IntegerOption;
