import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A document of the repository as a page of the site; both paths end with `.md`. */
export interface Page {
  readonly source: string;
  readonly page: string;
}

const rename = (source: string): string | undefined => {
  const patterns: readonly (readonly [RegExp, string])[] = [
    [/^docs\/(.+\.md)$/, '$1'],
    [/^packages\/core\/src\/(.+)\/README\.md$/, 'internals/$1.md'],
    [/^packages\/([^/]+)\/README\.md$/, 'packages/$1.md'],
    [/^examples\/([^/]+)\/README\.md$/, 'examples/$1.md'],
    [/^README\.md$/, 'overview.md'],
    [/^(?:CONTRIBUTING|SECURITY|CHANGELOG)\.md$/, '$&'],
  ];
  const found = patterns.find(([pattern]) => pattern.test(source));
  return found && source.replace(found[0], found[1]).replace(/^[A-Z]+\.md$/, (name) => name.toLowerCase());
};

/** All documents that are pages, in a stable order. */
export function pages(): Page[] {
  const below = (folder: string) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter((file) => file.endsWith('.md') && !file.includes('node_modules'));
  const readmes = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/README.md`);
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']
    .concat(below('docs'), readmes, below('packages/core/src'), below('examples'))
    .filter((source) => existsSync(join(ROOT, source)))
    .map((source) => ({ source, page: rename(source) }))
    .filter((each): each is Page => each.page !== undefined)
    .sort((a, b) => (a.page < b.page ? -1 : 1));
}

/** The first heading of a document, without markup. */
export function titleOf(source: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(join(ROOT, source), 'utf8'))?.[1];
  if (heading === undefined) throw new Error(`${source} has no heading.`);
  return heading.replaceAll('`', '');
}
