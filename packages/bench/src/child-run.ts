import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** The root of the checkout; the same from `src` and from `dist`. */
export const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

const run = promisify(execFile);

/** The folder of this package's built `*-child` files: next to this file, if it is built. */
let children = import.meta.url.endsWith('.js') ? new URL('./', import.meta.url) : undefined;

/** Sets the folder of the `*-child` files; for tests, which run the sources. */
export function runChildrenOf(folder: string): void {
  children = pathToFileURL(`${folder}/`);
}

/** Returns the path of a built `*-child` file. */
export function childFile(name: string): string {
  if (!children) throw new Error('The child files are not built.');
  return fileURLToPath(new URL(`${name}.js`, children));
}

/**
 * Runs a `*-child` file in a fresh process with `work` as its argument, and returns its output
 * parsed as JSON. Rejects with the child's output if it fails.
 */
export async function runChild<Result>(name: string, work: unknown): Promise<Result> {
  return runNode([childFile(name), JSON.stringify(work)]);
}

/** Runs a `*-child` file on a worker thread. */
export function startThread(name: string, options: WorkerOptions): Worker {
  return new Worker(childFile(name), options);
}

/**
 * Runs Node with the given arguments in the root of the checkout, and returns its output parsed as
 * JSON.
 */
export async function runNode<Result>(nodeArguments: readonly string[]): Promise<Result> {
  const { stdout } = await run(process.execPath, nodeArguments, { cwd: CHECKOUT, maxBuffer: 1 << 26 });
  return JSON.parse(stdout) as Result;
}

/** Returns the argument that {@link runChild} passed to this process. */
export function childWork<Work>(): Work {
  return JSON.parse(process.argv[2]) as Work;
}
