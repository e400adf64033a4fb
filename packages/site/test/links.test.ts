import { describe, expect, it } from 'vitest';
import { withAnchorsOfHeadings } from '../src/api.ts';
import { withCharts } from '../src/benchmark-charts.ts';
import { Links, slugOf } from '../src/links.ts';
import { pages } from '../src/pages.ts';

const WEB = 'https://example.org/repository';
const links = new Links(pages(), WEB);

describe('links', () => {
  it.each([
    ['docs/guides/time.md', 'sparql.md#limits', '/guides/sparql.md#limits'],
    ['docs/architecture.md', '../packages/core/src/engine/README.md', '/internals/engine.md'],
    ['README.md', 'docs/guides/worlds.md', '/guides/worlds.md'],
    ['packages/http/README.md', `${WEB}/blob/main/docs/reference/http.md#errors`, '/reference/http.md#errors'],
    ['packages/http/README.md', `${WEB}/tree/main/packages/core`, '/packages/core.md'],
    ['packages/http/README.md', `${WEB}/tree/main/packages/core#readme`, '/packages/core.md'],
    ['docs/guides/time.md', '#forks', '#forks'],
    ['docs/guides/time.md', 'https://www.w3.org/TR/x#y', 'https://www.w3.org/TR/x#y'],
    ['README.md', 'LICENSE', `${WEB}/blob/main/LICENSE`],
  ])('of %s to %s leads to %s', (source, link, target) => {
    expect(links.rewrite(source, `see [it](${link}).`)).toBe(`see [it](${target}).`);
  });

  it('to nowhere are refused', () => {
    expect(() => links.target('docs/guides/time.md', 'nothing.md')).toThrow('leads nowhere');
  });

  it('in code stay as they are', () => {
    const code = '```ts\nconst a = [b](nothing.md);\n```';
    expect(links.rewrite('README.md', code)).toBe(code);
  });

  it('to headings are those of GitHub', () => {
    expect(['Changes: RDF Patch', 'What `serve` does, and why', 'Größe'].map(slugOf)).toEqual([
      'changes-rdf-patch',
      'what-serve-does-and-why',
      'größe',
    ]);
  });

  it('to numbered anchors that no heading has are of the plain one', () => {
    const text = '### One\n\n### One\n\n### Two\n\n[a](#one-1) [b](#two-1) [c](#three-1)';
    expect(withAnchorsOfHeadings(text)).toContain('[a](#one-1) [b](#two) [c](#three-1)');
  });
});

describe('charts', () => {
  const table =
    '| | ms | ratio |\n|---|---|---|\n| a <b> | 1 | 2.5 (2.0-3.0) |\n| c | 1 | 0.5 |\n| d | 1 | 1,442 |\n| sum | | |\n';

  it('are below tables of ratios, one bar a row', () => {
    const text = withCharts(`before\n\n${table}\nafter\n`);
    expect(text).toContain(table);
    expect(text.match(/class="bar"/g)).toHaveLength(3);
    expect(text).toContain('ratio: ms');
    expect(text).toContain('a &lt;b>');
  });

  it('are not made of other tables, or of fewer than three rows', () => {
    const other = '| a | b |\n|---|---|\n| c | 1 |\n';
    expect(withCharts(other)).toBe(other);
    const short = '| | ratio |\n|---|---|\n| c | 1 |\n| d | 2 |\n';
    expect(withCharts(short)).toBe(short);
  });
});
