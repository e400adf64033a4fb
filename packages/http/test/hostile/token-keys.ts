/** Signs the JWTs that the server of the attacks takes: 32 bytes for HS256. */
export const JWT_KEY = new TextEncoder().encode('a key of tests that has 32 bytes');
