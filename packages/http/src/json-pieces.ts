/**
 * Length of a piece in UTF-16 code units: a few milliseconds of work, even if it is all brackets.
 */
const PIECE_UNITS = 1 << 15;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Returns what `JSON.parse` returns, parsing one piece per step: tens of thousands of small objects
 * take it a tenth of a second. Long arrays and objects are read item by item, and everything
 * shorter than a piece is parsed together with its neighbours. Throws `SyntaxError`. A kernel.
 *
 * @param units maximum length of a piece, in UTF-16 code units; only a string, number or word may
 *   be longer
 */
export function* parseJsonPieces(text: string, units = PIECE_UNITS): Generator<void, unknown, void> {
  const reader = new PieceReader(text, units);
  const value = yield* reader.value();
  reader.requireEnd();
  return value;
}

class PieceReader {
  private readonly text: string;
  private readonly units: number;
  private position = 0;

  constructor(text: string, units: number) {
    this.text = text;
    this.units = units;
  }

  *value(): Generator<void, unknown, void> {
    this.skipSpace();
    const start = this.position;
    const end = this.endOf(start);
    if (end !== undefined) {
      this.position = end;
      return this.parsed(start, end);
    }
    return yield* this.longValue();
  }

  requireEnd(): void {
    this.skipSpace();
    if (this.position < this.text.length) throw this.malformed(this.position, this.text.length);
  }

  /** Reads a value that is longer than a piece. */
  private *longValue(): Generator<void, unknown, void> {
    const start = this.position;
    switch (this.text.charCodeAt(start)) {
      case OPEN_ARRAY:
        return yield* this.longArray();
      case OPEN_OBJECT:
        return yield* this.longObject();
      case QUOTE:
        this.position = this.endOfString(start, this.text.length) ?? this.text.length;
        yield;
        return this.parsed(start, this.position);
      default:
        throw new TypeError('Numbers and words are never too long.');
    }
  }

  private *longArray(): Generator<void, unknown[], void> {
    const items: unknown[] = [];
    if (this.isEmpty(CLOSE_ARRAY)) return items;
    // The start of the next piece, and the end of its last item so far.
    let from = this.position;
    let end = from;
    for (;;) {
      this.skipSpace();
      const itemEnd = this.endOf(this.position);
      if (itemEnd === undefined) {
        this.append(items, from, end);
        items.push(yield* this.longValue());
        from = this.position;
      } else this.position = itemEnd;
      end = this.position;
      const isOver = this.endItem(CLOSE_ARRAY);
      if (isOver || end - from >= this.units) {
        this.append(items, from, end);
        yield;
        from = end = this.position;
      } else if (end === from) from = end = this.position;
      if (isOver) return items;
    }
  }

  private *longObject(): Generator<void, Record<string, unknown>, void> {
    const members: Record<string, unknown> = {};
    if (this.isEmpty(CLOSE_OBJECT)) return members;
    // The start of the next piece, and the end of its last item so far.
    let from = this.position;
    let end = from;
    for (;;) {
      this.skipSpace();
      const start = this.position;
      if (this.text.charCodeAt(start) !== QUOTE) throw this.malformed(start, start + 1);
      const keyEnd = this.endOfString(start, this.text.length) ?? this.text.length;
      this.position = keyEnd;
      this.skipSpace();
      if (this.text.charCodeAt(this.position) !== COLON) throw this.malformed(start, this.position + 1);
      this.position++;
      this.skipSpace();
      const valueEnd = this.endOf(this.position);
      if (valueEnd === undefined) {
        this.assign(members, from, end);
        const key = this.parsed(start, keyEnd) as string;
        setMember(members, key, yield* this.longValue());
        from = this.position;
      } else this.position = valueEnd;
      end = this.position;
      const isOver = this.endItem(CLOSE_OBJECT);
      if (isOver || end - from >= this.units) {
        this.assign(members, from, end);
        yield;
        from = end = this.position;
      } else if (end === from) from = end = this.position;
      if (isOver) return members;
    }
  }

  /** Reads an opening bracket, and the closing one if nothing is between them. */
  private isEmpty(close: number): boolean {
    this.position++;
    this.skipSpace();
    if (this.text.charCodeAt(this.position) !== close) return false;
    this.position++;
    return true;
  }

  /** Reads the comma or bracket after an item. Returns true for the bracket. */
  private endItem(close: number): boolean {
    this.skipSpace();
    const code = this.text.charCodeAt(this.position);
    if (code !== close && code !== COMMA) throw this.malformed(this.position, this.position + 1);
    this.position++;
    return code === close;
  }

  private append(items: unknown[], from: number, to: number): void {
    for (const item of this.parsed(from, to, '[', ']') as unknown[]) items.push(item);
  }

  private assign(members: Record<string, unknown>, from: number, to: number): void {
    const piece = this.parsed(from, to, '{', '}') as Record<string, unknown>;
    for (const key of Object.keys(piece)) setMember(members, key, piece[key]);
  }

  private parsed(from: number, to: number, open = '', close = ''): unknown {
    const piece = this.text.slice(from, to);
    try {
      return JSON.parse(open + piece + close);
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      throw this.malformed(from, to, cause);
    }
  }

  private malformed(from: number, to: number, cause?: SyntaxError): SyntaxError {
    const end = Math.min(to, this.text.length);
    const problem = from >= this.text.length ? 'it ends too early' : `malformed between positions ${from} and ${end}`;
    return new SyntaxError(problem, { cause });
  }

  /** Returns the end of a value; undefined if it is longer than a piece. */
  private endOf(start: number): number | undefined {
    const { text } = this;
    const most = Math.min(text.length, start + this.units);
    const first = text.charCodeAt(start);
    if (first === QUOTE) return this.endOfString(start, most);
    if (first !== OPEN_ARRAY && first !== OPEN_OBJECT) {
      let at = start;
      while (at < text.length && !isDelimiter(text.charCodeAt(at))) at++;
      if (at === start) throw this.malformed(start, start + 1);
      return at;
    }
    let depth = 0;
    for (let at = start; at < most; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        const end = this.endOfString(at, most);
        if (end === undefined) return undefined;
        at = end - 1;
      } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) depth++;
      else if ((code === CLOSE_ARRAY || code === CLOSE_OBJECT) && --depth === 0) return at + 1;
    }
    return undefined;
  }

  /** Returns the end of a string; undefined if it is not before `most`. */
  private endOfString(start: number, most: number): number | undefined {
    const { text } = this;
    for (let at = start + 1; at < most; at++) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) return at + 1;
    }
    return undefined;
  }

  private skipSpace(): void {
    while (isSpace(this.text.charCodeAt(this.position))) this.position++;
  }
}

/** Sets a member as `JSON.parse` does, which gives `__proto__` no meaning. */
function setMember(members: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') members[key] = value;
  else Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true });
}

function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB;
}

function isDelimiter(code: number): boolean {
  return isSpace(code) || code === COMMA || code === CLOSE_ARRAY || code === CLOSE_OBJECT || code === COLON;
}
