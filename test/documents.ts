import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-imports.ts';

/** A code fence of a document; `line` is that of its first line of code. */
export interface Fence {
  readonly document: string;
  readonly line: number;
  readonly code: string;
}

/** The documents of the repository, as paths from its root. */
export function documents(): string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((file) => `docs/${file}`);
  const packages = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/README.md`);
  const examples = ['examples/data/README.md', 'examples/hosts/README.md'];
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...examples, ...docs, ...packages]
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md') && existsSync(join(ROOT, file)))
    .sort();
}

/** The fences of a document that are marked with exactly `language`. */
export function fences(document: string, language: string): Fence[] {
  const found: Fence[] = [];
  let open: { line: number; marker: string; lines: string[] } | undefined;
  for (const [index, line] of readFileSync(join(ROOT, document), 'utf8').split('\n').entries()) {
    const mark = /^\s*```(.*)$/.exec(line);
    if (open && mark) {
      if (open.marker === language) found.push({ document, line: open.line, code: `${open.lines.join('\n')}\n` });
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (mark) open = { line: index + 2, marker: mark[1]!.trim(), lines: [] };
  }
  if (open) throw new Error(`${document}:${open.line - 1}: this code fence is never closed.`);
  return found;
}
