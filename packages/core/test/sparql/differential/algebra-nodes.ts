import type { Algebra, Expression, Path, UpdateOperation } from '../../../src/sparql/algebra/algebra.ts';
import { prepareOperation } from '../../../src/sparql/prepare-operation.ts';

/** A node of the algebra of a query or update. */
export type Node = Algebra | Expression | Path | UpdateOperation;

export function nodesOf(text: string): Node[] {
  return nodesIn(prepareOperation(text, { baseIri: 'http://e/' }));
}

/** All nodes below an object, itself included. RDF terms and variables are not nodes. */
export function nodesIn(whole: object): Node[] {
  const found: Node[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || 'termType' in value) return;
    if ('type' in value) found.push(value as Node);
    for (const part of Object.values(value)) walk(part);
  };
  walk(whole);
  return found;
}

const union = (sets: readonly ReadonlySet<string>[]) => new Set(sets.flatMap((set) => [...set]));

/** The variables that solutions of a pattern can bind. */
export function boundNames(algebra: Algebra): Set<string> {
  const names = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const one = value as { termType?: string; value?: unknown };
    return one.termType === 'Variable' ? [String(one.value)] : Object.values(value).flatMap(names);
  };
  switch (algebra.type) {
    case 'bgp':
      return new Set(names(algebra.patterns));
    case 'path':
      return new Set(names([algebra.subject, algebra.object]));
    case 'join':
    case 'union':
      return union(algebra.operands.map(boundNames));
    case 'leftJoin':
      return union([boundNames(algebra.left), boundNames(algebra.right)]);
    case 'minus':
      return boundNames(algebra.left);
    case 'graph':
      return union([boundNames(algebra.input), new Set(names(algebra.name))]);
    case 'extend':
      return union([boundNames(algebra.input), new Set([algebra.variable])]);
    case 'values':
    case 'project':
      return new Set(algebra.variables);
    case 'group':
      return new Set([...algebra.keys, ...algebra.aggregates].map(({ variable }) => variable));
    default:
      return boundNames(algebra.input);
  }
}

/** The variables of `boundNames` that a solution may leave unbound. */
export function optionalNames(algebra: Algebra): Set<string> {
  switch (algebra.type) {
    case 'bgp':
    case 'path':
      return new Set();
    case 'join': {
      const certain = union(algebra.operands.map(certainNames));
      return new Set([...union(algebra.operands.map(optionalNames))].filter((name) => !certain.has(name)));
    }
    case 'union': {
      const all = boundNames(algebra);
      return new Set([...all].filter((name) => !algebra.operands.every((operand) => certainNames(operand).has(name))));
    }
    case 'leftJoin': {
      const certain = certainNames(algebra.left);
      return new Set([...boundNames(algebra)].filter((name) => !certain.has(name)));
    }
    case 'minus':
      return optionalNames(algebra.left);
    case 'extend':
      return union([optionalNames(algebra.input), new Set([algebra.variable])]);
    case 'values':
      return new Set(algebra.variables.filter((_, at) => algebra.rows.some((row) => row[at] === undefined)));
    case 'group':
      return boundNames(algebra);
    case 'project': {
      const certain = certainNames(algebra.input);
      return new Set(algebra.variables.filter((name) => !certain.has(name)));
    }
    default:
      return optionalNames(algebra.input);
  }
}

function certainNames(algebra: Algebra): Set<string> {
  const optional = optionalNames(algebra);
  return new Set([...boundNames(algebra)].filter((name) => !optional.has(name)));
}
