import { readFileSync } from 'node:fs';
import { defineConfig, type MarkdownRenderer } from 'vitepress';
import { CHART } from '../src/benchmark-charts.ts';
import { ICON, repositoryAddress } from '../src/content.ts';
import { DIAGRAM } from '../src/diagrams.ts';
import { slugOf } from '../src/links.ts';
import { sidebar } from '../src/sidebar.ts';
import { versionMenu } from '../src/versions.ts';

const PICTURES = new Set([CHART, DIAGRAM]);
const earlier = (process.env.RDF_WORLDS_SITE_EARLIER ?? '').split(' ').filter(Boolean);

/** Puts pictures that the build makes into the page as they are. */
function drawPictures(md: MarkdownRenderer): void {
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, options, environment, self) =>
    PICTURES.has(tokens[index].info) ? tokens[index].content : fence!(tokens, index, options, environment, self);
}

// biome-ignore lint/style/noDefaultExport: VitePress requires it
export default defineConfig({
  title: 'RDF Worlds',
  description: 'An embeddable knowledge graph: RDF, SPARQL and search in your process',
  srcDir: 'build/content',
  outDir: 'dist',
  cacheDir: 'build/cache',
  // The address without `.html` works on any static host that serves `page.html` for `page`.
  cleanUrls: false,
  lastUpdated: false,
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(readFileSync(ICON, 'utf8'))}` }]],
  metaChunk: true,
  markdown: {
    // As on GitHub, what looks like a tag is rarely meant as one: "<iri>" in a table is text.
    html: false,
    linkify: false,
    config: drawPictures,
    anchor: { slugify: slugOf },
    // Names of languages that Shiki does not know.
    languageAlias: { ntriples: 'turtle', 'n-triples': 'turtle', nquads: 'turtle' },
  },
  // Made beside the pages; "npm run site" checks these links in the result.
  ignoreDeadLinks: [/^\/playground\//, /^\/\d+\.\d+\.\d+/],
  themeConfig: {
    logo: '/icon.svg',
    siteTitle: 'RDF Worlds',
    nav: [
      { text: 'Guides', link: '/guides/worlds', activeMatch: '^/guides/' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      { text: 'Benchmarks', link: '/benchmarks' },
      { text: 'Playground', link: '/playground/', target: '_self' },
      versionMenu(earlier),
      { text: 'GitHub', link: repositoryAddress() },
    ],
    sidebar: sidebar() as never,
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
