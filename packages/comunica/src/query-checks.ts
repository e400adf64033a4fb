import { WorldsError } from '@rdf-worlds/core';
import type * as Ast from '@traqula/rules-sparql-1-2';
import { locationOf, type SyntaxNode, walk } from './syntax-tree.ts';
import type { Toolbox } from './toolbox.ts';

/**
 * Characters not allowed in an IRI (SPARQL 1.1 grammar rule 139); escapes could bypass the lexer's
 * check.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const NOT_IN_IRI = /[\u0000-\u0020<>"{}|^`\\]/u;

type Report = (node: SyntaxNode, message: string) => never;

interface Names {
  /** Adds the variables that a pattern brings into scope (SPARQL 1.1 section 18.2.1). */
  readonly inScope: (pattern: unknown, into: Set<string>) => void;
  readonly report: Report;
}

const asNodes = (value: unknown): readonly SyntaxNode[] => (Array.isArray(value) ? value : []);
const isVariable = (node: SyntaxNode) => node.type === 'term' && node.subType === 'variable';
const nameOf = (node: SyntaxNode) => node['value'] as string;

/**
 * "The variable introduced by the BIND clause must not have been used in the group graph pattern up
 * to the point of use" (section 10.1).
 */
function checkBinds(group: SyntaxNode, { inScope, report }: Names): void {
  const before = new Set<string>();
  for (const pattern of asNodes(group['patterns'])) {
    if (pattern.subType !== 'bind') {
      inScope(pattern, before);
      continue;
    }
    const variable = pattern['variable'] as SyntaxNode;
    if (before.has(nameOf(variable)))
      report(variable, `BIND cannot assign ?${nameOf(variable)}: it already has a value`);
    before.add(nameOf(variable));
  }
}

/**
 * SPARQL 1.1 section 18.2.4.4: the variable of `(expression AS ?x)` must be new; likewise in GROUP
 * BY.
 */
function checkAliases(query: SyntaxNode, groupings: readonly SyntaxNode[], { inScope, report }: Names): void {
  const visible = new Set<string>();
  if (query['where']) inScope(query['where'], visible);
  for (const item of [...asNodes(query['variables']), ...groupings]) {
    const variable = item['variable'] as SyntaxNode | undefined;
    if (variable && visible.has(nameOf(variable))) {
      report(variable, `AS cannot assign ?${nameOf(variable)}: the pattern already gives it a value`);
    }
  }
}

function isAggregated(parts: readonly unknown[]): boolean {
  let found = false;
  for (const part of parts) {
    walk(part, (node) => {
      if (node.subType === 'aggregate') found = true;
      // Aggregates of a query inside EXISTS belong to that query.
      return node.subType !== 'patternOperation';
    });
  }
  return found;
}

/**
 * Section 11.4: a variable of an aggregate query that is not a group key can be used only inside an
 * aggregate.
 */
function checkGrouping(query: SyntaxNode, groupings: readonly SyntaxNode[], { report }: Names): void {
  const modifiers = query['solutionModifiers'] as Record<string, unknown>;
  const selected = asNodes(query['variables']);
  if (!modifiers['group'] && !isAggregated([...selected, modifiers['having'], modifiers['order']])) return;
  const keys = new Set(
    groupings.flatMap((grouping) => {
      const key = (grouping['variable'] as SyntaxNode | undefined) ?? grouping;
      return isVariable(key) ? [nameOf(key)] : [];
    }),
  );
  for (const item of selected) {
    const alias = item['variable'] as SyntaxNode | undefined;
    walk(alias ? item['expression'] : item, (node) => {
      if (node.subType === 'aggregate' || node.subType === 'patternOperation') return false;
      if (isVariable(node) && !keys.has(nameOf(node))) {
        report(node, `?${nameOf(node)} is not a key of GROUP BY: aggregate it, or group by it`);
      }
      return undefined;
    });
    if (alias) keys.add(nameOf(alias));
  }
}

/**
 * Blank nodes are not allowed in deletions (SPARQL 1.1 section 19.8, note 10); lists consist of
 * them.
 */
function checkDeletion(deleted: unknown, report: Report): void {
  walk(deleted, (node) => {
    const blank =
      node.subType === 'blankNode' || (node.type === 'tripleCollection' && node.subType !== 'reifiedTriple');
    if (blank) report(node, 'Blank nodes cannot be deleted by name: use a variable');
    return undefined;
  });
}

function checkValues(values: SyntaxNode, report: Report): void {
  const seen = new Set<string>();
  for (const variable of asNodes(values['variables'])) {
    if (seen.has(nameOf(variable))) report(variable, `VALUES names ?${nameOf(variable)} twice`);
    seen.add(nameOf(variable));
  }
}

/**
 * Checks rules of SPARQL 1.1 that the grammar cannot express and the parser does not check. Throws
 * INVALID_SPARQL.
 */
export function checkQueries(toolbox: Toolbox, text: string, ast: Ast.SparqlQuery): void {
  const report: Report = (node, message) => {
    throw new WorldsError('INVALID_SPARQL', `The SPARQL text is not well-formed: ${message}`, {
      location: locationOf(text, node),
    });
  };
  const inScope = (pattern: unknown, into: Set<string>) =>
    toolbox.rules.findPatternBoundedVars(pattern as Parameters<typeof toolbox.rules.findPatternBoundedVars>[0], into);
  const names: Names = { inScope, report };
  walk(ast, (node) => {
    if (node.type === 'pattern' && node.subType === 'values') checkValues(node, report);
    if (node.type === 'pattern') checkBinds(node, names);
    if (node.type === 'query') {
      const group = (node['solutionModifiers'] as Record<string, SyntaxNode | undefined>)['group'];
      const groupings = asNodes(group?.['groupings']);
      checkAliases(node, groupings, names);
      if (node.subType === 'select') checkGrouping(node, groupings, names);
    }
    if (node.subType === 'deletedata' || node.subType === 'deletewhere') checkDeletion(node['data'], report);
    if (node.subType === 'modify') checkDeletion(node['delete'], report);
    if (node.subType === 'namedNode' && NOT_IN_IRI.test(nameOf(node))) {
      report(node, `<${nameOf(node)}> contains a character that is not allowed in an IRI`);
    }
    return undefined;
  });
}
