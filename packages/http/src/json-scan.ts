import { HttpError } from './http-error.ts';
import type { Limits } from './limits.ts';
import { ROUNDS } from './rounds.ts';

/**
 * Bytes scanned before yielding to the event loop: a few milliseconds, even if each byte is a
 * value.
 */
const SLICE_BYTES = 256 << 10;
/** Bytes of the shortest member, with its comma. */
const MEMBER_BYTES = 5;
/** Minimum length of a string worth extracting; shorter ones are parsed with the rest. */
const MIN_LONG_BYTES = 64 * 1024;

/** What a JSON text may contain. */
export type JsonBounds = Pick<Limits, 'maxJsonValues' | 'maxJsonMembers' | 'maxJsonDepth'>;

/** The bytes between the quotes of a string. */
export interface StringRange {
  readonly start: number;
  readonly end: number;
  /** True if it contains slashes escaped as `\/`, as PHP writes them. */
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
 * Counts the values of a JSON text, and the members of each object, without parsing it: 64 MB of
 * brackets would cost a parser half a minute and gigabytes of memory. Does not validate the JSON.
 */
class JsonScan {
  private readonly bytes: Uint8Array;
  private readonly bounds: JsonBounds;
  private readonly member: Uint8Array;
  private position = 0;
  private values = 1;
  private depth = 0;
  /** Of the open object or array at each depth. */
  private readonly members: number[] = [];
  private isString = false;
  private hasEscapedSlashes = false;
  private hasOtherEscapes = false;
  private stringStart = 0;
  /** The most recently completed string. */
  private last: StringRange = { start: 0, end: 0, hasEscapedSlashes: false };
  /** True while scanning the value of the searched member of the outermost object. */
  private isMember = false;
  found: StringRange | undefined;

  constructor(bytes: Uint8Array, bounds: JsonBounds, member: string) {
    this.bytes = bytes;
    this.bounds = bounds;
    this.member = Buffer.from(member);
  }

  /** Scans up to `length` bytes. Returns true if bytes remain. Throws `HttpError` 413. */
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
    // The last of several members with the same name wins, as in JSON.parse.
    this.found = this.hasOtherEscapes || end - this.stringStart < MIN_LONG_BYTES ? undefined : this.last;
  }

  private readSign(byte: number): void {
    switch (byte) {
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        this.count();
        this.open();
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
        this.countMember();
        if (this.depth === 1) this.isMember = this.isNamed(this.last);
    }
  }

  private isNamed({ start, end }: StringRange): boolean {
    const { member, bytes } = this;
    return end - start === member.length && member.every((byte, i) => bytes[start + i] === byte);
  }

  private count(): void {
    const { maxJsonValues } = this.bounds;
    if (++this.values <= maxJsonValues) return;
    throw new HttpError(413, `maxJsonValues: the body has more than ${maxJsonValues} values; send fewer per request.`);
  }

  private open(): void {
    const { maxJsonDepth } = this.bounds;
    this.members[++this.depth] = 0;
    if (this.depth <= maxJsonDepth) return;
    throw new HttpError(400, `maxJsonDepth: the body is nested more than ${maxJsonDepth} levels deep; nest it less.`);
  }

  private countMember(): void {
    const { maxJsonMembers } = this.bounds;
    if (++this.members[this.depth] <= maxJsonMembers) return;
    throw new HttpError(
      413,
      `maxJsonMembers: an object of the body has more than ${maxJsonMembers} members; send fewer per request.`,
    );
  }
}

/**
 * Throws `HttpError` 413 if a JSON text has more values, or an object of it more members, than it
 * may, and 400 if it is nested too deeply. Yields to the event loop.
 */
export async function requireJsonValues(bytes: Uint8Array, bounds: JsonBounds): Promise<void> {
  if (isWorthScanning(bytes, bounds)) await scanJson(bytes, bounds, '');
}

/**
 * Returns false if a text is too short to exceed the bounds: each value takes at least one byte.
 */
function isWorthScanning({ length }: Uint8Array, bounds: JsonBounds): boolean {
  const { maxJsonValues, maxJsonMembers, maxJsonDepth } = bounds;
  return length > Math.min(maxJsonValues, maxJsonMembers * MEMBER_BYTES, maxJsonDepth);
}

/**
 * Counts values as `requireJsonValues` does, and finds the string value of a member of the
 * outermost object. Returns its range only if it is long and has no escapes but `\/`, so that it
 * can be used without becoming a JavaScript string.
 */
export async function scanJson(
  bytes: Uint8Array,
  bounds: JsonBounds,
  member: string,
): Promise<StringRange | undefined> {
  if (bytes.length < MIN_LONG_BYTES && !isWorthScanning(bytes, bounds)) return undefined;
  const scan = new JsonScan(bytes, bounds, member);
  while (scan.step(SLICE_BYTES)) await ROUNDS.pause();
  return scan.found;
}

/**
 * Returns the bytes of a string with `\/` unescaped, yielding to the event loop between slices. A
 * view of the original bytes if nothing is escaped.
 */
export async function unescapedSlashes(
  bytes: Uint8Array,
  { start, end, hasEscapedSlashes }: StringRange,
): Promise<Uint8Array> {
  if (!hasEscapedSlashes) return bytes.subarray(start, end);
  const text = Buffer.allocUnsafeSlow(end - start);
  let length = 0;
  for (let from = start; from < end; from += SLICE_BYTES) {
    if (from > start) await ROUNDS.pause();
    const to = Math.min(end, from + SLICE_BYTES);
    // Every backslash belongs to an escaped slash.
    for (let i = from; i < to; i++) if (bytes[i] !== BACKSLASH) text[length++] = bytes[i];
  }
  return text.subarray(0, length);
}
