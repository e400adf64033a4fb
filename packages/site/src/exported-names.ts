import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** Returns the names that a module exports, following `export *` to other files of its package. */
export function exportedNames(file: string): string[] {
  const names: string[] = [];
  for (const statement of ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest).statements) {
    if (ts.isExportDeclaration(statement)) {
      const from = statement.moduleSpecifier;
      if (statement.exportClause && ts.isNamedExports(statement.exportClause))
        names.push(...statement.exportClause.elements.map(({ name }) => name.text));
      else if (statement.exportClause && ts.isNamespaceExport(statement.exportClause))
        names.push(statement.exportClause.name.text);
      else if (from && ts.isStringLiteral(from) && from.text.startsWith('.'))
        names.push(...exportedNames(join(dirname(file), from.text)));
    } else if (isExported(statement)) {
      if (ts.isVariableStatement(statement))
        names.push(...statement.declarationList.declarations.map(({ name }) => (name as ts.Identifier).text));
      else names.push(((statement as ts.DeclarationStatement).name as ts.Identifier).text);
    }
  }
  return names;
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  );
}
