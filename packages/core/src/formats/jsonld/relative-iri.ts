/** RFC 3986 appendix B, with scheme and authority as one part. */
const PARTS = /^((?:[^:/?#]+:)?(?:\/\/[^/?#]*)?)([^?#]*)(\?[^#]*)?(#.*)?$/s;

/**
 * Returns a reference that resolves to `iri` against `base`, or `iri` itself if the two do not
 * share scheme and authority. The caller must verify the result by resolving it: a segment may look
 * like a scheme.
 */
export function relativeIri(iri: string, base: string): string {
  const [, root, path, query = '', fragment = ''] = PARTS.exec(iri)!;
  const [, baseRoot, basePath, baseQuery = ''] = PARTS.exec(base)!;
  if (root !== baseRoot || !path.startsWith('/') || !basePath.startsWith('/')) return iri;
  const tail = query + fragment;
  if (path === basePath && query === baseQuery && fragment !== '') return fragment;
  if (path === basePath && query !== '') return tail;
  const segments = path.split('/');
  const directories = basePath.split('/').slice(0, -1);
  let shared = 0;
  while (shared < directories.length && shared < segments.length - 1 && directories[shared] === segments[shared])
    shared++;
  const relative = '../'.repeat(directories.length - shared) + segments.slice(shared).join('/');
  return (relative === '' ? './' : relative) + tail;
}
