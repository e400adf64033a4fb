import { describe, expect, it } from 'vitest';
import { findRetired, RETIRED } from '../scripts/check-wording.mjs';

/** Returns the phrases that are found, each as `line: phrase`. */
const foundIn = (lines: readonly string[], isMarkdown = false) =>
  findRetired(lines.join('\n'), isMarkdown).map(({ line, phrase }) => `${line}: ${phrase}`);

describe('retired phrases', () => {
  it('are found in comments, with their lines and what to write instead', () => {
    const lines = [
      'let a = 1;',
      '// Begins anew.',
      'let b = 2; // Whoever reads it.',
      '',
      '/** Is made',
      ' * anew. */',
    ];
    expect(foundIn(lines)).toEqual(['2: anew', '3: Whoever', '6: anew']);
    expect(findRetired('// anew', false)).toEqual([{ line: 1, phrase: 'anew', instead: 'again' }]);
  });

  it('are found across two lines of a comment, at the first', () => {
    expect(foundIn(['/**', ' * First. It goes', ' * on.', ' */', 'let a;'])).toEqual(['2: goes on']);
    expect(foundIn(['{', '  // First.', '  // It goes', '  // on.', '}'])).toEqual(['3: goes on']);
    // Two comments are two texts.
    expect(foundIn(['// It goes', '', '// on.'])).toEqual([]);
  });

  it('are found in the titles of tests', () => {
    const lines = ["describe('begins anew', () => {", "  it.each(rows)('%s: goes on', () => f('anew'));", '});'];
    expect(foundIn(lines)).toEqual(['1: anew', '2: goes on']);
  });

  it('are not found in code', () => {
    const lines = ["const a = '// anew';", 'const b = `/* anew */`;', '/** Calls `anew()`. */', 'let anew;'];
    expect(foundIn(lines)).toEqual([]);
  });

  it('are found in Markdown, but not in its code and tables', () => {
    const lines = [
      '# Anew',
      '',
      'A text that goes',
      'on, with `anew` and `code that',
      'goes on`, and then whoever.',
      '```ts',
      '// anew',
      '',
      '// anew',
      '```',
      '> It comes',
      '> back.',
      '',
      '| anew |',
      '',
      '- anew',
    ];
    expect(foundIn(lines, true)).toEqual(['1: Anew', '3: goes on', '5: whoever', '11: comes back', '16: anew']);
  });

  it('are not found where they are good English', () => {
    expect(foundIn(['// They come late, so many of them wait.', '// So many rows that it spills.'])).toEqual([]);
    expect(foundIn(['// After so many rows.'])).toEqual(['1: so many']);
  });

  it('are listed with what to write instead', () => {
    for (const { phrase, instead } of RETIRED) expect(instead).not.toMatch(phrase);
  });
});
