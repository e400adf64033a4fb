import { existsSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { type Page, ROOT } from './pages.ts';

/** Pictures, which the site has itself. */
export const IMAGES = 'docs/images/';

/** Rewrites the links of documents, so that the same text works on GitHub and on the site. */
export class Links {
  private readonly pageOf: ReadonlyMap<string, string>;
  private readonly web: string;

  /** @param web the address of the repository, without a slash at its end */
  constructor(pages: readonly Page[], web: string) {
    this.pageOf = new Map(pages.map(({ source, page }) => [source, page]));
    this.web = web;
  }

  /** Rewrites the links of a document outside code. Throws if one leads nowhere. */
  rewrite(source: string, text: string): string {
    let isCode = false;
    const lines = text.split('\n').map((line) => {
      if (/^\s*```/.test(line)) isCode = !isCode;
      if (isCode) return line;
      return line
        .replace(/(\]\()([^)\s]+)(\))/g, (_, before, link, after) => before + this.target(source, link) + after)
        .replace(/^(\[[^\]]+\]:\s+)(\S+)/, (_, before, link) => before + this.target(source, link));
    });
    return lines.join('\n');
  }

  /** Returns the link on the site. */
  target(source: string, link: string): string {
    const [, address, anchor] = /^([^#]*)(#.*)?$/.exec(link)!;
    if (address === '') return link;
    const inRepository = this.pathOf(source, address);
    if (inRepository === undefined) return link;
    const page = this.pageOf.get(inRepository) ?? this.pageOf.get(`${inRepository}/README.md`);
    // GitHub has "#readme" where it shows the README of a folder.
    if (page !== undefined) return `/${page}${anchor && anchor !== '#readme' ? anchor : ''}`;
    if (!existsSync(join(ROOT, inRepository))) throw new Error(`${source}: the link ${link} leads nowhere.`);
    if (inRepository.startsWith(IMAGES)) return `/${inRepository.slice('docs/'.length)}`;
    return `${this.web}/blob/main/${inRepository}${anchor ?? ''}`;
  }

  /** Returns the path from the root of the repository; undefined for addresses elsewhere. */
  private pathOf(source: string, address: string): string | undefined {
    const [, path] =
      /^\/(?:blob|tree)\/main\/(.+)$/.exec(address.startsWith(this.web) ? address.slice(this.web.length) : '') ?? [];
    if (path !== undefined) return path.replace(/\/$/, '');
    if (/^[a-z]+:/i.test(address)) return undefined;
    return posix.normalize(posix.join(dirname(source), address)).replace(/\/$/, '');
  }
}

/** The anchor of a heading, as GitHub makes it. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
