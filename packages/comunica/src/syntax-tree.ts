import type { TextLocation } from '@rdf-worlds/core';
import { locationAt } from './text-location.ts';

/** A node of Traqula's syntax tree, with the fields that a generic traversal needs. */
export interface SyntaxNode {
  readonly type: string;
  readonly subType?: string;
  readonly loc?: { readonly sourceLocationType: string; readonly start?: number; readonly end?: number };
  readonly [key: string]: unknown;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';
}

/**
 * Visits a tree, parents first; `visit` returns false to skip a node's children. Uses its own
 * stack, so it can go as deep as the parser.
 */
export function walk(root: unknown, visit: (node: SyntaxNode) => boolean | undefined): void {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (isNode(value) && visit(value) === false) continue;
    const children = Object.entries(value).filter(([key]) => key !== 'loc');
    for (let index = children.length - 1; index >= 0; index--) stack.push(children[index][1]);
  }
}

/**
 * Returns the location of a node in the text; the start of the text for nodes that the parser
 * synthesised.
 */
export function locationOf(text: string, node: SyntaxNode): TextLocation {
  return locationAt(text, node.loc?.start ?? 0);
}
