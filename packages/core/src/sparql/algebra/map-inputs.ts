import type { Algebra } from './algebra.ts';

/** Applies `map` to the direct inputs of a node, without patterns inside expressions (EXISTS). */
export function mapInputs(algebra: Algebra, map: (input: Algebra) => Algebra): Algebra {
  switch (algebra.type) {
    case 'bgp':
    case 'path':
    case 'values':
      return algebra;
    case 'join':
    case 'union':
      return { ...algebra, operands: algebra.operands.map(map) };
    case 'leftJoin':
    case 'minus':
      return { ...algebra, left: map(algebra.left), right: map(algebra.right) };
    default:
      return { ...algebra, input: map(algebra.input) };
  }
}
