import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withCharts } from './benchmark-charts.ts';
import { withDiagrams } from './diagrams.ts';
import { functionsPage, limitsPage } from './generated-pages.ts';
import { IMAGES, Links } from './links.ts';
import { pages, ROOT, titleOf } from './pages.ts';

/** The icon of the console and the site. */
export const ICON = join(ROOT, 'packages/console/app/public/icon.svg');

/** The address of the repository. */
export function repositoryAddress(): string {
  const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    repository: { url: string };
  };
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** Writes the pages of the site, but for the API reference, to an empty folder. */
export function writeContent(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const write = (page: string, text: string) => {
    const file = join(folder, page);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const all = pages();
  const links = new Links(all, repositoryAddress());
  for (const { source, page } of all) {
    const text = withDiagrams(readFileSync(join(ROOT, source), 'utf8'));
    const charted = source === 'docs/benchmarks.md' ? withCharts(text) : text;
    write(page, links.rewrite(source, charted));
  }
  cpSync(join(ROOT, IMAGES), join(folder, 'public/images'), { recursive: true });
  cpSync(ICON, join(folder, 'public/icon.svg'));
  write('reference/functions.md', functionsPage());
  write('reference/limits.md', limitsPage());
  const decisions = all.filter(({ source }) => source.startsWith('docs/decisions/'));
  write(
    'decisions/index.md',
    `# Decisions\n\nWhat we chose, what we chose it over, and why.\n\n${decisions.map(({ source, page }) => `- [${titleOf(source)}](/${page})`).join('\n')}\n`,
  );
  write('index.md', HOME);
}

const HOME = `---
layout: home
hero:
  name: RDF Worlds
  text: An embeddable knowledge graph
  tagline: Named RDF datasets, SPARQL and ranked search, in the process of your Node application or in a browser.
  actions:
    - theme: brand
      text: Get started
      link: /overview
    - theme: alt
      text: Playground
      link: /playground/
      target: _self
    - theme: alt
      text: API
      link: /api/
features:
  - title: Nothing to run
    details: An engine opens in your own process. No server, no Java, no native addon.
  - title: Many worlds
    details: Thousands of small datasets in a namespace, queried one by one or joined by one query.
  - title: Search with SPARQL
    details: Ranked full-text and vector search over every literal, alone or inside a query.
---
`;
