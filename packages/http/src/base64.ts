/**
 * The bytes of a base64 text (RFC 4648 section 4); undefined when it is not one. Node's decoder skips what it does not know and stops at
 * padding, so that garbage shows in the length; it also takes the alphabet for URLs, which is another encoding (section 5).
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === (text.length / 4) * 3 - padding ? bytes : undefined;
}
