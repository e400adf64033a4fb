// Checks the packages as they would be published: `npm run check:packages`, after `npm run build`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packPackage } from './pack-package.mjs';
import { workspacePackages } from './workspace-packages.mjs';

const bareName = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** Returns the imports of published code that package.json does not declare. */
function undeclaredImports({ directory, manifest }, files) {
  const declared = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }));
  const problems = [];
  for (const file of files.filter((path) => /\.(js|d\.ts)$/.test(path))) {
    const code = readFileSync(join(directory, file), 'utf8');
    // In the build output, import statements start at the beginning of a line; comments and strings
    // do not look like them.
    const specifiers = new Set([
      ...[...code.matchAll(/^(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*['"]([^'"]+)['"]/gm)].map((match) => match[1]),
      ...[...code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map((match) => match[1]),
      ...[...code.matchAll(/\bcreateRequire\([^)]*\)\(\s*['"]([^'"]+)['"]/g)].map((match) => match[1]),
    ]);
    for (const specifier of specifiers) {
      if (specifier.startsWith('.') || specifier.startsWith('node:') || builtinModules.includes(specifier)) continue;
      if (specifier.startsWith('#') && Object.hasOwn(manifest.imports ?? {}, specifier)) continue;
      if (!declared.has(bareName(specifier)))
        problems.push(`${file} imports ${specifier}, which package.json does not declare`);
    }
  }
  return problems;
}

/**
 * Returns the build files that contain code of other packages. The build externalises what
 * package.json declares, so such code is an undeclared dependency.
 */
function bundledCode({ directory }, files) {
  const own = join(directory, 'src') + sep;
  return files
    .filter((path) => path.endsWith('.js.map'))
    .flatMap((path) => {
      const { sources } = JSON.parse(readFileSync(join(directory, path), 'utf8'));
      const foreign = sources.filter((source) => {
        const file = resolve(directory, dirname(path), source);
        return !file.startsWith(own) || !existsSync(file);
      });
      if (foreign.length === 0) return [];
      return `${path.replace(/\.map$/, '')} bundles ${foreign.length} files that are not of this package, such as ${foreign[0]}`;
    });
}

async function check(entry, destination) {
  const { manifest } = entry;
  const { tarball, files } = packPackage(entry, destination);
  // A command package has programs in place of entry points.
  const entries = manifest.bin
    ? Object.values(manifest.bin).map((path) => path.replace(/^\.\//, ''))
    : ['dist/index.js', 'dist/index.d.ts'];
  const problems = [...entries, 'LICENSE', 'README.md']
    .filter((file) => !files.includes(file))
    .map((file) => `${file} is not published`);
  problems.push(...undeclaredImports(entry, files), ...bundledCode(entry, files));

  const bytes = readFileSync(tarball);
  const { messages } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
  });
  problems.push(
    ...messages.map((message) => `publint ${message.type}: ${formatMessage(message, manifest, { color: false })}`),
  );

  // In this process, because starting its command for each package takes longer than the checks.
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
  if (analysis.types) problems.push(...analysis.problems.map((problem) => `attw: ${JSON.stringify(problem)}`));
  return problems;
}

const destination = mkdtempSync(join(tmpdir(), 'rdf-worlds-pack-'));
let failed = 0;
try {
  for (const entry of workspacePackages().filter(({ manifest }) => !manifest.private)) {
    const problems = await check(entry, destination);
    console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${entry.name}`);
    for (const problem of problems) console.log(`     ${problem.replaceAll('\n', '\n     ')}`);
    if (problems.length > 0) failed++;
  }
} finally {
  rmSync(destination, { recursive: true, force: true });
}
console.log(failed === 0 ? 'All packages can be published.' : `${failed} package(s) cannot be published.`);
process.exitCode = failed === 0 ? 0 : 1;
