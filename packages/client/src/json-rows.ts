import { WorldsError } from '@rdf-worlds/core/remote';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The depth of the array of rows: `{"results": {"bindings": [`. */
const ROWS_DEPTH = 3;
const ROWS_BEGIN = /"results"\s*:\s*\{(?:[^{}[\]]*,)?\s*"(bindings|quads)"\s*:\s*\[$/;

/** What precedes the rows: the head, and what the rows are. */
export interface RowsBegin {
  readonly kind: 'bindings' | 'quads';
  /** The document so far, with an empty array of rows. */
  readonly document: unknown;
}

/**
 * Splits SPARQL results in JSON into rows while they arrive. Finds the boundaries of rows by
 * counting brackets, so that `JSON.parse` reads many rows at a time; holds one piece of the text
 * and the beginning of one row.
 */
export class JsonRows {
  /** The kind of the rows and what precedes them, once they have begun. */
  begin: RowsBegin | undefined;
  /** The text outside of the rows. */
  private skeleton = '';
  /** What has not been passed on: the beginning of a row, or of the rest. */
  private text = '';
  /** How far `text` has been scanned. */
  private at = 0;
  private depth = 0;
  private isInString = false;
  private isInRows = false;
  private hadRows = false;

  /** Adds a piece of the text. Returns the rows that it completes. Throws UNAVAILABLE. */
  push(piece: string): unknown[] {
    this.text += piece;
    return this.isInRows || !this.hadRows ? this.scan() : this.keep();
  }

  /** Returns the document without its rows. Throws UNAVAILABLE if it is incomplete. */
  end(): unknown {
    this.keep();
    return parsedResults(this.skeleton);
  }

  private keep(): unknown[] {
    this.skeleton += this.text;
    this.text = '';
    this.at = 0;
    return [];
  }

  private scan(): unknown[] {
    const { text } = this;
    const { length } = text;
    let rows: unknown[] = [];
    /** Where the rows of this piece begin and end. */
    let start = 0;
    let complete = 0;
    let at = this.at;
    while (at < length) {
      if (this.isInString) {
        const close = text.indexOf('"', at);
        if (close < 0) {
          at = length;
          break;
        }
        at = close + 1;
        if (!isEscaped(text, close)) this.isInString = false;
        continue;
      }
      const unit = text.charCodeAt(at++);
      if (unit === QUOTE) this.isInString = true;
      else if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) {
        this.depth++;
        if (!this.isInRows && !this.hadRows && this.depth === ROWS_DEPTH && unit === OPEN_ARRAY) {
          const found = this.beginRows(text.slice(0, at));
          if (found) start = complete = at;
        }
      } else if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) {
        this.depth--;
        if (!this.isInRows) continue;
        if (this.depth === ROWS_DEPTH) complete = at;
        else if (this.depth < ROWS_DEPTH) {
          // The end of the array: what follows belongs to the document.
          rows = rowsOf(text.slice(start, at - 1));
          this.isInRows = false;
          this.hadRows = true;
          this.text = text.slice(at - 1);
          this.keep();
          return rows;
        }
      }
    }
    if (this.isInRows) {
      if (complete > start) rows = rowsOf(text.slice(start, complete));
      this.text = text.slice(complete);
      this.at = at - complete;
    } else this.at = at;
    return rows;
  }

  private beginRows(before: string): boolean {
    const kind = ROWS_BEGIN.exec(before)?.[1] as RowsBegin['kind'] | undefined;
    if (!kind) return false;
    this.skeleton = before;
    this.isInRows = true;
    this.begin = { kind, document: parsedResults(`${before}]}}`) };
    return true;
  }
}

/** Returns true if an odd number of backslashes precedes a quotation mark. */
function isEscaped(text: string, quote: number): boolean {
  let at = quote - 1;
  while (text.charCodeAt(at) === BACKSLASH) at--;
  return (quote - 1 - at) % 2 === 1;
}

/** Parses rows with the commas between them, and one before or after them. */
function rowsOf(text: string): unknown[] {
  const trimmed = text.replace(/^\s*,/, '').replace(/,\s*$/, '');
  const rows = parsedResults(`[${trimmed}]`);
  return rows as unknown[];
}

/** Parses results in one piece. Throws UNAVAILABLE if they are incomplete. */
export function parsedResults(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new WorldsError('UNAVAILABLE', 'The response is incomplete: the SPARQL results in JSON were cut off.', {
      cause,
    });
  }
}
