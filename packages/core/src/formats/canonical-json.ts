/**
 * The canonical text of a JSON value (RFC 8785): members sorted by UTF-16 code units, numbers and strings as ECMAScript writes
 * them, no whitespace. It is the lexical form of an rdf:JSON literal (JSON-LD 1.1 API section 8.6.1, step 2.6).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
