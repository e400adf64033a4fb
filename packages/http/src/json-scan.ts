import { setImmediate } from 'node:timers/promises';
import { HttpError } from './http-error.ts';

/** So many bytes are scanned in one piece: a few milliseconds, where each is a value. */
const SLICE_BYTES = 256 << 10;
/** Shorter strings are parsed with everything else. */
const MIN_LONG_BYTES = 64 * 1024;

/** Bytes between the quotes of a string. */
export interface StringRange {
  readonly start: number;
  readonly end: number;
  /** Whether some of its slashes are escaped, as PHP writes them. */
  readonly hasEscapedSlashes: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Counts the values of JSON in its bytes, before a parser makes objects of them: 64 MB of brackets
 * take it half a minute and gigabytes. Says nothing of whether the JSON is valid.
 */
class JsonScan {
  private readonly bytes: Uint8Array;
  private readonly maxValues: number;
  private readonly member: Uint8Array;
  private position = 0;
  private values = 1;
  private depth = 0;
  private isString = false;
  private hasEscapedSlashes = false;
  private hasOtherEscapes = false;
  private stringStart = 0;
  /** The string that ended last. */
  private last: StringRange = { start: 0, end: 0, hasEscapedSlashes: false };
  /** Whether what is read now is the value of the member, at the top. */
  private isMember = false;
  found: StringRange | undefined;

  constructor(bytes: Uint8Array, maxValues: number, member: string) {
    this.bytes = bytes;
    this.maxValues = maxValues;
    this.member = Buffer.from(member);
  }

  /** Reads so many bytes. Answers whether there are more. Throws HttpError 413. */
  step(length: number): boolean {
    const { bytes } = this;
    const end = Math.min(bytes.length, this.position + length);
    let i = this.position;
    while (i < end) {
      const byte = bytes[i];
      if (this.isString) {
        if (byte === QUOTE) this.endString(i);
        else if (byte === BACKSLASH) {
          i++;
          if (bytes[i] === SLASH) this.hasEscapedSlashes = true;
          else this.hasOtherEscapes = true;
        }
      } else if (byte === QUOTE) {
        this.isString = true;
        this.hasEscapedSlashes = this.hasOtherEscapes = false;
        this.stringStart = i + 1;
      } else this.readSign(byte);
      i++;
    }
    this.position = i;
    return i < bytes.length;
  }

  private endString(end: number): void {
    this.isString = false;
    this.last = { start: this.stringStart, end, hasEscapedSlashes: this.hasEscapedSlashes };
    if (!this.isMember || this.depth !== 1) return;
    // Of several members of one name the last counts, as for JSON.parse.
    this.found = this.hasOtherEscapes || end - this.stringStart < MIN_LONG_BYTES ? undefined : this.last;
  }

  private readSign(byte: number): void {
    switch (byte) {
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        this.depth++;
        this.count();
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        this.depth--;
        break;
      case COMMA:
        if (this.depth === 1) this.isMember = false;
        this.count();
        break;
      case COLON:
        if (this.depth === 1) this.isMember = this.isNamed(this.last);
    }
  }

  private isNamed({ start, end }: StringRange): boolean {
    const { member, bytes } = this;
    return end - start === member.length && member.every((byte, i) => bytes[start + i] === byte);
  }

  private count(): void {
    if (++this.values <= this.maxValues) return;
    throw new HttpError(413, `maxJsonValues: the body has more than ${this.maxValues} values; send less at once.`);
  }
}

/** Throws HttpError 413 for JSON of more values than that. Lets the event loop run meanwhile. */
export async function requireJsonValues(bytes: Uint8Array, maxValues: number): Promise<void> {
  // Each value is a byte at least.
  if (bytes.length > maxValues) await scanJson(bytes, maxValues, '');
}

/**
 * Counts like `requireJsonValues`, and finds the string of a member of the outermost object, if it
 * is long and has no escapes but those of slashes: it need not become a string.
 */
export async function scanJson(bytes: Uint8Array, maxValues: number, member: string): Promise<StringRange | undefined> {
  if (bytes.length < MIN_LONG_BYTES && bytes.length <= maxValues) return undefined;
  const scan = new JsonScan(bytes, maxValues, member);
  while (scan.step(SLICE_BYTES)) await setImmediate();
  return scan.found;
}

/**
 * The characters of a string in its bytes, in pieces between which the event loop runs. A view of
 * the bytes where nothing is escaped.
 */
export async function unescapedSlashes(
  bytes: Uint8Array,
  { start, end, hasEscapedSlashes }: StringRange,
): Promise<Uint8Array> {
  if (!hasEscapedSlashes) return bytes.subarray(start, end);
  const text = Buffer.allocUnsafeSlow(end - start);
  let length = 0;
  for (let from = start; from < end; from += SLICE_BYTES) {
    if (from > start) await setImmediate();
    const to = Math.min(end, from + SLICE_BYTES);
    // Each backslash belongs to a slash.
    for (let i = from; i < to; i++) if (bytes[i] !== BACKSLASH) text[length++] = bytes[i];
  }
  return text.subarray(0, length);
}
