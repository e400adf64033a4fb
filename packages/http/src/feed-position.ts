import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const REVISION_BYTES = 8;
/** A sealed position in base64url: the bytes of all three. */
const SEALED = /^[A-Za-z0-9_-]{48}$/;

/**
 * Seals the revision of a namespace, for callers that may not know it: they can pass it back, but
 * learn nothing from it, not even whether two of them are equal.
 *
 * @param secret of the namespace, known to all servers of a storage, so that each can open what
 *   another one has sealed
 */
export function sealedRevision(revision: number, secret: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(secret), iv);
  const text = Buffer.alloc(REVISION_BYTES);
  text.writeDoubleLE(revision);
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url');
}

/** Returns true if a text has the form of a sealed revision. */
export function isSealed(text: string): boolean {
  return SEALED.test(text);
}

/**
 * Opens a sealed revision. Undefined if it was sealed with another secret: the namespace has been
 * deleted since, or the text was made up.
 */
export function openedRevision(text: string, secret: string): number | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, keyOf(secret), bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(IV_BYTES + REVISION_BYTES));
  try {
    const opened = decipher.update(bytes.subarray(IV_BYTES, IV_BYTES + REVISION_BYTES));
    decipher.final();
    return opened.readDoubleLE();
  } catch {
    return undefined; // The tag does not fit.
  }
}

function keyOf(secret: string): Buffer {
  return createHash('sha256').update(`change feed ${secret}`).digest();
}
