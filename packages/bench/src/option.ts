/** An option that takes an integer. */
export interface IntegerOption {
  readonly kind: 'integer';
  readonly default: number;
  readonly min: number;
  readonly meaning: string;
}

/** An option that takes the path of a file; without it the value is undefined. */
export interface FileOption {
  readonly kind: 'file';
  readonly meaning: string;
}

export type Options = Readonly<Record<string, IntegerOption | FileOption>>;

/** The values of a table of options. */
export type OptionValues<Table extends Options> = {
  readonly [Name in keyof Table]: Table[Name] extends IntegerOption ? number : string | undefined;
};

/** Of random numbers: another seed gives other data. */
export const SEED_OPTION = {
  kind: 'integer',
  default: 1,
  min: 0,
  meaning: 'seed of the generated data',
} as const satisfies IntegerOption;
