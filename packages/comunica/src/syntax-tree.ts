import type { TextLocation } from '@rdf-worlds/core';
import { locationAt } from './text-location.ts';

/** A node of Traqula's syntax tree, as far as a generic walk needs to know it. */
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
 * Visits a tree, parents first; `visit` returns false to leave a node's inside out. It keeps its
 * own stack, so that it goes as deep as the parser did.
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
 * Where a node begins in the text; the beginning of the text for what the parser made up itself.
 */
export function locationOf(text: string, node: SyntaxNode): TextLocation {
  return locationAt(text, node.loc?.start ?? 0);
}
