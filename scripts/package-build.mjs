import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emitDeclarations } from './emit-declarations.mjs';
import { npm } from './npm.mjs';
import { ROOT, workspacePackages } from './workspace-packages.mjs';

const modifiedMs = (path) => statSync(path).mtimeMs;

function newestMs(directory) {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((newest, entry) => Math.max(newest, modifiedMs(join(entry.parentPath, entry.name))), 0);
}

/** Returns true if the build of a package is missing or older than its sources. */
function isStale({ directory }) {
  const dist = join(directory, 'dist');
  if (!existsSync(dist)) return true;
  const outputs = readdirSync(dist).filter((name) => /\.(js|d\.ts)$/.test(name));
  if (outputs.length === 0) return true;
  const builtMs = Math.min(...outputs.map((name) => modifiedMs(join(dist, name))));
  const sourceMs = Math.max(
    newestMs(join(directory, 'src')),
    // The page of the console.
    existsSync(join(directory, 'app')) ? newestMs(join(directory, 'app')) : 0,
    modifiedMs(join(directory, 'package.json')),
    modifiedMs(join(ROOT, 'tsup.config.ts')),
    modifiedMs(join(ROOT, 'tsconfig.json')),
    modifiedMs(join(ROOT, 'tsconfig.declarations.json')),
  );
  return builtMs < sourceMs;
}

/**
 * Blanks lines such as `import './chunk-X.js';`. The build leaves them to preserve the order
 * of side effects, which our modules do not have, and esbuild warns about each. The lines remain,
 * empty, because source maps count them.
 */
function removeBareImports({ directory, manifest }) {
  if (manifest.sideEffects !== false) return;
  const dist = join(directory, 'dist');
  for (const name of readdirSync(dist).filter((file) => /\.(js|d\.ts)$/.test(file))) {
    const text = readFileSync(join(dist, name), 'utf8');
    const without = text.replace(/^import ['"](?:\.\/|#)[^'"]*['"];$/gm, '');
    if (without !== text) writeFileSync(join(dist, name), without);
  }
}

/** ES-module-only packages whose types our declarations import. */
const ES_MODULES_ONLY = /^import (?:type )?(\{[^}]*\}) from (['"]jose['"]);$/gm;

/**
 * Adds the CommonJS entries and declarations. An entry is a single line that requires the ES
 * module, which Node supports since 20.19, so that only one copy of the code is loaded.
 * Declarations are copied, because TypeScript treats `.d.ts` as belonging to an ES module and
 * refuses to `require` it; the copies import each other, and ES-module-only packages with
 * `resolution-mode`.
 */
function addCommonJs({ directory, manifest }) {
  const dist = join(directory, 'dist');
  for (const name of readdirSync(dist).filter((file) => file.endsWith('.d.ts'))) {
    const text = readFileSync(join(dist, name), 'utf8');
    const copy = text
      .replace(/((?:from|import\()\s*['"]\.[^'"]*)\.js(['"])/g, '$1.cjs$2')
      .replace(ES_MODULES_ONLY, "import type $1 from $2 with { 'resolution-mode': 'import' };");
    writeFileSync(join(dist, name.replace(/\.d\.ts$/, '.d.cts')), copy);
  }
  for (const { require: target } of Object.values(manifest.exports)) {
    if (!target) continue;
    const entry = target.default.replace(/^.*\//, '').replace(/\.cjs$/, '.js');
    writeFileSync(join(directory, target.default), `'use strict';\nmodule.exports = require('./${entry}');\n`);
  }
}

/** Completes the build of a published package with the files that tsup does not produce. */
export function completeBuild(entry) {
  removeBareImports(entry);
  addCommonJs(entry);
}

/**
 * Builds every package with a `build` script, dependencies first; with `onlyStale`, only outdated
 * ones. Throws if a build fails.
 */
export function buildPackages({ onlyStale }) {
  for (const each of workspacePackages()) {
    if (!each.manifest.scripts?.build || (onlyStale && !isStale(each))) continue;
    // Once for all packages: tsup.config.ts reads the variable.
    process.env.RDF_WORLDS_DECLARATIONS ??= emitDeclarations();
    console.error(`Building ${each.name} ...`);
    npm(['run', 'build', '--silent'], { cwd: each.directory });
    if (!each.manifest.private) completeBuild(each);
  }
}
