import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Of the checkout; the same from `src` and from `dist`. */
export const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

const run = promisify(execFile);

/** A `*-child` file of this package, and what Node needs to run it: what is built runs as it is; the sources, which tests run on, need a loader. */
export function childFile(name: string): { readonly file: string; readonly execArgv: readonly string[] } {
  const isBuilt = import.meta.url.endsWith('.js');
  const file = fileURLToPath(new URL(`./${name}${isBuilt ? '.js' : '.ts'}`, import.meta.url));
  return { file, execArgv: isBuilt ? [] : ['--import', 'tsx'] };
}

/**
 * Runs a `*-child` file of this package in a fresh process and returns what it printed, as JSON; `work` is its one argument.
 * Rejects when it fails, with what it said.
 */
export async function runChild<Result>(name: string, work: unknown): Promise<Result> {
  const { file, execArgv } = childFile(name);
  return runNode([...execArgv, file, JSON.stringify(work)]);
}

/** Runs a `*-child` file of this package on a thread of this process. */
export function startThread(name: string, options: WorkerOptions): Worker {
  const { file, execArgv } = childFile(name);
  if (execArgv.length === 0) return new Worker(file, options);
  // A thread takes no loader from `execArgv`.
  const start = `import('tsx/esm/api').then(({ register }) => {
    register();
    return import(${JSON.stringify(pathToFileURL(file))});
  })`;
  return new Worker(start, { ...options, eval: true });
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
