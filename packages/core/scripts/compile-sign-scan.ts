import { readFileSync } from 'node:fs';
import { main } from 'assemblyscript/asc';

const SOURCE = 'sign-scan.ts';
const OPTIONS = ['-O3', '--runtime', 'stub', '--importMemory', '--noAssert', '--enable', 'simd'];

export const GENERATED = new URL('../src/search/vector/sign-scan.generated.ts', import.meta.url);

/**
 * What `src/search/vector/sign-scan.generated.ts` is: `assembly/sign-scan.ts`, compiled to
 * WebAssembly and written as base64.
 */
export async function compileSignScan(): Promise<string> {
  const output: { wasm?: Uint8Array } = {};
  const { error, stderr } = await main([SOURCE, '--outFile', 'sign-scan.wasm', ...OPTIONS], {
    readFile: (name) =>
      name === SOURCE ? readFileSync(new URL(`../assembly/${SOURCE}`, import.meta.url), 'utf8') : null,
    writeFile: (_, contents) => {
      output.wasm = contents as Uint8Array;
    },
    listFiles: () => [],
  });
  if (error || !output.wasm) throw new Error(`${SOURCE} does not compile:\n${stderr.toString()}`, { cause: error });
  const lines = Buffer.from(output.wasm)
    .toString('base64')
    .match(/.{1,112}/g)!;
  return [
    '// Made by scripts/write-sign-scan.ts from assembly/sign-scan.ts: change that one.',
    '',
    '/** A WebAssembly module, in base64. */',
    'export const SIGN_SCAN_WASM =',
    `${lines.map((line) => `  '${line}'`).join(' +\n')};`,
    '',
  ].join('\n');
}
