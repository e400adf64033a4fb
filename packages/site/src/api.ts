import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application, type TypeDocOptions } from 'typedoc';
import { slugOf } from './links.ts';
import { ROOT } from './pages.ts';

/** Options of typedoc-plugin-markdown. */
interface MarkdownOptions {
  readonly router: 'module';
  readonly hidePageHeader: boolean;
  readonly hideBreadcrumbs: boolean;
  readonly useCodeBlocks: boolean;
  readonly parametersFormat: 'table';
  readonly entryFileName: string;
  readonly sanitizeComments: boolean;
  readonly useHTMLEncodedBrackets: boolean;
}

/**
 * Writes the API reference from the doc comments of the published packages: a page for each entry
 * that programs can import. Checks the comments as `npm run check:api` does. Throws if TypeDoc
 * finds errors, an exported name without a docstring, or a link in one that leads nowhere.
 */
export async function writeApi(folder: string): Promise<void> {
  const markdown: MarkdownOptions = {
    router: 'module',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    parametersFormat: 'table',
    entryFileName: 'index',
    sanitizeComments: true,
    useHTMLEncodedBrackets: true,
  };
  const options: Partial<TypeDocOptions> = {
    options: join(ROOT, 'typedoc.json'),
    tsconfig: join(ROOT, 'tsconfig.json'),
    plugin: ['typedoc-plugin-markdown'],
    readme: 'none',
    logLevel: 'Warn',
    ...markdown,
  };
  const application = await Application.bootstrapWithPlugins(options);
  const project = await application.convert();
  if (!project || application.logger.hasErrors()) throw new Error('TypeDoc could not read the packages.');
  application.validate(project);
  if (application.logger.hasErrors() || application.logger.hasWarnings())
    throw new Error('TypeDoc found the problems above in the docstrings.');
  await application.generateOutputs(project);
  await application.outputs.writeOutput({ name: 'markdown', path: folder }, project);
  if (application.logger.hasErrors()) throw new Error('TypeDoc could not write the API reference.');
  for (const page of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  )) {
    const file = join(folder, page);
    writeFileSync(file, withAnchorsOfHeadings(readFileSync(file, 'utf8')));
  }
}

/**
 * Corrects links inside a page: the plugin numbers anchors that other kinds of names would share,
 * such as `a.b` and `ab`, whose headings differ.
 */
export function withAnchorsOfHeadings(text: string): string {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading] of text.matchAll(/^#+ (.+)$/gm)) {
    const slug = slugOf(heading.replace(/\\(.)/g, '$1'));
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return text.replace(/\]\(#([^)]+)-\d+\)/g, (link, plain) =>
    anchors.has(link.slice(3, -1)) || !anchors.has(plain) ? link : `](#${plain})`,
  );
}
