import { requireKnownFields } from '@rdf-worlds/core';
import type { Option, Command as Program } from 'commander';
import { readGuarded } from './guarded-file.ts';
import { UsageError } from './usage-error.ts';

/** Where a command with this option takes its other options from, too. */
export const CONFIG = 'config';

/**
 * Sets the options of a command by a JSON object: each field is an option in camel case, `maxBodyBytes` for `--max-body-bytes`. What stands on the command line wins. Throws UsageError for what is no such
 * object or no value of its option, and INVALID_ARGUMENT for an unknown field, with the nearest that exists.
 */
export async function applyConfigFile(parsed: Program, path: string): Promise<void> {
  const { content } = await readGuarded(path);
  const values = objectOf(content, path);
  const options = new Map(
    parsed.options.filter((option) => option.name() !== CONFIG).map((option) => [option.attributeName(), option]),
  );
  requireKnownFields(values, [...options.keys()], path);
  for (const [name, value] of Object.entries(values)) {
    if (parsed.getOptionValueSource(name) === 'cli') continue;
    parsed.setOptionValueWithSource(name, optionValue(options.get(name)!, value, `${path}: ${name}`), CONFIG);
  }
  // The parser has done this before it knew of the file.
  const isGiven = (name: string) => ['cli', CONFIG].includes(parsed.getOptionValueSource(name) ?? '');
  for (const [name, option] of options) {
    const { conflictsWith } = option as Option & { readonly conflictsWith: readonly string[] };
    const other = isGiven(name) ? conflictsWith.find(isGiven) : undefined;
    if (other !== undefined) throw new UsageError(`${path}: ${name} cannot be used with ${other}.`);
  }
}

function objectOf(content: string, path: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (cause) {
    throw new UsageError(`${path}: it is not valid JSON: ${(cause as Error).message}.`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new UsageError(`${path}: expected a JSON object, such as {"port": 8080, "data": "/var/lib/rdf-worlds"}.`);
}

/** The value of an option as its parser makes it of the text of the command line. */
function optionValue(option: Option, value: unknown, where: string): unknown {
  if (option.isBoolean()) {
    if (typeof value === 'boolean') return value;
    throw new UsageError(`${where}: expected true or false.`);
  }
  const { parseArg } = option;
  if (!parseArg) {
    if (typeof value === 'string') return value;
    throw new UsageError(`${where}: expected a text.`);
  }
  try {
    let made: unknown;
    for (const one of Array.isArray(value) ? value : [value]) {
      made = parseArg(typeof one === 'string' ? one : JSON.stringify(one), made as never);
    }
    if (typeof made === 'number' && typeof value !== 'number') throw new Error('Expected a number.');
    return made;
  } catch (cause) {
    throw new UsageError(`${where}: ${(cause as Error).message}`);
  }
}
