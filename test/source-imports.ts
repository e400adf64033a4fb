import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * The TypeScript files under a folder of the repository, as paths from its root with `/`, sorted.
 */
export function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** What a file imports, as written: static, dynamic and type imports, and re-exports. */
export function importsOf(file: string): string[] {
  return ts.preProcessFile(read(file), true, true).importedFiles.map((each) => each.fileName);
}

/**
 * What loads with a file: its imports and re-exports without `import type`, which leaves nothing
 * behind, and `import()`, which loads later.
 */
export function loadsOf(file: string): string[] {
  return ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest).statements.flatMap((statement) => {
    if (ts.isImportDeclaration(statement) && !statement.importClause?.isTypeOnly) return specifierOf(statement);
    if (ts.isExportDeclaration(statement) && !statement.isTypeOnly) return specifierOf(statement);
    return [];
  });
}

function specifierOf({ moduleSpecifier }: ts.ImportDeclaration | ts.ExportDeclaration): string[] {
  return moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? [moduleSpecifier.text] : [];
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** A relative import as a path from the root of the repository. */
export function resolveImport(file: string, specifier: string): string {
  return relative(ROOT, resolve(join(ROOT, dirname(file)), specifier))
    .split(sep)
    .join('/');
}
