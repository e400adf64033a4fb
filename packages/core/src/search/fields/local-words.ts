/** Separators of words in a name: everything but letters and digits. */
const SEPARATORS = /[^\p{L}\p{N}]+/gu;
/**
 * Word boundaries in `phoneNumber`, `HTTPServer`: before a capital after a small letter or digit,
 * and before the last of several capitals.
 */
const CASE_CHANGES = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;
/** Longer names are truncated, because they are not real names. */
const MAX_LENGTH = 256;

/**
 * Returns the words of an IRI's local name: `phone Number` for
 * `http://example.org/terms#phoneNumber`; '' if it has none.
 */
export function localWords(iri: string): string {
  const trimmed = iri.replace(/[/#:]+$/, '');
  const at = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('#'), trimmed.lastIndexOf(':'));
  const name = decoded(trimmed.slice(at + 1, at + 1 + MAX_LENGTH));
  return name.replace(SEPARATORS, ' ').replace(CASE_CHANGES, ' ').trim();
}

function decoded(name: string): string {
  // Percent-escapes are decoded; invalid UTF-8 becomes U+FFFD, a separator.
  return name.replace(/(?:%[0-9a-f]{2})+/giu, (escaped) => {
    const bytes = Uint8Array.from(escaped.slice(1).split('%'), (hex) => Number.parseInt(hex, 16));
    return new TextDecoder().decode(bytes);
  });
}
