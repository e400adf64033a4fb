import { LIMITS, type LimitName, type LimitRow, type Limits } from '@rdf-worlds/http';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { integer } from './option-value.ts';

const NAMES = Object.keys(LIMITS) as readonly LimitName[];

/** Returns the option of one limit of the service: `--max-body-bytes` for `maxBodyBytes`. */
export function limitOption(name: LimitName, byDefault: number | string = LIMITS[name].default): Option {
  const { bounds }: LimitRow = LIMITS[name];
  return new Option(`--${flagOf(name)} <N>`, `${bounds} (default: ${byDefault})`).argParser(
    integer(0, Number.MAX_SAFE_INTEGER),
  );
}

/** An option for each limit of the service. */
export const LIMIT_OPTIONS: readonly Option[] = NAMES.map((name) => limitOption(name));

/** Returns the limits given on the command line, of those that the command has options for. */
export function givenLimits(given: Arguments, names: readonly LimitName[] = NAMES): Partial<Limits> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = given.knows(flagOf(name)) ? given.integer(flagOf(name)) : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns the flag of a limit, without the leading dashes. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
