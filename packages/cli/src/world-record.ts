import { Option } from 'commander';
import type { Arguments } from './arguments.ts';

/** The operand of commands on one world. */
export const WORLD_OPERAND = '<WORLD>';

export const RECORD_OPTIONS: readonly Option[] = [
  new Option('--label <TEXT>', 'its label'),
  new Option('--description <TEXT>', 'its description'),
];

/** Returns the fields of a world's record given on the command line. */
export function recordFields(given: Arguments): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const option of RECORD_OPTIONS) {
    const value = given.text(option.name());
    if (value !== undefined) fields[option.name()] = value;
  }
  return fields;
}
