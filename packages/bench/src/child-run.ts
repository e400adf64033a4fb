import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Of the checkout; the same from `src` and from `dist`. */
export const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

const run = promisify(execFile);

/**
 * Runs a `*-child` file of this package in a fresh process and returns what it printed, as JSON; `work` is its one argument.
 * Rejects when it fails, with what it said.
 */
export async function runChild<Result>(name: string, work: unknown): Promise<Result> {
  // The built benchmarks run on plain Node; from the sources, as tests do it, a loader compiles.
  const isBuilt = import.meta.url.endsWith('.js');
  const file = fileURLToPath(new URL(`./${name}${isBuilt ? '.js' : '.ts'}`, import.meta.url));
  return runNode([...(isBuilt ? [] : ['--import', 'tsx']), file, JSON.stringify(work)]);
}

/** Runs Node on the given arguments, in the root of the checkout, and returns what it printed, as JSON. */
export async function runNode<Result>(nodeArguments: readonly string[]): Promise<Result> {
  const { stdout } = await run(process.execPath, nodeArguments, { cwd: CHECKOUT, maxBuffer: 1 << 26 });
  return JSON.parse(stdout) as Result;
}

/** The argument that {@link runChild} gave to this process. */
export function childWork<Work>(): Work {
  return JSON.parse(process.argv[2]) as Work;
}
