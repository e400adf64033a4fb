import type { Algebra, Expression, PatternTerm } from '../algebra/algebra.ts';

/**
 * Returns every variable that a pattern mentions, in scope or not. This is an upper bound of what
 * its solutions depend on, for moving filters that contain EXISTS.
 */
export function variablesOfPattern(pattern: Algebra, into: Set<string> = new Set()): Set<string> {
  collect(pattern, into);
  return into;
}

type Node = Algebra | Expression | PatternTerm | object;

/**
 * Walks all fields, because algebra consists of plain objects and arrays. Only names held as plain
 * strings need special handling.
 */
function collect(root: Node, into: Set<string>): void {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (Array.isArray(node)) {
      for (const item of node) pending.push(item);
      continue;
    }
    if ('termType' in node) {
      collectTerm(node as PatternTerm, pending, into);
      continue;
    }
    collectNames(node as Algebra | Expression, into);
    for (const child of Object.values(node)) pending.push(child);
  }
}

function collectTerm(term: PatternTerm, pending: unknown[], into: Set<string>): void {
  if (term.termType === 'Variable') into.add(term.value);
  else if (term.termType === 'TriplePattern') pending.push(term.subject, term.predicate, term.object);
}

function collectNames(node: Algebra | Expression, into: Set<string>): void {
  switch (node.type) {
    case 'variable':
      into.add(node.name);
      break;
    case 'extend':
      into.add(node.variable);
      break;
    case 'values':
    case 'project':
      for (const name of node.variables) into.add(name);
      break;
    case 'group':
      for (const { variable } of [...node.keys, ...node.aggregates]) into.add(variable);
      break;
  }
}
