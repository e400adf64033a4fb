import { requireKnownFields } from '@rdf-worlds/core/plugin';
import { Option, type Command as Program } from 'commander';
import { readGuarded } from './guarded-file.ts';
import { UsageError } from './usage-error.ts';

/** The name of the option for a file with further options. */
export const CONFIG = 'config';

/**
 * For commands that use a server, a directory or a database: one file tells all of them where the
 * worlds are.
 */
export const CLIENT_CONFIG_OPTION = new Option(
  `--${CONFIG} <FILE>`,
  'read url, data or storage, token, namespace and world from a JSON file',
).env('RDF_WORLDS_CONFIG');
const CLIENT_FIELDS: readonly string[] = ['url', 'data', 'storage', 'token', 'namespace', 'world'];

/**
 * Sets a command's options from a JSON object, whose fields are option names in camel case, such as
 * `maxBodyBytes` for `--max-body-bytes`. The command line and environment variables take
 * precedence. Throws `UsageError` if the file is not such an object or a value is invalid, and
 * `INVALID_ARGUMENT` for an unknown field, suggesting the nearest known one.
 */
export async function applyConfigFile(parsed: Program, path: string): Promise<void> {
  const { content } = await readGuarded(path);
  const given = objectOf(content, path);
  const values = parsed.options.includes(CLIENT_CONFIG_OPTION) ? clientValues(parsed, given, path) : given;
  const options = new Map(
    parsed.options.filter((option) => option.name() !== CONFIG).map((option) => [option.attributeName(), option]),
  );
  requireKnownFields(values, [...options.keys()], path);
  for (const [name, value] of Object.entries(values)) {
    if (['cli', 'env'].includes(parsed.getOptionValueSource(name) ?? '')) continue;
    parsed.setOptionValueWithSource(name, optionValue(options.get(name)!, value, `${path}: ${name}`), CONFIG);
  }
  // Conflicts are checked here, because the parser checked them before the file was read.
  const isGiven = (name: string) => ['cli', CONFIG].includes(parsed.getOptionValueSource(name) ?? '');
  for (const [name, option] of options) {
    const { conflictsWith } = option as Option & { readonly conflictsWith: readonly string[] };
    const other = isGiven(name) ? conflictsWith.find(isGiven) : undefined;
    if (other !== undefined) throw new UsageError(`${path}: ${name} cannot be used with ${other}.`);
  }
}

/** Returns the fields of a shared client file for which this command has options. */
function clientValues(parsed: Program, values: Fields, path: string): Fields {
  requireKnownFields(values, CLIENT_FIELDS, path);
  const names = new Set(parsed.options.map((option) => option.attributeName()));
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}

type Fields = Readonly<Record<string, unknown>>;

function objectOf(content: string, path: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (cause) {
    // The parser's message may quote the file, which may hold a token or a password.
    const [place = ''] = /at position \d+( \(line \d+ column \d+\))?/.exec((cause as Error).message) ?? [];
    throw new UsageError(`${path}: it is not valid JSON${place && `: see ${place.slice('at '.length)}`}.`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new UsageError(`${path}: expected a JSON object, such as {"port": 8080, "data": "/var/lib/rdf-worlds"}.`);
}

/** Converts a JSON value with the option's own parser for command-line text. */
function optionValue(option: Option, value: unknown, where: string): unknown {
  if (option.isBoolean()) {
    if (typeof value === 'boolean') return value;
    throw new UsageError(`${where}: expected true or false.`);
  }
  const { parseArg } = option;
  if (!parseArg) {
    if (typeof value === 'string') return value;
    throw new UsageError(`${where}: expected a string.`);
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
