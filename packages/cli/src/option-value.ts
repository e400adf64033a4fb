import { InvalidArgumentError } from 'commander';

/** A parser of option values: integers, both ends included. It throws for anything else. */
export function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected an integer from ${least} to ${most}.`);
  };
}

/**
 * A parser of option values: one after the other, for an option that can be given several times.
 */
export function several(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
