import { TERM_KIND, TermBytes, type TermBytesSource } from '../../contracts/term-bytes.ts';
import type { TermId } from '../../contracts/term-source.ts';
import { dataFactory } from '../../model/term.ts';
import { XSD_STRING } from '../../model/vocabulary.ts';
import type { ChunkBuffer } from './chunk-buffer.ts';

/**
 * Cache sizes in cells, powers of two. Starts small, because most results are short, and V8
 * allocates no buffer for so small an array.
 */
const FIRST_PLACES = 1 << 4;
const MAX_PLACES = 1 << 12;
/** Longer cells are not cached: copying them saves little and takes much memory. */
const MAX_KEPT_LENGTH = 1 << 10;
/** Bytes escaped per step; their maximum escaped size is reserved in advance. */
const STRIDE = 1 << 13;
/** Maximum number of cached datatypes. Legitimate data has few. */
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
/** Marks a control character without a short escape. */
const CONTROL = 1;

/**
 * Escapes by byte: the letter after the backslash, CONTROL, or 0 if no escape is needed (RFC 8259
 * section 7).
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
 * Writes terms as SPARQL JSON (section 3.2.2) directly from their stored bytes. The output is
 * byte-identical to that of `jsonTerm`. Cells are cached from their second occurrence on, because
 * results repeat their terms.
 */
export class JsonCells {
  private readonly terms: TermBytesSource;
  private readonly out: ChunkBuffer;
  private readonly xsdString: TermId;
  private readonly at = new TermBytes();
  /**
   * A direct-mapped cache: the last id at each position, and its output; undefined if the id was
   * seen only once.
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
      // The cache is emptied; frequent terms refill it quickly.
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
        // Plain strings have no datatype in the output.
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
   * Writes the language and base direction. The stored tag is the language, followed by `--ltr` or
   * `--rtl` if the literal has a base direction.
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

  /** Returns the bytes that follow the text of a literal with this datatype. */
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
   * Writes the characters of a JSON string without quotes. Bytes above ASCII are UTF-8, which JSON
   * permits unescaped.
   */
  private string(bytes: Uint8Array, start: number, end: number): void {
    for (let from = start; from < end; from += STRIDE) this.escape(bytes, from, Math.min(from + STRIDE, end));
  }

  private escape(bytes: Uint8Array, start: number, end: number): void {
    const { out } = this;
    // Every byte may be a control character, which takes six bytes.
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
