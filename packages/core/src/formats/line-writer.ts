import { Buffer } from '#platform';
import type { QuadBatch } from '../contracts/quad-batch.ts';
import { TERM_KIND, TermBytes, type TermBytesSource } from '../contracts/term-bytes.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { XSD_STRING } from '../model/vocabulary.ts';
import { copySteps, copyText, STEP_BYTES } from './copy-text.ts';
import { WrittenTerms } from './written-terms.ts';

/** Size of a chunk's buffer; a longer line gets a larger buffer and a chunk of its own. */
const CHUNK_BYTES = 1 << 16;
/**
 * Extra room after everything reserved: for the punctuation around a term and the excess bytes that
 * a copy in steps writes.
 */
const SLACK = STEP_BYTES + 16;

const SPACE = 0x20;
const QUOTE = 0x22;
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const AT = 0x40;
const BACKSLASH = 0x5c;
/** `^^`, and a full stop followed by a line feed, both little-endian. */
const CARETS = 0x5e5e;
const END_OF_LINE = 0x0a2e;

/**
 * The ECHAR escape of a byte in a string, or 0 (RDF 1.1 N-Quads, canonical form: only these four
 * are escaped).
 */
const ESCAPE = new Uint8Array(256);
ESCAPE[QUOTE] = QUOTE;
ESCAPE[BACKSLASH] = BACKSLASH;
ESCAPE[0x0a] = 'n'.charCodeAt(0);
ESCAPE[0x0d] = 'r'.charCodeAt(0);

/**
 * Writes quads as lines of N-Quads into chunks of whole lines. Each chunk has its own buffer,
 * filled as far as possible: buffer allocation drives V8's garbage collector, whose work is a
 * considerable part of an export. The writing methods take their start offset and return their end
 * offset.
 */
export class LineWriter {
  private readonly terms: TermBytesSource;
  private readonly xsdString: TermId;
  private readonly found = new TermBytes();
  /** Cache of predicates, graphs and datatypes, which have few distinct values. */
  private readonly written = new WrittenTerms();
  private out = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  private view = new DataView(this.out.buffer);
  /** The highest offset at which reserved bytes may end. */
  private limit = CHUNK_BYTES - SLACK;
  /** Start of the current line; the lines before it are complete. */
  private lineStart = 0;
  private full: Uint8Array | undefined;
  /**
   * The subject of the last line, often that of the next one too, and its location in `out`,
   * including the space after it.
   */
  private subject: TermId = NO_TERM;
  private subjectStart = 0;
  private subjectLength = 0;

  constructor(terms: TermBytesSource) {
    this.terms = terms;
    this.xsdString = terms.find({ termType: 'NamedNode', value: XSD_STRING, equals: () => false });
  }

  /**
   * Writes rows of one graph from `row` on until a chunk is full and returns the next row; the
   * caller must then call {@link takeFull} until it returns undefined.
   */
  write({ subject, predicate, object, length }: QuadBatch, row: number, graph: TermId): number {
    while (row < length) {
      this.lineStart = this.line(this.lineStart, subject[row], predicate[row], object[row], graph);
      row++;
      if (this.full !== undefined || this.lineStart > CHUNK_BYTES) break;
    }
    return row;
  }

  /** Returns a full chunk, or undefined if there is none. */
  takeFull(): Uint8Array | undefined {
    const { full } = this;
    if (full !== undefined) {
      this.full = undefined;
      return full;
    }
    if (this.lineStart <= CHUNK_BYTES) return undefined;
    const long = this.takeRest();
    this.use(CHUNK_BYTES);
    this.lineStart = 0;
    this.subject = NO_TERM;
    return long;
  }

  /** Returns the written bytes not taken yet, at the end of the document. */
  takeRest(): Uint8Array {
    return this.out.subarray(0, this.lineStart);
  }

  private line(at: number, subject: TermId, predicate: TermId, object: TermId, graph: TermId): number {
    at = this.repeatable(subject, at);
    at = this.again(predicate, at);
    this.out[at++] = SPACE;
    at = this.term(object, at);
    this.out[at++] = SPACE;
    if (graph !== DEFAULT_GRAPH) {
      at = this.again(graph, at);
      this.out[at++] = SPACE;
    }
    this.view.setInt16(at, END_OF_LINE, true);
    return at + 2;
  }

  /** Writes the subject of a line and a space. */
  private repeatable(subject: TermId, at: number): number {
    const { subjectStart, subjectLength, view } = this;
    if (subject === this.subject && at + subjectLength <= this.limit) {
      copySteps(view, subjectStart, subjectStart + subjectLength, view, at);
      this.subjectStart = at;
      return at + subjectLength;
    }
    at = this.term(subject, at);
    this.out[at++] = SPACE;
    this.subject = subject;
    this.subjectStart = this.lineStart;
    this.subjectLength = at - this.lineStart;
    return at;
  }

  /** Writes a term that is likely to recur, through the cache. */
  private again(id: TermId, at: number): number {
    const { written } = this;
    if (written.seek(id)) {
      const length = written.end - written.start;
      at = this.reserve(at, length);
      copySteps(written.view, written.start, written.end, this.view, at);
      return at + length;
    }
    // Writing the term may move the line.
    const offset = at - this.lineStart;
    at = this.term(id, at);
    written.add(id, this.view, this.lineStart + offset, at);
    return at;
  }

  private term(id: TermId, at: number): number {
    const { found, terms } = this;
    terms.locate(id, found);
    const { kind, reference } = found;
    switch (kind) {
      case TERM_KIND.iri:
        at = this.reserve(at, found.end - found.start);
        this.out[at++] = LESS_THAN;
        at = copyText(found.view, found.start, found.end, this.view, at);
        this.out[at] = GREATER_THAN;
        return at + 1;
      case TERM_KIND.literal:
        at = this.string(found.view, found.start, found.end, at);
        if (reference === this.xsdString) return at;
        this.view.setInt16(at, CARETS, true);
        return this.again(reference, at + 2);
      case TERM_KIND.languageLiteral:
        at = this.string(found.view, found.start, found.end, at);
        terms.locate(reference, found);
        at = this.reserve(at, found.end - found.start);
        this.out[at++] = AT;
        return copyText(found.view, found.start, found.end, this.view, at);
      case TERM_KIND.blankNode:
        return this.ascii(`_:${terms.blankNodeLabel(id)}`, at);
      case TERM_KIND.triple: {
        const [subject, predicate, object] = terms.tripleOf(id);
        at = this.ascii('<<( ', at);
        at = this.term(subject, at);
        this.out[at++] = SPACE;
        at = this.term(predicate, at);
        this.out[at++] = SPACE;
        at = this.term(object, at);
        return this.ascii(' )>>', at);
      }
      default:
        throw new RangeError(`The id ${id} names no term that a line can hold.`);
    }
  }

  private string(source: DataView, start: number, end: number, at: number): number {
    // Every byte may need an escape.
    at = this.reserve(at, (end - start) * 2);
    const { out, view } = this;
    out[at++] = QUOTE;
    let i = start;
    while (i < end) {
      // Copies eight bytes at a time, then four, while none of them needs an escape.
      for (const last = end - 8; i <= last; i = (i + 8) | 0, at = (at + 8) | 0) {
        const low = source.getInt32(i, true);
        const high = source.getInt32((i + 4) | 0, true);
        if (mayNeedEscape(low) || mayNeedEscape(high)) break;
        view.setInt32(at, low, true);
        view.setInt32((at + 4) | 0, high, true);
      }
      if (i <= end - 4) {
        const word = source.getInt32(i, true);
        if (!mayNeedEscape(word)) {
          view.setInt32(at, word, true);
          i += 4;
          at += 4;
        }
      }
      for (const stop = Math.min(i + 4, end); i < stop; i++) {
        const byte = source.getUint8(i);
        const letter = ESCAPE[byte];
        if (letter !== 0) out[at++] = BACKSLASH;
        out[at++] = letter === 0 ? byte : letter;
      }
    }
    out[at] = QUOTE;
    return at + 1;
  }

  private ascii(text: string, at: number): number {
    at = this.reserve(at, text.length);
    const { out } = this;
    for (let i = 0; i < text.length; i++) out[at++] = text.charCodeAt(i);
    return at;
  }

  /**
   * Reserves room for `more` bytes and some punctuation. Returns their offset, which changes if the
   * line was moved.
   */
  private reserve(at: number, more: number): number {
    return at + more <= this.limit ? at : this.moveLine(at, more);
  }

  /** Moves the partial line to a new buffer, and the lines before it to `full`. */
  private moveLine(at: number, more: number): number {
    const { out, lineStart } = this;
    const written = at - lineStart;
    const needed = written + more + SLACK;
    // Doubles the buffer, since a line of many parts would otherwise be copied for each of them.
    this.use(needed <= CHUNK_BYTES ? CHUNK_BYTES : Math.max(needed, lineStart === 0 ? out.length * 2 : 0));
    out.copy(this.out, 0, lineStart, at);
    if (lineStart > 0) this.full = out.subarray(0, lineStart);
    this.lineStart = 0;
    this.subjectStart = 0;
    return written;
  }

  private use(bytes: number): void {
    this.out = Buffer.allocUnsafeSlow(bytes);
    this.view = new DataView(this.out.buffer);
    this.limit = bytes - SLACK;
  }
}

/**
 * Returns whether one of four bytes may be a quote, a backslash or a control character. Tests all
 * four bytes in parallel; false positives are possible.
 */
function mayNeedEscape(word: number): boolean {
  // With bit 1 flipped, quotes and control characters are at most 0x20, unlike all other ASCII
  // characters.
  const low = (word ^ 0x0202_0202) - 0x2121_2121;
  const backslash = (word ^ 0x5c5c_5c5c) - 0x0101_0101;
  return ((low | backslash) & ~word & 0x8080_8080) !== 0;
}
