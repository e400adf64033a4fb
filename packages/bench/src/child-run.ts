import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Of the checkout; the same from `src` and from `dist`. */
export const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

const run = promisify(execFile);

/**
 * Where the `*-child` files of this package are as Node runs them: beside this file, when it is
 * built.
 */
let children = import.meta.url.endsWith('.js') ? new URL('./', import.meta.url) : undefined;

/** Tests run on the sources, and say where they have the `*-child` files built. */
export function runChildrenOf(folder: string): void {
  children = pathToFileURL(`${folder}/`);
}

/** A `*-child` file of this package, as Node runs it. */
export function childFile(name: string): string {
  if (!children) throw new Error('The child files are not built.');
  return fileURLToPath(new URL(`${name}.js`, children));
}

/**
 * Runs a `*-child` file of this package in a fresh process and returns what it printed, as JSON;
 * `work` is its one argument. Rejects when it fails, with what it said.
 */
export async function runChild<Result>(name: string, work: unknown): Promise<Result> {
  return runNode([childFile(name), JSON.stringify(work)]);
}

/** Runs a `*-child` file of this package on a thread of this process. */
export function startThread(name: string, options: WorkerOptions): Worker {
  return new Worker(childFile(name), options);
}

/**
 * Runs Node on the given arguments, in the root of the checkout, and returns what it printed, as
 * JSON.
 */
export async function runNode<Result>(nodeArguments: readonly string[]): Promise<Result> {
  const { stdout } = await run(process.execPath, nodeArguments, { cwd: CHECKOUT, maxBuffer: 1 << 26 });
  return JSON.parse(stdout) as Result;
}

/** The argument that {@link runChild} gave to this process. */
export function childWork<Work>(): Work {
  return JSON.parse(process.argv[2]) as Work;
}
