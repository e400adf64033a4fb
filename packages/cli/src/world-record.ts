import type { Arguments } from './arguments.ts';
import type { Command, Option } from './command.ts';

/** The operand of commands about one world. */
export const WORLD_OPERAND: NonNullable<Command['operands']> = { usage: 'WORLD', least: 1, most: 1 };

export const RECORD_OPTIONS: readonly Option[] = [
  { name: 'label', value: 'TEXT', summary: 'its label' },
  { name: 'description', value: 'TEXT', summary: 'its description' },
];

/** The fields of a world's record that the command line gives. */
export function recordFields(given: Arguments): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { name } of RECORD_OPTIONS) {
    const value = given.text(name);
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}
