/** What separates words in a name: everything but letters and digits. */
const SEPARATORS = /[^\p{L}\p{N}]+/gu;
/**
 * `phoneNumber`, `HTTPServer`: before a capital that follows a small letter, and before the last of
 * several capitals.
 */
const CASE_CHANGES = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;
/** Longer names are cut: they are no names. */
const MAX_LENGTH = 256;

/**
 * The words of the local name of an IRI: `http://example.org/terms#phoneNumber` gives
 * `phone Number`; '' when it has none.
 */
export function localWords(iri: string): string {
  const trimmed = iri.replace(/[/#:]+$/, '');
  const at = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('#'), trimmed.lastIndexOf(':'));
  const name = decoded(trimmed.slice(at + 1, at + 1 + MAX_LENGTH));
  return name.replace(SEPARATORS, ' ').replace(CASE_CHANGES, ' ').trim();
}

function decoded(name: string): string {
  // What is no UTF-8 stays as it is written.
  return name.replace(/(?:%[0-9a-f]{2})+/giu, (escaped) => {
    const bytes = Uint8Array.from(escaped.slice(1).split('%'), (hex) => Number.parseInt(hex, 16));
    return new TextDecoder().decode(bytes);
  });
}
