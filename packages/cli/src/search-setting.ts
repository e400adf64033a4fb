import {
  numberRuleText,
  obeysRule,
  SEARCH_SETTINGS,
  type SearchSetting,
  type SettingGroup,
} from '@rdf-worlds/core/internal';
import { InvalidArgumentError, Option } from 'commander';

/** The value of a search setting in a request. */
export type SettingValue = boolean | string | Readonly<Record<string, number | string>>;

/**
 * Returns the option for a search setting, under the setting's name. Its value is `true`, `false`
 * or a method name, or numbers as `name=number,name=number`.
 */
export function settingOption(setting: SearchSetting, meaning: string): Option {
  const group: SettingGroup = SEARCH_SETTINGS[setting];
  return new Option(`--${setting} <SETTING>`, `${meaning}: ${formsOf(group)}`).argParser((text) => parse(group, text));
}

/** Parses the value of a setting option. Throws `InvalidArgumentError` for invalid text. */
function parse(group: SettingGroup, text: string): SettingValue {
  const words: readonly string[] = group.short === 'flag' ? ['true', 'false'] : group.short;
  const [first, ...others] = text.split(',');
  if (words.includes(text)) return group.short === 'flag' ? text === 'true' : text;
  const numbers: Record<string, number | string> = Object.create(null);
  const hasMethod = group.short !== 'flag' && words.includes(first);
  if (hasMethod) numbers['method'] = first;
  for (const part of hasMethod ? others : [first, ...others]) {
    const [name, value, more] = part.split('=');
    if (!Object.hasOwn(group.numbers, name) || value === undefined || more !== undefined)
      throw new InvalidArgumentError(`Expected ${formsOf(group)}.`);
    const rule = group.numbers[name];
    const number = value.trim() === '' ? Number.NaN : Number(value);
    if (!obeysRule(number, rule)) throw new InvalidArgumentError(`Expected ${numberRuleText(rule)} for ${name}.`);
    numbers[name] = number;
  }
  return { ...numbers };
}

function formsOf({ short, numbers }: SettingGroup): string {
  const words = short === 'flag' ? 'true, false' : short.join(', ');
  return `${words}, or ${Object.keys(numbers)
    .map((name) => `${name}=N`)
    .join(',')}`;
}
