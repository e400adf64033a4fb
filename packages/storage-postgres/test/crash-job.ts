/** Worlds that the workers of a crash test write to, one each. */
export const WORLDS: readonly string[] = ['one/a', 'one/b', 'two/a', 'two/b'];

export interface CrashJob {
  /** Of the server. */
  readonly address: { readonly host: string; readonly user: string; readonly database: string };
  readonly schema: string;
  readonly marksPath: string;
  readonly seed: number;
  /** The worlds of the workers. */
  readonly worlds: readonly string[];
  /** The number of the first step of each worker. */
  readonly starts: readonly number[];
}

/** A step of a worker that was begun or acknowledged. */
export interface CrashMark {
  readonly is: 'begun' | 'done';
  readonly worker: number;
  readonly step: number;
}

/**
 * The update of a step: inserts its number, and deletes every number that is then five steps old.
 */
export function updateOfStep(step: number): string {
  const insert = `INSERT DATA { <urn:s:${step}> <urn:step> ${step} }`;
  return step % 3 ? insert : `${insert}; DELETE WHERE { <urn:s:${step - 5}> ?p ?o }`;
}

/** The numbers that a world holds after its steps up to `last`. */
export function stepsAfter(last: number): number[] {
  const numbers = new Set<number>();
  for (let step = 0; step <= last; step++) {
    numbers.add(step);
    if (step % 3 === 0) numbers.delete(step - 5);
  }
  return [...numbers];
}
