import { describe, expect, it } from 'vitest';
import { WIDTH, wrapMarkdown, wrapSource } from '../scripts/wrap-prose.mjs';

/** Returns a sentence of `count` words. */
const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(' ');
const wrapped = (text: string) => wrapSource(text, 'file.ts');
const linesOf = (text: string) => text.split('\n').map((line) => line.trim());

describe('comments', () => {
  it('are wrapped to the width, in the indent that they have', () => {
    const text = `class A {\n  /** ${words(30)} */\n  b = 1;\n}\n`;
    const result = wrapped(text);
    for (const line of result.split('\n')) expect(line.length).toBeLessThanOrEqual(WIDTH);
    expect(result.split('\n')[1]).toBe('  /**');
    expect(linesOf(result).join(' ').replaceAll(' * ', ' ')).toContain(words(30));
    expect(wrapped(result)).toBe(result);
  });

  it('on neighbouring lines are one text', () => {
    const result = wrapped(`// ${words(20)}\n// and this\nlet a = 1; // ${words(3)}\n`);
    expect(result.replaceAll('\n// ', ' ')).toContain(`${words(20)} and this`);
    expect(wrapped(result)).toBe(result);
  });

  it('keep lists, tags, tables and examples', () => {
    const lines = ['- first', `- ${words(20)}`, '', '| a | b |', '```ts', `code(${words(20)})`, '```', '@param x what'];
    const result = wrapped(`/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\nlet a;\n`);
    const kept = linesOf(result);
    for (const line of ['* - first', '* | a | b |', `* code(${words(20)})`, '* @param x what'])
      expect(kept).toContain(line);
    expect(result).toMatch(/\n \* {3}word/);
  });

  it('that tools read stay, and so does what only looks like a comment', () => {
    const text = [
      `// biome-ignore lint/x: ${words(30)}`,
      `const text = "// ${words(30)}";`,
      `const template = \`/* ${words(30)} */\`;`,
      `const expression = /\\/\\/ ${words(20)}/;`,
    ].join('\n');
    expect(wrapped(text)).toBe(text);
  });

  it('break no link and no code', () => {
    const result = wrapped(
      `/** ${words(14)} {@link Some.member of} ${words(3)} \`a b c d\` ${words(10)} \`e f\` */\nlet a;\n`,
    );
    for (const whole of ['{@link Some.member of}', '`a b c d`', '`e f`']) expect(result).toContain(whole);
  });
});

describe('Markdown', () => {
  it('is wrapped, but for code, tables and headings', () => {
    const long = words(30);
    const text = [
      `# ${long}`,
      '',
      long,
      '',
      `- ${long}`,
      `  - ${long}`,
      '',
      `> ${long}`,
      '',
      `| ${long} |`,
      '```',
      long,
      '```',
    ];
    const result = wrapMarkdown(text.join('\n'));
    const lines = result.split('\n');
    for (const kept of [`# ${long}`, `| ${long} |`, long]) expect(lines).toContain(kept);
    expect(lines.filter((line) => line.length > WIDTH)).toHaveLength(3);
    expect(lines.filter((line) => line.startsWith('> ')).length).toBeGreaterThan(2);
    expect(wrapMarkdown(result)).toBe(result);
  });

  it('begins no line with what would be a list or a heading there', () => {
    const result = wrapMarkdown(`${'x'.repeat(97)} - minus ${words(20)} 1. ${words(20)} # ${words(10)}`);
    expect(result.split('\n').filter((line) => /^(-|\d+\.|#) /.test(line))).toEqual([]);
  });
});
