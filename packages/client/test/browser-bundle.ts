import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Returns the client as one module for browsers. Fails if it imports anything of Node. */
export async function browserBundle(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [source('client/src/index.ts')],
    alias: { '@rdf-worlds/core/remote': source('core/src/remote.ts') },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0].contents;
}
