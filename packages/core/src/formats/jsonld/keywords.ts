/** The keywords of JSON-LD 1.1 (section 1.7) allowed in documents, without those of framing. */
const KEYWORDS = new Set([
  '@base',
  '@container',
  '@context',
  '@direction',
  '@graph',
  '@id',
  '@import',
  '@included',
  '@index',
  '@json',
  '@language',
  '@list',
  '@nest',
  '@none',
  '@prefix',
  '@propagate',
  '@protected',
  '@reverse',
  '@set',
  '@type',
  '@value',
  '@version',
  '@vocab',
]);

/** The framing keywords (JSON-LD 1.1 Framing section 1.4). */
export const FRAMING_KEYWORDS = ['@default', '@embed', '@explicit', '@omitDefault', '@requireAll'] as const;

const FRAMING: ReadonlySet<string> = new Set(FRAMING_KEYWORDS);

export function isFramingKeyword(value: string): boolean {
  return value.charCodeAt(0) === 0x40 && FRAMING.has(value);
}

export function isKeyword(value: string): boolean {
  return value.charCodeAt(0) === 0x40 && KEYWORDS.has(value);
}

/**
 * JSON-LD 1.1 API section 5.2.2, step 2: names with the form of a keyword are ignored, since a
 * later version may define them.
 */
export function looksLikeKeyword(value: string): boolean {
  return value.charCodeAt(0) === 0x40 && /^@[A-Za-z]+$/.test(value);
}

/**
 * Returns whether a string has the form of an absolute IRI: a scheme, and no character that ends a
 * line or a token.
 */
export function looksLikeIri(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 3987 has no controls and no space
  return /^[A-Za-z][A-Za-z0-9+.-]*:[^\u0000-\u0020<>"{}|^`\\]*$/.test(value);
}

/**
 * Returns whether an expanded name is an IRI or blank node identifier: it has a scheme or `_`,
 * whatever follows.
 */
export function hasScheme(value: string): boolean {
  return value.includes(':');
}
