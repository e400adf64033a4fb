import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './source-imports.ts';

const FOLDER = join(ROOT, 'docs/decisions');

/** What every record begins with, in this order. Other parts follow. */
const PARTS = ['Status', 'Question', 'Decision'];

/** Returns why a record is not in the template; undefined if it is. */
function problemOf(name: string, text: string): string | undefined {
  const [number] = name.split('-');
  if (!/^\d{4}-[a-z0-9-]+\.md$/.test(name)) return 'the name is not NNNN-title.md';
  if (!text.startsWith(`# ${number}: `)) return 'the title does not begin with the number';
  if (/^##/m.test(text)) return 'a part is a heading';
  const parts = Array.from(text.matchAll(/^\*\*([^*]+)\.\*\*/gm), ([, part]) => part!);
  if (parts.slice(0, PARTS.length).join() !== PARTS.join()) return `it begins with ${parts.slice(0, 3).join(', ')}`;
  if (!/^\*\*Status\.\*\* (Accepted|Superseded)\b/m.test(text)) return 'the status is neither Accepted nor Superseded';
  return undefined;
}

describe('decision records', () => {
  const names = readdirSync(FOLDER);

  it('are in one template', () => {
    expect(names.length).toBeGreaterThan(30);
    const problems = names.flatMap((name) => {
      const problem = problemOf(name, readFileSync(join(FOLDER, name), 'utf8'));
      return problem ? [`${name}: ${problem}`] : [];
    });
    expect(problems).toEqual([]);
  });

  it('have a number each', () => {
    const numbers = names.map((name) => name.slice(0, 4));
    expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([]);
  });

  it('would be found without a part', () => {
    const parts = ['# 0001: A title', '**Status.** Accepted.', '**Question.** Why?', '**Decision.** So.'];
    const problem = (lines: readonly string[]) => problemOf('0001-a-title.md', lines.join('\n\n'));
    expect(problem(parts)).toBeUndefined();
    for (const left of parts) expect(problem(parts.filter((part) => part !== left))).toBeDefined();
    expect(problem([...parts, '## Consequences'])).toBe('a part is a heading');
  });
});
