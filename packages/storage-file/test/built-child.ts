import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

const source = (path: string, file = 'index') =>
  fileURLToPath(new URL(`../../${path}/src/${file}.ts`, import.meta.url));

/**
 * Builds a program, from sources to one file that Node starts at once; gives the file, in a new
 * directory. `entry` is its source.
 */
export async function builtChild(entry: URL): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'rdf-worlds-child-'));
  await build({
    entry: { child: fileURLToPath(entry) },
    outDir,
    format: 'esm',
    target: 'node20',
    platform: 'node',
    config: false,
    silent: true,
    noExternal: [/./],
    outExtension: () => ({ js: '.mjs' }),
    // Dependencies in CommonJS ask for the modules of Node in its way.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    esbuildOptions: (options) => {
      options.alias = {
        '@rdf-worlds/core': source('core'),
        '@rdf-worlds/core/plugin': source('core', 'plugin'),
        '@rdf-worlds/core/internal': source('core', 'internal'),
        '@rdf-worlds/core/embedders': source('core', 'embedders'),
        '@rdf-worlds/storage-file': source('storage-file'),
        '@rdf-worlds/testkit': source('testkit'),
      };
    },
  });
  return join(outDir, 'child.mjs');
}

export interface StartedChild {
  readonly child: ChildProcess;
  /** The lines that it printed so far. */
  readonly lines: string[];
  /**
   * Resolves to the signal that ended it, or its exit code, and fails the test with what it wrote
   * to standard error otherwise than by a kill.
   */
  readonly ended: Promise<NodeJS.Signals | number | null>;
  /** Resolves when it has printed a line that begins so. */
  printed(prefix: string): Promise<string>;
}

export function startChild(
  file: string,
  args: readonly string[],
  program = process.execPath,
  env: NodeJS.ProcessEnv = {},
): StartedChild {
  const child = spawn(program, [file, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const lines: string[] = [];
  const waiting: { prefix: string; resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  let rest = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop()!;
    for (const line of parts) {
      lines.push(line);
      for (const each of waiting) if (line.startsWith(each.prefix)) each.resolve(line);
    }
  });
  const ended = new Promise<NodeJS.Signals | number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const each of waiting)
        each.reject(new Error(`It ended (${signal ?? code}) and did not print ${each.prefix}.`));
      resolve(signal ?? code);
    });
  });
  const printed = (prefix: string) =>
    new Promise<string>((resolve, reject) => {
      const line = lines.find((each) => each.startsWith(prefix));
      if (line !== undefined) resolve(line);
      else waiting.push({ prefix, resolve, reject });
    });
  return { child, lines, ended, printed };
}
