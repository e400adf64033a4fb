import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { writeApi } from './api.ts';
import { siteProblems } from './check-site.ts';
import { writeContent } from './content.ts';
import { exportedNames } from './exported-names.ts';
import { ROOT } from './pages.ts';
import { buildPlayground } from './playground.ts';
import { buildEarlier, type SiteOptions, siteOptions } from './versions.ts';

const SITE = fileURLToPath(new URL('../', import.meta.url));

/** Returns the exported names of the published packages that the API reference does not have. */
function missingSymbols(folder: string): string[] {
  const { entryPoints } = JSON.parse(readFileSync(join(ROOT, 'typedoc.json'), 'utf8')) as { entryPoints: string[] };
  return entryPoints.flatMap((entry) => {
    const [, name, file] = /^packages\/([^/]+)\/src\/(.+)\.ts$/.exec(entry)!;
    const page = `@rdf-worlds/${file === 'index' ? name : `${name}/${file}`}.md`;
    const text = readFileSync(join(folder, page), 'utf8').replaceAll('\\_', '_');
    const headings = new Set([...text.matchAll(/^### (?:abstract )?~{0,2}(\w+)/gm)].map((match) => match[1]));
    return exportedNames(join(ROOT, entry))
      .filter((symbol) => !headings.has(symbol))
      .map((symbol) => `${page} lacks ${symbol}, which ${entry} exports`);
  });
}

/** Builds the site and checks it; returns the problems. */
async function buildSite({ base, earlier }: SiteOptions): Promise<string[]> {
  const content = join(SITE, 'build/content');
  const dist = join(SITE, 'dist');
  writeContent(content);
  await writeApi(join(content, 'api'));
  const problems = missingSymbols(join(content, 'api'));
  // The configuration is a module, which VitePress loads by itself.
  process.env.RDF_WORLDS_SITE_EARLIER = earlier.join(' ');
  await build(SITE, { base });
  await buildPlayground(join(dist, 'playground'));
  for (const tag of earlier) buildEarlier(tag, base, dist);
  const others = earlier.map((tag) => tag.slice(1));
  return [...problems, ...siteProblems(dist, { base, others })];
}

const problems = await buildSite(siteOptions(process.argv.slice(2)));
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? `The site is in ${join(SITE, 'dist')}.` : `${problems.length} problem(s).`);
process.exitCode = problems.length === 0 ? 0 : 1;
