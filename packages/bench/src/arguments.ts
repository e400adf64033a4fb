import { parseArgs } from 'node:util';
import type { Benchmark } from './benchmark.ts';
import type { IntegerOption, Option, Options, OptionValues } from './option.ts';

/** An invalid command line; the message says what is wrong and what is accepted. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface ParsedArguments {
  /** Undefined: show the usage. */
  readonly benchmark: Benchmark | undefined;
  readonly values: OptionValues<Options>;
}

/**
 * Parses `<name> [--option value]...`. Throws {@link UsageError} for an unknown name or option and
 * for an invalid value.
 */
export function parseArguments(argv: readonly string[], benchmarks: readonly Benchmark[]): ParsedArguments {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h') return { benchmark: undefined, values: {} };
  const benchmark = benchmarks.find((each) => each.name === name);
  if (!benchmark) {
    const names = benchmarks.map((each) => each.name).join(', ');
    throw new UsageError(`There is no benchmark ${JSON.stringify(name)}; there are: ${names}.`);
  }
  const options = Object.entries(benchmark.options);
  const given = readOptions(rest, options);
  if (given.has('help')) return { benchmark: undefined, values: {} };
  const values = options.map(([option, row]) => [option, readValue(option, row, given.get(option))]);
  return { benchmark, values: Object.fromEntries(values) };
}

function readOptions(
  argv: readonly string[],
  options: readonly (readonly [string, Option])[],
): ReadonlyMap<string, string | boolean> {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        help: { type: 'boolean', short: 'h' },
        ...Object.fromEntries(
          options.map(([name, { kind }]) => [name, { type: kind === 'flag' ? 'boolean' : 'string' } as const]),
        ),
      },
    });
    return new Map(Object.entries(values as Record<string, string | boolean>));
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
}

function readValue(name: string, row: Option, given: string | boolean | undefined) {
  switch (row.kind) {
    case 'file':
      return given;
    case 'flag':
      return given === true;
    case 'integer':
      return given === undefined ? row.default : readInteger(name, row, String(given));
    case 'choice':
    case 'choices': {
      const words = String(given ?? row.default).split(',');
      const isKnown = words.every((word) => row.choices.includes(word));
      if (!isKnown || new Set(words).size < words.length || (row.kind === 'choice' && words.length > 1)) {
        const what = row.kind === 'choice' ? 'one of' : 'some of, with commas between:';
        throw new UsageError(`--${name} takes ${what} ${row.choices.join(', ')}; not ${JSON.stringify(given)}.`);
      }
      return row.kind === 'choice' ? words[0] : words;
    }
  }
}

function readInteger(name: string, { min }: IntegerOption, given: string): number {
  const digits = given.replaceAll(/(?<=\d)[_,](?=\d{3})/g, '');
  const value = Number(digits);
  if (!/^\d+$/.test(digits) || !Number.isSafeInteger(value) || value < min) {
    throw new UsageError(`--${name} takes an integer from ${min} on, not ${JSON.stringify(given)}.`);
  }
  return value;
}

export function usage(benchmarks: readonly Benchmark[]): string {
  const lines = ['Usage: npm run bench -- <name> [options]'];
  for (const { name, summary, options } of benchmarks) {
    lines.push('', `  ${name}: ${summary}`);
    const rows = Object.entries(options);
    for (const [option, row] of rows) {
      const form = `--${option} ${VALUE_FORMS[row.kind]}`;
      lines.push(`    ${form.padEnd(16)} ${row.meaning}${rangeOf(row)}`);
    }
  }
  return lines.join('\n');
}

const VALUE_FORMS: Readonly<Record<Option['kind'], string>> = {
  integer: 'n',
  file: 'path',
  choice: 'word',
  choices: 'words',
  flag: '',
};

/** Returns the accepted values and the default of an option, unless its meaning states them. */
function rangeOf(row: Option): string {
  switch (row.kind) {
    case 'integer':
      return ` (${row.default.toLocaleString('en-US')})`;
    case 'choice':
    case 'choices':
      return `: ${row.choices.join(', ')} (${row.default})`;
    default:
      return '';
  }
}
