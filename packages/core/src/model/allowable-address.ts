/**
 * Returns what to allow for a remote context: its address over TLS, since plain http is not fetched
 * by default, without query and fragment.
 */
export function allowableAddress(url: string): string {
  return url.replace(/^http:/, 'https:').replace(/[?#].*$/s, '');
}
