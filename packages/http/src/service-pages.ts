import { WorldsError } from '@rdf-worlds/core';
import { matchesEtag } from './etag.ts';
import { HttpError } from './http-error.ts';
import type { Incoming } from './incoming.ts';
import { emptyReply, type Reply } from './reply.ts';

/**
 * Public files below a path of the service, such as `consolePages()` of `@rdf-worlds/console`.
 * Served to everybody, without authentication: the pages themselves ask for a token.
 */
export interface ServicePages {
  /** A single segment below the base path, such as `/console`. */
  readonly path: string;
  /**
   * Returns the file at a path relative to `path`, percent-encoded as sent: `/` is the start page.
   * Undefined if there is none, which is answered with 404.
   */
  readonly find: (path: string) => ServedFile | undefined;
}

/** A file that {@link ServicePages} serves. */
export interface ServedFile {
  readonly body: Uint8Array;
  /** The body in gzip; undefined if that would not make it shorter. */
  readonly gzip?: Uint8Array | undefined;
  /** A strong entity tag, with its quotes. It must differ for different bodies. */
  readonly etag: string;
  /** By lower-case name: Content-Type, Cache-Control, Content-Security-Policy and others. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Finds the pages that a path belongs to; undefined if it belongs to none. */
export function pagesAt(all: readonly ServicePages[], path: string): ServicePages | undefined {
  return all.find((pages) => path === pages.path || path.startsWith(`${pages.path}/`));
}

/**
 * Validates the paths of pages. Throws `INVALID_ARGUMENT` for malformed and duplicate paths, and
 * for those in `taken`.
 */
export function requirePagePaths(all: readonly ServicePages[], isTaken: (path: string) => boolean): void {
  const seen = new Set<string>();
  for (const { path } of all) {
    const invalid = (problem: string) =>
      new WorldsError('INVALID_ARGUMENT', `pages: ${JSON.stringify(path)}: ${problem}`);
    if (!/^\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/.test(path))
      throw invalid('expected a path of one segment, such as "/console".');
    if (isTaken(path)) throw invalid('the service itself or a mount has this path; choose another.');
    if (seen.has(path)) throw invalid('two sets of pages have this path.');
    seen.add(path);
  }
}

/** Answers GET or HEAD of a file. Throws `HttpError` 404 if there is none. */
export function pageReply(pages: ServicePages, path: string, incoming: Incoming): Reply {
  const below = path.slice(pages.path.length);
  // Relative, so that the redirect works below any prefix: references of the pages are relative to
  // the path with its slash.
  if (below === '') return emptyReply(308, { location: `${pages.path.slice(1)}/` });
  const file = pages.find(below);
  if (!file) throw new HttpError(404, 'There is no resource at this URL.');
  const headers: Record<string, string> = { ...file.headers, etag: file.etag, 'x-content-type-options': 'nosniff' };
  if (file.gzip) headers.vary = 'Accept-Encoding';
  if (matchesEtag(incoming.header('if-none-match'), file.etag)) {
    delete headers['content-type'];
    return emptyReply(304, headers);
  }
  const body = file.gzip && acceptsGzip(incoming.header('accept-encoding')) ? file.gzip : file.body;
  if (body !== file.body) headers['content-encoding'] = 'gzip';
  return { status: 200, headers: { ...headers, 'content-length': String(body.length) }, body };
}

/** RFC 9110 section 12.5.3; a weight of 0 excludes the coding. */
function acceptsGzip(header: string | null): boolean {
  return (header ?? '').split(',').some((part) => /^\s*(?:x-)?gzip\s*(?:;\s*q\s*=\s*(?!0(?:\.0*)?\s*$)|$)/i.test(part));
}
