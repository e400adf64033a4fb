import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** What elements load or link, and the identifiers of elements, in HTML that Vue rendered. */
const ATTRIBUTE = /<(\w+)\b[^>]*?\s(href|src|srcset)="([^"]*)"/g;
const IDENTIFIER = /\sid="([^"]*)"/g;

/** Elements whose address is loaded, instead of followed. */
const LOADED = new Set(['script', 'link', 'img', 'iframe', 'source', 'video', 'audio']);

interface CheckOptions {
  /** Path of the site on its server, with slashes around it. */
  readonly base?: string;
  /** Folders with sites of their own, which were checked when they were built. */
  readonly others?: readonly string[];
}

/**
 * Returns the problems of a built site: links to pages and headings that do not exist, and what
 * would be loaded from elsewhere.
 */
export function siteProblems(folder: string, { base = '/', others = [] }: CheckOptions = {}): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !others.some((other) => file.startsWith(`${other}/`)));
  const known = new Set(files);
  const texts = new Map(
    files.filter((file) => file.endsWith('.html')).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
  const anchors = new Map(
    [...texts].map(([file, text]) => [file, new Set(all(text, IDENTIFIER).map((match) => match[1]))]),
  );
  const problems: string[] = [];
  for (const [file, text] of texts) {
    for (const [, element, , value] of all(text, ATTRIBUTE)) {
      const address = value.replaceAll('&amp;', '&');
      if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(address)) {
        if (LOADED.has(element) && !address.startsWith('data:')) problems.push(`${file} loads ${address}`);
        continue;
      }
      const [, path, anchor] = /^([^#?]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(address)!;
      if (others.some((other) => path === `${base}${other}/`)) continue;
      const target = path === '' ? file : pageAt(path, file, known, base);
      if (target === undefined) problems.push(`${file} links to ${address}, which is not there`);
      else if (anchor && anchors.has(target) && !anchors.get(target)!.has(decodeURIComponent(anchor)))
        problems.push(`${file} links to ${address}, which has no such heading`);
    }
  }
  for (const file of files.filter((each) => each.endsWith('.css')))
    for (const [, address] of all(readFileSync(join(folder, file), 'utf8'), /url\(["']?((?:https?:)?\/\/[^)"']+)/g))
      problems.push(`${file} loads ${address}`);
  return [...new Set(problems)];
}

function pageAt(path: string, from: string, known: ReadonlySet<string>, base: string): string | undefined {
  if (path.startsWith('/') && !path.startsWith(base)) return undefined;
  const absolute = decodeURIComponent(
    path.startsWith('/') ? path.slice(base.length) : posix.join(posix.dirname(from), path),
  );
  return [absolute, `${absolute}.html`, posix.join(absolute, 'index.html')].find((each) => known.has(each));
}

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)];
