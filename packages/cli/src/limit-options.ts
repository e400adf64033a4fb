import { LIMITS, type LimitName, type LimitRow, type Limits } from '@rdf-worlds/http';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { integer } from './option-value.ts';

const ROWS = Object.entries(LIMITS) as readonly (readonly [LimitName, LimitRow])[];

/** An option for each limit of the service: `--max-body-bytes` for `maxBodyBytes`. */
export const LIMIT_OPTIONS: readonly Option[] = ROWS.map(([name, row]) =>
  new Option(`--${flagOf(name)} <N>`, `${row.bounds} (default: ${row.default})`).argParser(
    integer(0, Number.MAX_SAFE_INTEGER),
  ),
);

/** Returns the limits given on the command line. */
export function givenLimits(given: Arguments): Partial<Limits> {
  return Object.fromEntries(
    ROWS.flatMap(([name]) => {
      const value = given.integer(flagOf(name));
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns the flag of a limit, without the leading dashes. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
