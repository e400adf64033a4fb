import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import type { HashName, PlatformBytes, PlatformHash } from '../platform.ts';
import { BrowserBytes } from './browser-bytes.ts';

const HASHES = { md5, sha1, sha256, sha384, sha512 };

interface Incremental {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
  clone(): Incremental;
}

/** A hash in JavaScript, because those of Web Crypto are asynchronous and take all data at once. */
class BrowserHash implements PlatformHash {
  private readonly hash: Incremental;

  constructor(hash: Incremental) {
    this.hash = hash;
  }

  update(data: string | Uint8Array): this {
    this.hash.update(typeof data === 'string' ? BrowserBytes.from(data) : data);
    return this;
  }

  digest(): PlatformBytes;
  digest(encoding: 'hex'): string;
  digest(encoding?: 'hex'): PlatformBytes | string {
    const bytes = BrowserBytes.from(this.hash.digest());
    return encoding ? bytes.toString(encoding) : (bytes as PlatformBytes);
  }

  copy(): BrowserHash {
    return new BrowserHash(this.hash.clone());
  }
}

export function createHash(name: HashName): PlatformHash {
  return new BrowserHash(HASHES[name].create());
}

/** Returns the hash of a text's UTF-8 as lower-case hexadecimal digits. */
export function hexHash(name: HashName, text: string): string {
  return createHash(name).update(text).digest('hex');
}
