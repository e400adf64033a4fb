import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the built app. */
    consoleApp: string;
  }
}

const CONFIG = fileURLToPath(new URL('../app/vite.config.ts', import.meta.url));

/** Builds the app once, from the sources, into a folder of the tests. */
export async function setup(project: TestProject): Promise<() => void> {
  const directory = mkdtempSync(join(tmpdir(), 'rdf-worlds-console-'));
  await build({ configFile: CONFIG, logLevel: 'error', build: { outDir: directory } });
  project.provide('consoleApp', directory);
  return () => rmSync(directory, { recursive: true, force: true });
}
