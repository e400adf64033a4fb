import type { SourceFile, SyntaxKind } from 'typescript';

export const WIDTH: number;
export function fill(text: string, width: number, first?: string, rest?: string): string[];
export function wrapText(lines: readonly string[], width: number): string[];
export function wrapSource(text: string, name: string): string;
export function wrapMarkdown(text: string): string;
export function commentsOf(
  source: SourceFile,
): { readonly pos: number; readonly end: number; readonly kind: SyntaxKind }[];
export function proseFilesOf(path: string): Generator<string>;
