import { dataFactory } from '../../model/term.ts';
import { XSD_STRING } from '../../model/vocabulary.ts';
import { TERM_KIND, TermBytes, type TermBytesSource } from '../../storage/term-bytes.ts';
import type { TermId } from '../../storage/term-source.ts';
import type { ChunkBuffer } from './chunk-buffer.ts';

/** Places for cells that are kept, powers of two: few at first, since most results are short. */
const FIRST_PLACES = 1 << 6;
const MAX_PLACES = 1 << 12;
/** Copying a longer one would save little, and take much memory. */
const MAX_KEPT_LENGTH = 1 << 10;
/** Bytes of a text that are escaped at once: what they may grow to is set aside before. */
const STRIDE = 1 << 13;
/** Datatypes are few, unless somebody means mischief. */
const KEPT_DATATYPES = 256;

const URI = ascii('{"type":"uri","value":"');
const BNODE = ascii('{"type":"bnode","value":"');
const LITERAL = ascii('{"type":"literal","value":"');
const LANGUAGE = ascii('","xml:lang":"');
const DIRECTION = ascii('","its:dir":"');
const DATATYPE = ascii('","datatype":"');
const END = ascii('"}');
const SUBJECT = ascii('{"type":"triple","value":{"subject":');
const PREDICATE = ascii(',"predicate":');
const OBJECT = ascii(',"object":');
const TRIPLE_END = ascii('}}');

const BACKSLASH = 0x5c;
const HYPHEN = 0x2d;
const HEX = ascii('0123456789abcdef');

const CODE = ascii('u0000');
/** A control that has no letter of its own. */
const CONTROL = 1;

/**
 * By byte: the letter behind a backslash, CONTROL, or 0 for what stands as it is (RFC 8259 section
 * 7).
 */
const ESCAPE = new Uint8Array(256);
ESCAPE.fill(CONTROL, 0, 0x20);
for (const [byte, letter] of [
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0c, 'f'],
  [0x0d, 'r'],
  [0x22, '"'],
  [BACKSLASH, '\\'],
] as const) {
  ESCAPE[byte] = letter.charCodeAt(0);
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/**
 * Writes terms as SPARQL JSON (section 3.2.2) straight from their stored bytes; byte by byte the
 * same as `jsonTerm` makes of the term. What an id was written as is kept from the second time on,
 * since results repeat their terms.
 */
export class JsonCells {
  private readonly terms: TermBytesSource;
  private readonly out: ChunkBuffer;
  private readonly xsdString: TermId;
  private readonly at = new TermBytes();
  /**
   * By the remainder of the id: the id that was there last, and what it is written as; undefined
   * when it was seen once.
   */
  private keptIds = new Int32Array(FIRST_PLACES);
  private kept: (Uint8Array | undefined)[] = new Array(FIRST_PLACES).fill(undefined);
  private missesLeft = FIRST_PLACES;
  private readonly datatypes = new Map<TermId, Uint8Array>();

  constructor(terms: TermBytesSource, out: ChunkBuffer) {
    this.terms = terms;
    this.out = out;
    this.xsdString = terms.find(dataFactory.namedNode(XSD_STRING));
  }

  write(id: TermId): void {
    const { kept, out } = this;
    const at = id & (kept.length - 1);
    if (this.keptIds[at] !== id) {
      this.term(id);
      this.see(id);
      return;
    }
    const known = kept[at];
    if (known !== undefined) {
      out.append(known);
      return;
    }
    const start = out.length;
    this.term(id);
    if (out.length - start <= MAX_KEPT_LENGTH) kept[at] = Uint8Array.from(out.bytes.subarray(start, out.length));
  }

  private see(id: TermId): void {
    if (--this.missesLeft === 0 && this.kept.length < MAX_PLACES) {
      // What was kept comes again soon enough.
      const places = this.kept.length * 4;
      this.keptIds = new Int32Array(places);
      this.kept = new Array(places).fill(undefined);
      this.missesLeft = places;
    }
    const at = id & (this.kept.length - 1);
    this.keptIds[at] = id;
    this.kept[at] = undefined;
  }

  private term(id: TermId): void {
    const { at, out } = this;
    this.terms.locate(id, at);
    switch (at.kind) {
      case TERM_KIND.iri:
        out.append(URI);
        this.string(at.buffer, at.start, at.end);
        out.append(END);
        return;
      case TERM_KIND.literal: {
        const { reference } = at;
        out.append(LITERAL);
        this.string(at.buffer, at.start, at.end);
        // A plain string carries no datatype.
        out.append(reference === this.xsdString ? END : this.datatype(reference));
        return;
      }
      case TERM_KIND.languageLiteral:
        out.append(LITERAL);
        this.string(at.buffer, at.start, at.end);
        this.language(at.reference);
        out.append(END);
        return;
      case TERM_KIND.blankNode:
        out.append(BNODE);
        out.appendText(this.terms.blankNodeLabel(id));
        out.append(END);
        return;
      case TERM_KIND.triple: {
        const [subject, predicate, object] = this.terms.tripleOf(id);
        out.append(SUBJECT);
        this.term(subject);
        out.append(PREDICATE);
        this.term(predicate);
        out.append(OBJECT);
        this.term(object);
        out.append(TRIPLE_END);
        return;
      }
      default:
        throw new RangeError(`The id ${id} names no term that a solution can hold.`);
    }
  }

  /**
   * The stored tag is the language, with `--ltr` or `--rtl` behind it for a literal with a base
   * direction.
   */
  private language(tag: TermId): void {
    const { at, out } = this;
    this.terms.locate(tag, at);
    const { buffer, start, end } = at;
    let mark = start;
    while (mark < end && !(buffer[mark] === HYPHEN && buffer[mark + 1] === HYPHEN)) mark++;
    out.append(LANGUAGE);
    this.string(buffer, start, mark);
    if (mark === end) return;
    out.append(DIRECTION);
    out.append(buffer, mark + 2, end);
  }

  /** What stands behind the text of a literal with this datatype. */
  private datatype(id: TermId): Uint8Array {
    let bytes = this.datatypes.get(id);
    if (bytes === undefined) {
      const { at, out } = this;
      const start = out.length;
      out.append(DATATYPE);
      this.terms.locate(id, at);
      this.string(at.buffer, at.start, at.end);
      out.append(END);
      bytes = Uint8Array.from(out.bytes.subarray(start, out.length));
      out.length = start;
      if (this.datatypes.size >= KEPT_DATATYPES) this.datatypes.clear();
      this.datatypes.set(id, bytes);
    }
    return bytes;
  }

  /**
   * The characters of a JSON string without its quotes. Bytes above ASCII are UTF-8, which JSON has
   * as it is.
   */
  private string(bytes: Uint8Array, start: number, end: number): void {
    for (let from = start; from < end; from += STRIDE) this.escape(bytes, from, Math.min(from + STRIDE, end));
  }

  private escape(bytes: Uint8Array, start: number, end: number): void {
    const { out } = this;
    // Every byte may be a control, which takes six.
    out.reserve((end - start) * 6);
    const target = out.bytes;
    let { length } = out;
    for (let i = start; i < end; i++) {
      const byte = bytes[i];
      const letter = ESCAPE[byte];
      if (letter === 0) {
        target[length++] = byte;
        continue;
      }
      target[length++] = BACKSLASH;
      if (letter !== CONTROL) {
        target[length++] = letter;
        continue;
      }
      target.set(CODE, length);
      target[length + 3] = HEX[byte >> 4];
      target[length + 4] = HEX[byte & 15];
      length += 5;
    }
    out.length = length;
  }
}
