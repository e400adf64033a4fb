// Checks that programs of every module system find the packages and their types:
// `npm run check:consumers`, after `npm run build`.
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

/** A program whose types are wrong wherever the declarations are not found. */
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
  noPropertyAccessFromIndexSignature: true,
  isolatedModules: true,
  skipLibCheck: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  types: ['node'],
  ignoreDeprecations: '6.0',
};
/** Type-checks our declarations, not only the program's use of them. */
const LIBRARIES = { skipLibCheck: false };
const { ModuleKind: Module, ModuleResolutionKind: Resolution } = ts;

/** Compiler settings: name, file extension, options. */
const SETTINGS = [
  ['ES modules, node16', 'mts', { module: Module.Node16, moduleResolution: Resolution.Node16, ...LIBRARIES }],
  ['CommonJS, node16', 'cts', { module: Module.Node16, moduleResolution: Resolution.Node16, ...LIBRARIES }],
  ['CommonJS, nodenext', 'cts', { module: Module.NodeNext, moduleResolution: Resolution.NodeNext }],
  ['bundler', 'ts', { module: Module.ESNext, moduleResolution: Resolution.Bundler }],
  ['CommonJS, node10', 'ts', { module: Module.CommonJS, moduleResolution: Resolution.Node10 }],
];

const isForeign = (file) => file !== undefined && /\/node_modules\/(?!@rdf-worlds\/)/.test(file.fileName);

function compile([, extension, options]) {
  const file = join(FOLDER, `consumer.${extension}`);
  writeFileSync(file, IMPORTS + PROGRAM);
  return ts.createProgram([file], { ...STRICT, ...options });
}

function typeErrors(setting, program) {
  // Only of our declarations and the program: those of Node and other packages take most of the
  // time.
  const own = program.getSourceFiles().filter((file) => !isForeign(file));
  return [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ]
    .filter(({ file }) => !isForeign(file))
    .map(({ file, start, messageText }) => {
      const at = file ? `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1}: ` : '';
      return `${setting[0]}: ${at}${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
}

/**
 * Types that callers receive but never construct; exactOptionalPropertyTypes makes no difference
 * for them.
 */
const RETURNED = new Set([
  'AuditEntry',
  'CheckResult',
  'EngineHealth',
  'EngineStats',
  'ExceededQuota',
  'MetricRow',
  'NumberRule',
  'PlanNode',
  'QueryPlan',
  'RdfFormat',
  'SparqlHead',
  'SparqlValue',
  'TripleSearchResult',
  'World',
  'WorldsError',
]);

/**
 * Returns the optional properties of exported options and parameters that reject `undefined` under
 * exactOptionalPropertyTypes.
 */
function narrowOptions(program) {
  const checker = program.getTypeChecker();
  const takesUndefined = (type) =>
    (type.isUnion() ? type.types : [type]).some(
      ({ flags }) => flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Any | ts.TypeFlags.Unknown),
    );
  const found = new Set();
  const visit = (node, path) => {
    const here = node.name && !ts.isParameter(node) ? [...path, node.name.getText()] : path;
    if (ts.isPropertySignature(node) && node.questionToken && node.type)
      if (!takesUndefined(checker.getTypeFromTypeNode(node.type))) found.add(here.join('.'));
    ts.forEachChild(node, (child) => visit(child, here));
  };
  const entries = program
    .getSourceFile(join(FOLDER, `consumer.${SETTINGS[0][1]}`))
    .statements.filter(ts.isImportDeclaration);
  for (const { moduleSpecifier } of entries)
    for (const exported of checker.getExportsOfModule(checker.getSymbolAtLocation(moduleSpecifier))) {
      if (RETURNED.has(exported.name)) continue;
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      for (const declaration of symbol.declarations ?? [])
        if (!isForeign(declaration.getSourceFile())) visit(declaration, []);
    }
  return [...found].map((property) => `${property}: its type needs "| undefined", for exactOptionalPropertyTypes`);
}

/** Loads the packages in Node, with `require` and with `import`. */
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
  problems = loadErrors();
  for (const setting of SETTINGS) {
    const program = compile(setting);
    problems.push(...typeErrors(setting, program));
    if (setting === SETTINGS[0]) problems.push(...narrowOptions(program));
  }
} finally {
  rmSync(FOLDER, { recursive: true, force: true });
}
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? 'Programs of every kind find the packages.' : `${problems.length} problem(s).`);
process.exitCode = problems.length === 0 ? 0 : 1;
