import type { Query, Update } from './algebra/algebra.ts';

/** A longer one is mostly data, and not asked again. */
const MAX_TEXT_LENGTH = 1 << 16;
/** Texts that were asked again, and UTF-16 units of all of them together: what is parsed takes some ten times as many bytes. */
const KEPT = { texts: 256, length: 1 << 20 };
/** The same for texts that were asked once: programs that write values into their texts ask each but once, and must not fill the memory with what was parsed. */
const NEW = { texts: 32, length: 1 << 18 };

/**
 * What was parsed lately, by the text and the base that its IRIs resolve against. A text that is asked once stays for a few others, one that is asked again for
 * longer (the queues of 2Q: Johnson and Shasha 1994).
 */
export class ParsedTexts {
  private readonly parse: (text: string, baseIri: string | undefined) => Query | Update;
  private readonly kept = new Queue(KEPT);
  private readonly fresh = new Queue(NEW);

  /** @param parse what throws is not kept */
  constructor(parse: (text: string, baseIri: string | undefined) => Query | Update) {
    this.parse = parse;
  }

  get size(): number {
    return this.kept.size + this.fresh.size;
  }

  get(text: string, baseIri: string | undefined): Query | Update {
    if (text.length > MAX_TEXT_LENGTH) return this.parse(text, baseIri);
    // The length says where the base ends, so that no two pairs have one key.
    const key = `${baseIri?.length ?? ''}:${baseIri ?? ''}${text}`;
    const known = this.kept.take(key) ?? this.fresh.take(key);
    const operation = known ?? this.parse(text, baseIri);
    (known ? this.kept : this.fresh).put(key, operation);
    return operation;
  }
}

/** Texts in the order of their use, of which the one not asked for the longest goes first. */
class Queue {
  /** A Map's order is that of its insertions. */
  private readonly operations = new Map<string, Query | Update>();
  private readonly most: { readonly texts: number; readonly length: number };
  private totalLength = 0;

  constructor(most: { readonly texts: number; readonly length: number }) {
    this.most = most;
  }

  get size(): number {
    return this.operations.size;
  }

  take(key: string): Query | Update | undefined {
    const operation = this.operations.get(key);
    if (operation) this.remove(key);
    return operation;
  }

  /** @param key not there */
  put(key: string, operation: Query | Update): void {
    this.operations.set(key, operation);
    this.totalLength += key.length;
    for (const oldest of this.operations.keys()) {
      if (this.operations.size <= this.most.texts && this.totalLength <= this.most.length) break;
      this.remove(oldest);
    }
  }

  private remove(key: string): void {
    this.operations.delete(key);
    this.totalLength -= key.length;
  }
}
