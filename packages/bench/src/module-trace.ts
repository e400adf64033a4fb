/**
 * Traces the modules that a fresh process loads for one import, by package. The traced process runs
 * code given as text, because a file of this package would appear in the trace itself.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNode } from './child-run.ts';

/** Runs on the loader thread and reports every file before it is loaded. */
const HOOKS = `
let port;
export function initialize(data) { port = data.port; }
export async function load(url, context, next) {
  port.postMessage(url);
  return next(url, context);
}`;

const TRACED = `
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
const { port1, port2 } = new MessageChannel();
register('data:text/javascript,' + encodeURIComponent(HOOKS), { data: { port: port2 }, transferList: [port2] });
await import(TARGET);
const urls = new Set();
for (let message = receiveMessageOnPort(port1); message; message = receiveMessageOnPort(port1)) urls.add(message.message);
// What CommonJS files require passes no hook.
for (const file of Object.keys(createRequire(process.cwd() + '/').cache)) urls.add(pathToFileURL(file).href);
process.stdout.write(JSON.stringify([...urls]));
port1.close();`;

/** A package and the number of its files that were loaded. */
export interface LoadedPackage {
  readonly name: string;
  readonly files: number;
}

/**
 * Returns the packages that `import(target)` loads in a fresh process, most files first; Node's own
 * modules are excluded.
 */
export async function tracePackages(target: string): Promise<LoadedPackage[]> {
  const code = `const HOOKS = ${JSON.stringify(HOOKS)}; const TARGET = ${JSON.stringify(target)};${TRACED}`;
  const urls = await runNode<string[]>(['--input-type=module', '--eval', code]);
  const counts = new Map<string, number>();
  for (const url of urls) {
    if (!url.startsWith('file:')) continue;
    const name = packageOf(fileURLToPath(url));
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, files]) => ({ name, files }))
    .sort((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1));
}

/** Returns the name in the nearest package.json with a name; the file itself if there is none. */
function packageOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) {
      const { name } = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string };
      if (name) return name;
    }
    if (folder === dirname(folder)) return file;
  }
}
