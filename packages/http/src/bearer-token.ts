/**
 * Returns the token of an Authorization header (RFC 6750 section 2.1); null if the header is
 * missing or contains none. Two headers, joined by a comma and a space, count as none.
 */
export function bearerToken(authorization: string | null): string | null {
  return /^Bearer +([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
