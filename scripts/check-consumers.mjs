// Checks that programs of every kind find the packages and their types: `npm run check:consumers`, after `npm run build`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT, workspacePackages } from './workspace-packages.mjs';

/** Inside the checkout, so that imports resolve; ignored by git. */
const FOLDER = join(ROOT, '.cache', 'consumers');

const SPECIFIERS = workspacePackages()
  .filter(({ manifest }) => !manifest.private && !manifest.bin)
  .flatMap(({ name, manifest }) =>
    Object.entries(manifest.exports)
      .filter(([, target]) => typeof target === 'object')
      .map(([path]) => name + path.slice(1)),
  );

/** What a program does, with types that are wrong wherever they are not found. */
const PROGRAM = `
export async function answer(signal: AbortSignal | undefined, timeoutMs?: number): Promise<boolean> {
  const engine = await WorldsEngine.open({ logger: undefined, limits: undefined });
  await engine.createWorld({ slug: 'w', label: undefined, namespace: undefined });
  await engine.import({ source: 'w', data: '', contentType: undefined, signal });
  const found: boolean = await engine.ask({ sources: ['w'], query: 'ASK {}', signal, timeoutMs });
  await engine.close();
  return found;
}
export const everything = [${SPECIFIERS.map((_, i) => `package${i}`).join(', ')}];
// @ts-expect-error: no option has this name
export const wrong = WorldsEngine.open({ pathh: 'x' });
`;
const IMPORTS = `import { WorldsEngine } from '@rdf-worlds/core';\n${SPECIFIERS.map((specifier, i) => `import * as package${i} from '${specifier}';`).join('\n')}\n`;

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  types: ['node'],
  ignoreDeprecations: '6.0',
};
const { ModuleKind: Module, ModuleResolutionKind: Resolution } = ts;

/** How programs are compiled: the name, the file's extension, the options. */
const SETTINGS = [
  ['ES modules, node16', 'mts', { module: Module.Node16, moduleResolution: Resolution.Node16 }],
  ['CommonJS, node16', 'cts', { module: Module.Node16, moduleResolution: Resolution.Node16 }],
  ['CommonJS, nodenext', 'cts', { module: Module.NodeNext, moduleResolution: Resolution.NodeNext }],
  ['bundler', 'ts', { module: Module.ESNext, moduleResolution: Resolution.Bundler }],
  ['CommonJS, node10', 'ts', { module: Module.CommonJS, moduleResolution: Resolution.Node10 }],
];

function typeErrors([name, extension, options]) {
  const file = join(FOLDER, `consumer.${extension}`);
  writeFileSync(file, IMPORTS + PROGRAM);
  const program = ts.createProgram([file], { ...STRICT, ...options });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
}

/** Node itself, by `require` and by `import`. */
function loadErrors() {
  const code = (load) => `(async () => { for (const name of ${JSON.stringify(SPECIFIERS)}) ${load}; })()`;
  return ['require(name)', 'await import(name)'].flatMap((load) => {
    const file = join(FOLDER, 'consumer.cjs');
    writeFileSync(file, code(load));
    const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
    return status === 0 ? [] : [`${load}: ${stderr}`];
  });
}

mkdirSync(FOLDER, { recursive: true });
let problems;
try {
  problems = [...loadErrors(), ...SETTINGS.flatMap(typeErrors)];
} finally {
  rmSync(FOLDER, { recursive: true, force: true });
}
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? 'Programs of every kind find the packages.' : `${problems.length} problem(s).`);
process.exitCode = problems.length === 0 ? 0 : 1;
