/**
 * A scheme (RFC 3986 section 3.1), then nothing that the IRIREF production of Turtle, TriG and SPARQL forbids: controls, space and
 * `<>"{}|^`, backtick and backslash. A lone surrogate has no UTF-8 form, so it is no character either.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the production excludes the range #x00-#x20
const ABSOLUTE_IRI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\u0000-\u0020<>"{}|^`\\\uD800-\uDFFF]*$/u;

/**
 * Whether a string is an absolute IRI that every RDF syntax can carry unescaped. Nothing else may enter a store, so that no writer can
 * be injected. Deliberately no deeper check of authority or path: RDF 1.1 Concepts 3.2 compares IRIs as strings.
 */
export function isAbsoluteIri(iri: string): boolean {
  return ABSOLUTE_IRI.test(iri);
}

/** The five parts of an IRI reference: RFC 3986 appendix B. */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/**
 * Resolves an IRI reference against an absolute base (RFC 3986 section 5.2). An absolute reference stays as it is, dot segments and all,
 * as Turtle and SPARQL have it. So does `2020:x`: the first segment of a relative one has no colon (section 4.2), so that it is none. The result is
 * not checked: see {@link isAbsoluteIri}.
 */
export function resolveIri(reference: string, base: string): string {
  if (/^[^/?#]*:/.test(reference)) return reference;
  const [, scheme, baseAuthority, basePath, baseQuery] = PARTS.exec(base)!;
  let [, , authority, path, query, fragment] = PARTS.exec(reference)!;
  if (authority !== undefined) path = withoutDotSegments(path);
  else {
    authority = baseAuthority;
    if (path === '') {
      path = basePath;
      query ??= baseQuery;
    } else if (path.startsWith('/')) path = withoutDotSegments(path);
    // Section 5.2.3: merge paths
    else if (baseAuthority !== undefined && basePath === '') path = withoutDotSegments(`/${path}`);
    else path = withoutDotSegments(basePath.slice(0, basePath.lastIndexOf('/') + 1) + path);
  }
  return (
    (scheme === undefined ? '' : `${scheme}:`) +
    (authority === undefined ? '' : `//${authority}`) +
    path +
    (query === undefined ? '' : `?${query}`) +
    (fragment === undefined ? '' : `#${fragment}`)
  );
}

/** RFC 3986 section 5.2.4. */
function withoutDotSegments(path: string): string {
  const segments = path.split('/');
  const last = segments[segments.length - 1];
  const kept: string[] = [];
  for (const [index, segment] of segments.entries()) {
    if (segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    // The empty segment before a leading slash is no directory to leave.
    else if (kept.length > (segments[0] === '' ? 1 : 0) && index > 0) kept.pop();
  }
  if (last === '.' || last === '..') kept.push('');
  return kept.join('/');
}
