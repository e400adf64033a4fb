import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withAnchorsOfHeadings } from '../src/api.ts';
import { withCharts } from '../src/benchmark-charts.ts';
import { siteProblems } from '../src/check-site.ts';
import { Links, slugOf } from '../src/links.ts';
import { pages } from '../src/pages.ts';
import { siteOptions, VERSION, versionMenu } from '../src/versions.ts';

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
    ['docs/guides/console.md', '../images/console-worlds-light.webp', '/images/console-worlds-light.webp'],
    ['docs/guides/time.md', '#forks', '#forks'],
    ['docs/guides/time.md', 'https://www.w3.org/TR/x#y', 'https://www.w3.org/TR/x#y'],
    ['README.md', 'LICENSE', `${WEB}/blob/main/LICENSE`],
  ])('of %s to %s leads to %s', (source, link, target) => {
    expect(links.rewrite(source, `see [it](${link}).`)).toBe(`see [it](${target}).`);
  });

  it('to nowhere are refused', () => {
    for (const link of ['nothing.md', '../images/nothing.webp'])
      expect(() => links.target('docs/guides/time.md', link)).toThrow('leads nowhere');
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

describe('versions', () => {
  it('are chosen by options', () => {
    expect(siteOptions([])).toEqual({ base: '/', earlier: [] });
    expect(siteOptions(['--earlier', 'v0.1.0', '--base', '/docs/', '--earlier', 'v0.2.0'])).toEqual({
      base: '/docs/',
      earlier: ['v0.1.0', 'v0.2.0'],
    });
    for (const args of [['--earlier', '0.1.0'], ['--base', 'docs'], ['--earlier'], ['--all', 'v0.1.0']])
      expect(() => siteOptions(args)).toThrow('the options are');
  });

  it('are in a menu with the changes', () => {
    const { text, items } = versionMenu(['v0.0.9']);
    expect(text).toBe(VERSION);
    expect(items.map(({ link }) => link)).toEqual(['/changelog', '/0.0.9/']);
  });

  it('have links that are checked below the path of the site', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-links-'));
    const write = (file: string, text: string) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    };
    write('index.html', '<a href="/docs/guide.html">a</a> <a href="/docs/0.0.9/">b</a> <a href="/guide.html">c</a>');
    write('guide.html', '<a href="gone.html">d</a>');
    write('0.0.9/index.html', '<a href="/docs/0.0.9/gone.html">e</a>');
    expect(siteProblems(folder, { base: '/docs/', others: ['0.0.9'] }).sort()).toEqual([
      'guide.html links to gone.html, which is not there',
      'index.html links to /guide.html, which is not there',
    ]);
    rmSync(folder, { recursive: true });
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
    expect(text).toContain('aria-labelledby="chart-1-title chart-1-text"');
    expect(text).toContain('3 ratios from 0.5 (c) to 1,442 (d); 1 is below 1.');
  });

  it('have a mark for each peer where several are compared', () => {
    const rows = ['q1', 'q2', 'q3'].map((name, i) => `| ${name} | 1 | ${i + 2} | ${i + 0.5} | 9 | 4 | 7 |\n`);
    const header = '| | RDF Worlds, ms | Oxigraph | DuckDB | first lap, ms | Oxigraph | DuckDB |\n';
    const [warm, first] = withCharts(`${header}|---|---|---|---|---|---|---|\n${rows.join('')}`)
      .split('<figure')
      .slice(1);
    const marks = (chart: string, kind: number) =>
      chart.split('</desc>')[1].split(`class="mark mark-${kind}"`).length - 1;
    expect([marks(warm, 0), marks(warm, 1), marks(first, 0), marks(first, 1)]).toEqual([3, 3, 3, 3]);
    expect(warm).toContain('6 ratios from 0.5 (q1, DuckDB) to 4 (q3, Oxigraph); 1 is below 1.');
  });

  it('of the benchmarks show each value of a table once', () => {
    const source = readFileSync(new URL('../../../docs/benchmarks.md', import.meta.url), 'utf8');
    const charts = withCharts(source).split('<figure').slice(1);
    expect(charts.length).toBeGreaterThan(10);
    for (const chart of charts) {
      expect(chart).not.toContain('NaN');
      const drawn = chart.split('</desc>')[1].match(/class="(?:bar|mark mark-\d)"/g)!;
      expect(chart).toContain(`>${drawn.length} ratios from `);
    }
  });

  it('are not made of other tables, or of fewer than three rows', () => {
    const other = '| a | b |\n|---|---|\n| c | 1 |\n';
    expect(withCharts(other)).toBe(other);
    const short = '| | ratio |\n|---|---|\n| c | 1 |\n| d | 2 |\n';
    expect(withCharts(short)).toBe(short);
  });
});
