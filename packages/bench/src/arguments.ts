import { parseArgs } from 'node:util';
import type { Benchmark } from './benchmark.ts';
import type { FileOption, IntegerOption, Options, OptionValues } from './option.ts';

/** What the user typed cannot be run; the message says why and what would do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface ParsedArguments {
  /** Undefined: show the usage. */
  readonly benchmark: Benchmark | undefined;
  readonly values: OptionValues<Options>;
}

/** Reads `<name> [--option value]...`. Throws {@link UsageError} for an unknown name or option, and for a value that does not fit. */
export function parseArguments(argv: readonly string[], benchmarks: readonly Benchmark[]): ParsedArguments {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h') return { benchmark: undefined, values: {} };
  const benchmark = benchmarks.find((each) => each.name === name);
  if (!benchmark) {
    const names = benchmarks.map((each) => each.name).join(', ');
    throw new UsageError(`There is no benchmark ${JSON.stringify(name)}; there are: ${names}.`);
  }
  const options = Object.entries(benchmark.options);
  const given = readOptions(
    rest,
    options.map(([option]) => option),
  );
  if (given.has('help')) return { benchmark: undefined, values: {} };
  const values = options.map(([option, row]) => [option, readValue(option, row, given.get(option))]);
  return { benchmark, values: Object.fromEntries(values) };
}

function readOptions(argv: readonly string[], names: readonly string[]): ReadonlyMap<string, string | boolean> {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        help: { type: 'boolean', short: 'h' },
        ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
      },
    });
    return new Map(Object.entries(values as Record<string, string | boolean>));
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
}

function readValue(name: string, row: IntegerOption | FileOption, given: string | boolean | undefined) {
  if (row.kind === 'file') return given;
  if (given === undefined) return row.default;
  const digits = String(given).replaceAll(/(?<=\d)[_,](?=\d{3})/g, '');
  const value = Number(digits);
  if (!/^\d+$/.test(digits) || !Number.isSafeInteger(value) || value < row.min) {
    throw new UsageError(`--${name} takes an integer from ${row.min} on, not ${JSON.stringify(given)}.`);
  }
  return value;
}

export function usage(benchmarks: readonly Benchmark[]): string {
  const lines = ['Usage: npm run bench -- <name> [options]'];
  for (const { name, summary, options } of benchmarks) {
    lines.push('', `  ${name}: ${summary}`);
    const rows = Object.entries(options);
    for (const [option, row] of rows) {
      const form = `--${option} ${row.kind === 'file' ? 'path' : 'n'}`;
      const fallback = row.kind === 'integer' ? ` (${row.default.toLocaleString('en-US')})` : '';
      lines.push(`    ${form.padEnd(16)} ${row.meaning}${fallback}`);
    }
  }
  return lines.join('\n');
}
