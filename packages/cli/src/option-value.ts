import { InvalidArgumentError } from 'commander';

/**
 * Returns an option parser for integers in an inclusive range. The parser throws for any other
 * text.
 */
export function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected an integer from ${least} to ${most}.`);
  };
}

/** Option parser that collects the values of a repeatable option. */
export function several(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
