import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const HASHES = { md5, sha1, sha256, sha384, sha512 };

/** `createHash` of `node:crypto`, with the methods that tests use. */
export function createHash(name: keyof typeof HASHES) {
  const hash = HASHES[name].create();
  const own = {
    update(data: string | Uint8Array, encoding?: 'latin1') {
      const bytes = encoding === 'latin1' ? Uint8Array.from(data as string, (char) => char.charCodeAt(0)) : undefined;
      hash.update(bytes ?? (typeof data === 'string' ? utf8ToBytes(data) : data));
      return own;
    },
    digest: (_encoding: 'hex') => bytesToHex(hash.digest()),
  };
  return own;
}
