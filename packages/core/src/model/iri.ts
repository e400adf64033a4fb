/**
 * A scheme (RFC 3986 section 3.1), then no character that the IRIREF production of Turtle, TriG and
 * SPARQL forbids: controls, space and `<>"{}|^`, backtick and backslash. Lone surrogates are
 * excluded as well, because they have no UTF-8 form.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the production excludes the range #x00-#x20
const ABSOLUTE_IRI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\u0000-\u0020<>"{}|^`\\\uD800-\uDFFF]*$/u;

/**
 * Returns whether a string is an absolute IRI that every RDF syntax can carry unescaped. A store
 * accepts nothing else, which rules out injection into writers. Authority and path are deliberately
 * not validated: RDF 1.1 Concepts 3.2 compares IRIs as strings.
 */
export function isAbsoluteIri(iri: string): boolean {
  return ABSOLUTE_IRI.test(iri);
}

/** The five parts of an IRI reference: RFC 3986 appendix B. */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/**
 * Resolves an IRI reference against an absolute base (RFC 3986 section 5.2). An absolute reference
 * is returned unchanged, dot segments included, as Turtle and SPARQL require. So is `2020:x`: the
 * first segment of a relative reference must not contain a colon (section 4.2). The result is not
 * checked: see {@link isAbsoluteIri}. To resolve many references against one base, keep an
 * {@link IriBase}.
 */
export function resolveIri(reference: string, base: string): string {
  return new IriBase(base).resolve(reference);
}

/**
 * A base IRI, parsed once. Resolving costs time proportional to the reference and the result,
 * regardless of the length of the base.
 */
export class IriBase {
  readonly iri: string;
  /** Scheme and authority. */
  private readonly root: string;
  private readonly scheme: string;
  private readonly path: string;
  private readonly query: string | undefined;
  /** The path up to its last slash, with dot segments removed. */
  private readonly directory: string;
  /** End offset of each segment of `directory`, its slash included. */
  private readonly ends: readonly number[];
  /**
   * Number of leading segments of `directory` that `..` cannot remove: the empty one before a
   * leading slash.
   */
  private readonly floor: number;

  constructor(iri: string) {
    this.iri = iri;
    const [, scheme, authority, path, query] = PARTS.exec(iri)!;
    this.scheme = scheme === undefined ? '' : `${scheme}:`;
    this.root = authority === undefined ? this.scheme : `${this.scheme}//${authority}`;
    this.path = path;
    this.query = query;
    // Section 5.2.3: merge paths
    const merged = authority !== undefined && path === '' ? '/' : path.slice(0, path.lastIndexOf('/') + 1);
    this.floor = merged.startsWith('/') ? 1 : 0;
    const kept = merged === '' ? [] : keptSegments(merged.slice(0, -1).split('/'), this.floor);
    let length = 0;
    this.ends = kept.map((segment) => (length += segment.length + 1));
    this.directory = kept.length === 0 ? '' : `${kept.join('/')}/`;
  }

  /** Like {@link resolveIri}. */
  resolve(reference: string): string {
    if (/^[^/?#]*:/.test(reference)) return reference;
    const [, , authority, path, query, fragment] = PARTS.exec(reference)!;
    const tail = `${query === undefined ? '' : `?${query}`}${fragment === undefined ? '' : `#${fragment}`}`;
    if (authority !== undefined) return `${this.scheme}//${authority}${withoutDotSegments(path)}${tail}`;
    if (path.startsWith('/')) return this.root + withoutDotSegments(path) + tail;
    if (path !== '') return this.root + this.merge(path) + tail;
    return this.root + this.path + (query === undefined && this.query !== undefined ? `?${this.query}` : '') + tail;
  }

  /** Merges a path without a leading slash into the directory of this base. */
  private merge(path: string): string {
    // Fast path: most references have no dot segments.
    if (!/(?:^|\/)\.\.?(?:\/|$)/.test(path)) return this.directory + path;
    const segments = path.split('/');
    const last = segments[segments.length - 1];
    let directories = this.ends.length;
    const kept: string[] = [];
    for (const segment of segments) {
      if (segment === '.') continue;
      if (segment !== '..') kept.push(segment);
      else if (kept.length > 0) kept.pop();
      else if (directories > this.floor) directories--;
    }
    if (last === '.' || last === '..') kept.push('');
    const directory = directories === 0 ? '' : this.directory.slice(0, this.ends[directories - 1]);
    return directory + kept.join('/');
  }
}

/** RFC 3986 section 5.2.4. */
function withoutDotSegments(path: string): string {
  const segments = path.split('/');
  const last = segments[segments.length - 1];
  const kept = keptSegments(segments, segments[0] === '' ? 1 : 0);
  if (last === '.' || last === '..') kept.push('');
  return kept.join('/');
}

/**
 * Returns the segments that remain after applying `.` and `..`, which never remove the first
 * `floor` ones.
 */
function keptSegments(segments: readonly string[], floor: number): string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    // The empty segment before a leading slash is not a directory.
    else if (kept.length > floor) kept.pop();
  }
  return kept;
}
