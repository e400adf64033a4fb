import { XSD_STRING } from '../model/vocabulary.ts';
import type { QuadBatch } from '../storage/quad-batch.ts';
import { TERM_KIND, TermBytes, type TermBytesSource } from '../storage/term-bytes.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../storage/term-source.ts';
import { copySteps, copyText, STEP_BYTES } from './copy-text.ts';
import { WrittenTerms } from './written-terms.ts';

/** Of a chunk's buffer; a longer line gets a larger one, and a chunk of its own. */
const CHUNK_BYTES = 1 << 16;
/**
 * Room behind everything reserved: for the few bytes of punctuation around a term, and for what a
 * copy in steps writes too much.
 */
const SLACK = STEP_BYTES + 16;

const SPACE = 0x20;
const QUOTE = 0x22;
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const AT = 0x40;
const BACKSLASH = 0x5c;
/** `^^` and, little-endian, a full stop with a line feed. */
const CARETS = 0x5e5e;
const END_OF_LINE = 0x0a2e;

/**
 * What ECHAR escape a byte of a string takes, or 0 (RDF 1.1 N-Quads, canonical form: only these
 * four are escaped).
 */
const ESCAPE = new Uint8Array(256);
ESCAPE[QUOTE] = QUOTE;
ESCAPE[BACKSLASH] = BACKSLASH;
ESCAPE[0x0a] = 'n'.charCodeAt(0);
ESCAPE[0x0d] = 'r'.charCodeAt(0);

/**
 * Writes quads as lines of N-Quads into chunks of whole lines. Each chunk has a buffer of its own,
 * of which it fills as much as it can: what a buffer takes counts for V8's collector, whose work is
 * a good part of an export. The methods that write take the place where they begin, and give back
 * where they ended.
 */
export class LineWriter {
  private readonly terms: TermBytesSource;
  private readonly xsdString: TermId;
  private readonly found = new TermBytes();
  /** Predicates, graphs and datatypes, of which there are few. */
  private readonly written = new WrittenTerms();
  private out = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  private view = new DataView(this.out.buffer);
  /** The last place where what has been reserved may end. */
  private limit = CHUNK_BYTES - SLACK;
  /** Where the line begins that is being written; the ones before it are complete. */
  private lineStart = 0;
  private full: Uint8Array | undefined;
  /**
   * The subject of the last line, which often is the next one too, and where `out` holds it with
   * the space behind it.
   */
  private subject: TermId = NO_TERM;
  private subjectStart = 0;
  private subjectLength = 0;

  constructor(terms: TermBytesSource) {
    this.terms = terms;
    this.xsdString = terms.find({ termType: 'NamedNode', value: XSD_STRING, equals: () => false });
  }

  /**
   * Writes rows of one graph from `row` on, until a chunk is full, and returns the row that comes
   * next; then {@link takeFull} until there is none.
   */
  write({ subject, predicate, object, length }: QuadBatch, row: number, graph: TermId): number {
    while (row < length) {
      this.lineStart = this.line(this.lineStart, subject[row], predicate[row], object[row], graph);
      row++;
      if (this.full !== undefined || this.lineStart > CHUNK_BYTES) break;
    }
    return row;
  }

  /** A chunk that is full; undefined when there is none. */
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

  /** What has been written and not taken yet, at the end. */
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

  /** Writes the subject of a line, with a space. */
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

  /** Writes a term that is likely to come again. */
  private again(id: TermId, at: number): number {
    const { written } = this;
    if (written.seek(id)) {
      const length = written.end - written.start;
      at = this.reserve(at, length);
      copySteps(written.view, written.start, written.end, this.view, at);
      return at + length;
    }
    // The line may move meanwhile.
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
      // Eight bytes at a time, then four, as long as none of them needs an escape.
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
   * Makes room for so many bytes, and some punctuation around them; returns where they go, which is
   * another place when the line has moved.
   */
  private reserve(at: number, more: number): number {
    return at + more <= this.limit ? at : this.moveLine(at, more);
  }

  /** Moves the line, as far as it is written, to a new buffer, and what is before it to `full`. */
  private moveLine(at: number, more: number): number {
    const { out, lineStart } = this;
    const written = at - lineStart;
    const needed = written + more + SLACK;
    // A line of many parts would be copied for each of them.
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
 * Whether one of four bytes may be a quote, a backslash or a control character: a byte test on all
 * four at once, which may say yes too often.
 */
function mayNeedEscape(word: number): boolean {
  // With bit 1 flipped a quote or a control character is at most 0x20, and nothing else of ASCII
  // is.
  const low = (word ^ 0x0202_0202) - 0x2121_2121;
  const backslash = (word ^ 0x5c5c_5c5c) - 0x0101_0101;
  return ((low | backslash) & ~word & 0x8080_8080) !== 0;
}
