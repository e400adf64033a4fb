import { createHash, type HashName, hexHash, type PlatformHash } from '#platform';

/**
 * Texts are collected up to this length, in UTF-16 units, and hashed at once. A hash object of the
 * platform costs several times as much, and walks keep one for each of thousands of levels.
 */
const MAX_COLLECTED = 1 << 11;

/** Incremental hash of concatenated texts. */
export class TextHash {
  private readonly name: HashName;
  private collected = '';
  /** Undefined while all the text is collected. */
  private hash: PlatformHash | undefined;

  constructor(name: HashName) {
    this.name = name;
  }

  update(text: string): void {
    if (!this.hash && this.collected.length + text.length <= MAX_COLLECTED) {
      this.collected += text;
      return;
    }
    this.hash ??= createHash(this.name).update(this.collected, 'utf8');
    this.hash.update(text, 'utf8');
  }

  /** Returns the hash in hexadecimal digits. */
  digest(): string {
    return this.hash ? this.hash.digest('hex') : hexHash(this.name, this.collected);
  }
}
