/**
 * The five parts of a reference, by the expression of RFC 3986 appendix B; undefined means absent,
 * '' means empty.
 */
interface Parts {
  readonly scheme?: string;
  readonly authority?: string;
  readonly path: string;
  readonly query?: string;
  readonly fragment?: string;
}

function split(reference: string): Parts {
  const match = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/isu.exec(reference)!;
  return { scheme: match[1], authority: match[2], path: match[3], query: match[4], fragment: match[5] };
}

/** Removes dot segments: RFC 3986 section 5.2.4, over segments. */
function withoutDots(path: string): string {
  const segments = path.split('/');
  const kept: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const last = index === segments.length - 1;
    if (segment === '..') {
      // The empty first segment of an absolute path, before its slash, stays.
      if (kept.length > 1 || (kept.length === 1 && kept[0] !== '')) kept.pop();
      if (last) kept.push('');
    } else if (segment === '.') {
      if (last) kept.push('');
    } else {
      kept.push(segment);
    }
  }
  return kept.join('/');
}

function mergedPath(base: Parts, path: string): string {
  if (base.authority !== undefined && base.path === '') return `/${path}`;
  return base.path.slice(0, base.path.lastIndexOf('/') + 1) + path;
}

function joined({ scheme, authority, path, query, fragment }: Parts): string {
  return [
    scheme === undefined ? '' : `${scheme}:`,
    authority === undefined ? '' : `//${authority}`,
    path,
    query === undefined ? '' : `?${query}`,
    fragment === undefined ? '' : `#${fragment}`,
  ].join('');
}

/** Returns whether an IRI has a scheme and needs no base. */
export function isAbsoluteIri(iri: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/iu.test(iri);
}

/**
 * Resolves a relative reference against a base (RFC 3986 section 5.2.2; SPARQL 1.1 section
 * 4.1.1.2). Returns an absolute IRI unchanged: "neither Syntax-Based Normalization nor Scheme-Based
 * Normalization are performed".
 */
export function resolveIri(reference: string, baseIri: string): string {
  if (isAbsoluteIri(reference)) return reference;
  const base = split(baseIri);
  const { authority, path, query, fragment } = split(reference);
  const { scheme } = base;
  if (authority !== undefined) return joined({ scheme, authority, path: withoutDots(path), query, fragment });
  if (path === '') {
    return joined({ scheme, authority: base.authority, path: base.path, query: query ?? base.query, fragment });
  }
  const full = withoutDots(path.startsWith('/') ? path : mergedPath(base, path));
  return joined({ scheme, authority: base.authority, path: full, query, fragment });
}
