import { WorldsError } from '../model/worlds-error.ts';

/** Range and default of a numeric setting. */
export interface NumberRule {
  /** Value if none is given. */
  readonly default: number;
  /** Exclusive lower bound. */
  readonly above?: number;
  /** Inclusive lower bound. */
  readonly least?: number;
  /** Inclusive upper bound. */
  readonly most?: number;
  /** Whether only integers are allowed. Default: false. */
  readonly isInteger?: boolean;
  /** Description for users. */
  readonly meaning: string;
}

/** A group of related settings: an object of numbers, or the short form described by `short`. */
export interface SettingGroup {
  /** Description for users. */
  readonly meaning: string;
  /**
   * Short form. `flag`: `true` for all defaults, `false` for off. A list: one of these names,
   * called `method` in the object form; the first is the default.
   */
  readonly short: 'flag' | readonly string[];
  /** The settings of the group, by name. */
  readonly numbers: Readonly<Record<string, NumberRule>>;
}

/** Larger weights would make sums of scores lose precision and eventually overflow. */
const MAX_WEIGHT = 1000;

/**
 * Ranking settings of a search: one table shared by the library, the HTTP interface and the command
 * line.
 */
export const SEARCH_SETTINGS = {
  fusion: {
    meaning:
      'How the text ranking and the vector ranking are combined. `adaptive`: by scores, where vectors count less if a text has all words of the query. `rrf`: by ranks (reciprocal rank fusion). `convex`: by scores.',
    short: ['adaptive', 'rrf', 'convex'],
    numbers: {
      k: {
        default: 60,
        above: 0,
        meaning: 'Constant of reciprocal rank fusion. Larger values reduce the lead of the top ranks.',
      },
      textWeight: { default: 1, least: 0, most: MAX_WEIGHT, meaning: 'Weight of the text ranking.' },
      vectorWeight: { default: 1, least: 0, most: MAX_WEIGHT, meaning: 'Weight of the vector ranking.' },
    },
  },
  fields: {
    meaning:
      'Whether words are also matched against labels and local names, and the weights of such matches. A match in the text has weight 1.',
    short: 'flag',
    numbers: {
      label: { default: 0.75, least: 0, most: MAX_WEIGHT, meaning: 'Weight of a match in a label of the subject.' },
      subject: {
        default: 0.5,
        least: 0,
        most: MAX_WEIGHT,
        meaning: 'Weight of a match in the local name of the subject.',
      },
      predicate: {
        default: 0.5,
        least: 0,
        most: MAX_WEIGHT,
        meaning: 'Weight of a match in the local name of the predicate.',
      },
    },
  },
  feedback: {
    meaning: 'Whether the query is expanded with words from the best hits (pseudo-relevance feedback).',
    short: 'flag',
    numbers: {
      documents: {
        default: 10,
        least: 1,
        most: 100,
        isInteger: true,
        meaning: 'Number of hits assumed to be relevant.',
      },
      terms: { default: 30, least: 1, most: 200, isInteger: true, meaning: 'Number of words added.' },
      weight: { default: 0.5, least: 0, most: 1, meaning: 'Share of the added words in the expanded query.' },
    },
  },
} as const satisfies Record<string, SettingGroup>;

/** Name of a group of settings; a key of {@link SEARCH_SETTINGS}. */
export type SearchSetting = keyof typeof SEARCH_SETTINGS;

/** Describes a rule in words, such as `an integer from 1 to 100`. */
export function numberRuleText({ above, least, most, isInteger }: NumberRule): string {
  const kind = isInteger ? 'an integer' : 'a number';
  if (most !== undefined) return `${kind} from ${least} to ${most}`;
  return above === undefined ? `${kind} of at least ${least}` : `${kind} above ${above}`;
}

/** Returns whether a value is a finite number that a rule allows. */
export function obeysRule(value: unknown, { above, least, most, isInteger }: NumberRule): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value) || (isInteger && !Number.isInteger(value))) return false;
  return (
    (above === undefined || value > above) && (least === undefined || value >= least) && !(value > (most ?? value))
  );
}

/**
 * Returns the numbers of a group: given values, then those of `defaults`, then those of the table.
 * Throws INVALID_ARGUMENT naming the invalid one.
 */
export function resolveNumbers<Setting extends SearchSetting>(
  setting: Setting,
  given: Readonly<Partial<Record<keyof (typeof SEARCH_SETTINGS)[Setting]['numbers'], number | undefined>>>,
  defaults?: Readonly<Record<keyof (typeof SEARCH_SETTINGS)[Setting]['numbers'], number>>,
): Record<keyof (typeof SEARCH_SETTINGS)[Setting]['numbers'], number> {
  const { short, numbers } = SEARCH_SETTINGS[setting];
  if (typeof given !== 'object')
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${setting} is ${String(given)}; pass ${short === 'flag' ? 'true, false' : short.join(', ')} or an object of numbers.`,
    );
  const rules: Readonly<Record<string, NumberRule>> = numbers;
  const values: Readonly<Record<string, number | undefined>> = given;
  const others: Readonly<Record<string, number>> | undefined = defaults;
  const resolved: Record<string, number> = {};
  for (const [name, rule] of Object.entries(rules)) {
    const value = values[name] ?? others?.[name] ?? rule.default;
    if (!obeysRule(value, rule))
      throw new WorldsError('INVALID_ARGUMENT', `${setting}.${name} is ${value}; pass ${numberRuleText(rule)}.`);
    resolved[name] = value;
  }
  return resolved as Record<keyof (typeof SEARCH_SETTINGS)[Setting]['numbers'], number>;
}
