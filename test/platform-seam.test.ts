import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { loadsOf, ROOT, sourceFiles } from './source-imports.ts';

const CORE = 'packages/core/src/';
const NODE = `${CORE}platform/node.ts`;

const parsed = (file: string) =>
  ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);

/**
 * Globals that Node has and browsers do not, used without `globalThis.x?.`, which allows absence.
 */
const GLOBALS = new Set(['Buffer', 'setImmediate', 'clearImmediate', 'process', 'global', '__dirname']);

/** The uses of {@link GLOBALS} as values, with their lines. */
function globalsOf(file: string): string[] {
  const source = parsed(file);
  const declared = new Set<string>();
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportSpecifier(node) || (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)))
      declared.add((node.name as ts.Identifier).text);
    if (ts.isIdentifier(node) && GLOBALS.has(node.text) && !declared.has(node.text) && isValue(node))
      found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.text}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isTypeReferenceNode(parent) || ts.isTypeNode(parent) || ts.isQualifiedName(parent)) return false;
  const isName = 'name' in parent && parent.name === node;
  return !isName || ts.isShorthandPropertyAssignment(parent);
}

/** The modules of Node that a file loads, with `import()`. */
function nodeModulesOf(file: string): string[] {
  const lazy = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/[^f] import\('([^']+)'\)/g)].map(
    (match) => match[1]!,
  );
  return [...loadsOf(file), ...lazy].filter((specifier) => specifier.startsWith('node:'));
}

/** Methods of what Node returns where browsers return a number, such as timers. */
function methodsOf(file: string): string[] {
  return readFileSync(join(ROOT, file), 'utf8').match(/\.(?:unref|hasRef)\(\)/g) ?? [];
}

describe('what is Node’s in core', () => {
  const files = sourceFiles(CORE);

  it('is in one module', () => {
    const found = files
      .filter((file) => file !== NODE)
      .flatMap((file) => [...nodeModulesOf(file), ...globalsOf(file), ...methodsOf(file)]);
    expect(found).toEqual([]);
    expect(nodeModulesOf(NODE)).toContain('node:buffer');
    expect(nodeModulesOf(NODE)).toContain('node:fs');
    expect(globalsOf(NODE).length).toBeGreaterThan(0);
  });
});
