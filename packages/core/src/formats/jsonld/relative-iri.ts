/** RFC 3986 appendix B, with scheme and authority as one part. */
const PARTS = /^((?:[^:/?#]+:)?(?:\/\/[^/?#]*)?)([^?#]*)(\?[^#]*)?(#.*)?$/s;

/**
 * A reference that gives `iri` when it is resolved against `base`, or `iri` where the two have no
 * scheme and authority in common. It is not proven: a segment may look like a scheme, so resolve it
 * again.
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
