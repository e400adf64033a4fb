/**
 * The token of an Authorization header (RFC 6750 section 2.1); null when the header is missing or
 * has none. Two headers, joined by a comma and a space, are none either.
 */
export function bearerToken(authorization: string | null): string | null {
  return /^Bearer +([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
