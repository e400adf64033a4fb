import { XSD_STRING } from '../model/vocabulary.ts';
import type { QuadSource } from '../storage/quad-source.ts';
import { QuadBatch } from '../storage/quad-source.ts';
import { copyBytes, TERM_KIND, TermBytes, type TermBytesSource } from '../storage/term-bytes.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../storage/term-source.ts';
import type { WriteOptions } from './rdf-format.ts';

const CHUNK_BYTES = 1 << 16;
/** A chunk ends with a whole batch of lines, so that it may be longer. */
const BUFFER_BYTES = CHUNK_BYTES * 2;
/** Longer terms are written anew each time. */
const MAX_KEPT = 2048;
/** Predicates, graphs and datatypes that are kept as they are written; a power of two. */
const KEPT_TERMS = 256;
/** Room that is there behind everything reserved, for the few bytes of punctuation between two terms. */
const SLACK = 16;

/** Writes a dataset as canonical-form N-Quads lines, straight from the stored bytes, in chunks of about 64 KiB. */
export async function* writeNQuads(
  source: QuadSource,
  terms: TermBytesSource,
  options: WriteOptions,
): AsyncIterable<Uint8Array> {
  const lines = new LineWriter(terms);
  yield* writeGraph(source, DEFAULT_GRAPH, lines, options);
  for (const graph of source.graphs) yield* writeGraph(source, graph, lines, options);
  const last = lines.take();
  if (last.length > 0) yield last;
}

/** As {@link writeNQuads}, for N-Triples: the default graph alone. */
export async function* writeNTriples(
  source: QuadSource,
  terms: TermBytesSource,
  options: WriteOptions,
): AsyncIterable<Uint8Array> {
  const lines = new LineWriter(terms);
  yield* writeGraph(source, DEFAULT_GRAPH, lines, options);
  const last = lines.take();
  if (last.length > 0) yield last;
}

async function* writeGraph(
  source: QuadSource,
  graph: TermId,
  lines: LineWriter,
  { slicer }: WriteOptions,
): AsyncIterable<Uint8Array> {
  const cursor = source.cursor();
  const batch = new QuadBatch(512);
  cursor.seek(NO_TERM, NO_TERM, NO_TERM, graph);
  while (cursor.next(batch) > 0) {
    for (let row = 0; row < batch.length; row++) {
      lines.quad(batch.subject[row], batch.predicate[row], batch.object[row], graph);
    }
    if (lines.length >= CHUNK_BYTES) yield lines.take();
    if (slicer.due) await slicer.pause();
  }
}

const SPACE = 0x20;
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const AT = 0x40;
const DOT = 0x2e;
const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What ECHAR escape a byte of a string takes, or 0 (RDF 1.1 N-Quads, canonical form: only these four are escaped). */
const ESCAPE = new Uint8Array(256);
ESCAPE[QUOTE] = QUOTE;
ESCAPE[BACKSLASH] = BACKSLASH;
ESCAPE[0x0a] = 'n'.charCodeAt(0);
ESCAPE[0x0d] = 'r'.charCodeAt(0);

/** Gathers lines in a buffer that grows as needed. */
class LineWriter {
  length = 0;
  private readonly terms: TermBytesSource;
  private readonly xsdString: TermId;
  private readonly at = new TermBytes();
  private out = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  private view = new DataView(this.out.buffer);
  /** The last subject, which often is the next one too, and where it stands in `out`. */
  private subject: TermId = NO_TERM;
  private subjectStart = 0;
  private subjectEnd = 0;
  /** Predicates, graphs and datatypes, of which there are few: by the last bits of their ids. */
  private readonly kept: (WrittenTerm | undefined)[] = new Array(KEPT_TERMS).fill(undefined);

  constructor(terms: TermBytesSource) {
    this.terms = terms;
    this.xsdString = terms.find({ termType: 'NamedNode', value: XSD_STRING, equals: () => false });
  }

  quad(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    if (subject === this.subject) {
      const { subjectStart, subjectEnd } = this;
      this.reserve(subjectEnd - subjectStart);
      copyBytes(this.view, subjectStart, subjectEnd, this.view, this.length);
      this.length += subjectEnd - subjectStart;
    } else {
      this.subjectStart = this.length;
      this.term(subject);
      this.subjectEnd = this.length;
      this.subject = subject;
    }
    this.out[this.length++] = SPACE;
    this.again(predicate);
    this.out[this.length++] = SPACE;
    this.term(object);
    this.out[this.length++] = SPACE;
    if (graph !== DEFAULT_GRAPH) {
      this.again(graph);
      this.out[this.length++] = SPACE;
    }
    this.out[this.length++] = DOT;
    this.out[this.length++] = NEWLINE;
  }

  /** Hands over what has been written, with the buffer that it is in. */
  take(): Uint8Array {
    const chunk = this.out.subarray(0, this.length);
    this.use(Buffer.allocUnsafeSlow(BUFFER_BYTES));
    this.length = 0;
    this.subject = NO_TERM;
    return chunk;
  }

  private again(id: TermId): void {
    const written = this.kept[id & (KEPT_TERMS - 1)];
    if (written === undefined || written.id !== id) {
      const start = this.length;
      this.term(id);
      if (this.length - start <= MAX_KEPT) {
        this.kept[id & (KEPT_TERMS - 1)] = new WrittenTerm(id, this.view, start, this.length);
      }
      return;
    }
    this.reserve(written.length);
    copyBytes(written.view, 0, written.length, this.view, this.length);
    this.length += written.length;
  }

  private term(id: TermId): void {
    const { at } = this;
    this.terms.locate(id, at);
    const { kind, reference } = at;
    switch (kind) {
      case TERM_KIND.iri:
        this.out[this.length++] = LESS_THAN;
        this.bytes(at.view, at.start, at.end);
        this.out[this.length++] = GREATER_THAN;
        return;
      case TERM_KIND.literal:
        this.string(at.view, at.start, at.end);
        if (reference === this.xsdString) return;
        this.ascii('^^');
        this.again(reference);
        return;
      case TERM_KIND.languageLiteral:
        this.string(at.view, at.start, at.end);
        this.out[this.length++] = AT;
        this.terms.locate(reference, at);
        this.bytes(at.view, at.start, at.end);
        return;
      case TERM_KIND.blankNode:
        this.ascii('_:');
        this.ascii(this.terms.blankNodeLabel(id));
        return;
      case TERM_KIND.triple: {
        const [subject, predicate, object] = this.terms.tripleOf(id);
        this.ascii('<<( ');
        this.term(subject);
        this.out[this.length++] = SPACE;
        this.term(predicate);
        this.out[this.length++] = SPACE;
        this.term(object);
        this.ascii(' )>>');
        return;
      }
      default:
        throw new RangeError(`The id ${id} names no term that a line can hold.`);
    }
  }

  private string(bytes: DataView, start: number, end: number): void {
    // Every byte may need an escape; the quotes are two more.
    this.reserve((end - start) * 2 + 2);
    const { out, view } = this;
    let { length } = this;
    out[length++] = QUOTE;
    let i = start;
    while (i < end) {
      // Four bytes at a time as long as none of them needs an escape.
      for (const last = end - 3; i < last; i += 4, length += 4) {
        const word = bytes.getInt32(i, true);
        if (mayNeedEscape(word)) break;
        view.setInt32(length, word, true);
      }
      for (const stop = Math.min(i + 4, end); i < stop; i++) {
        const byte = bytes.getUint8(i);
        const letter = ESCAPE[byte];
        if (letter !== 0) out[length++] = BACKSLASH;
        out[length++] = letter === 0 ? byte : letter;
      }
    }
    out[length++] = QUOTE;
    this.length = length;
  }

  private bytes(bytes: DataView, start: number, end: number): void {
    this.reserve(end - start);
    copyBytes(bytes, start, end, this.view, this.length);
    this.length += end - start;
  }

  private ascii(text: string): void {
    this.reserve(text.length);
    for (let i = 0; i < text.length; i++) this.out[this.length++] = text.charCodeAt(i);
  }

  /** Makes room for so many bytes, and some punctuation behind them. */
  private reserve(more: number): void {
    const needed = this.length + more + SLACK;
    if (needed <= this.out.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.out.length * 2, needed));
    this.out.copy(grown, 0, 0, this.length);
    this.use(grown);
  }

  private use(buffer: Buffer<ArrayBuffer>): void {
    this.out = buffer;
    this.view = new DataView(buffer.buffer);
  }
}

/** Whether one of four bytes may be a quote, a backslash or a control character: a byte test on all four at once, which may say yes too often. */
function mayNeedEscape(word: number): boolean {
  const quote = word ^ 0x2222_2222;
  const backslash = word ^ 0x5c5c_5c5c;
  const control = (word - 0x2020_2020) & ~word;
  const found = ((quote - 0x0101_0101) & ~quote) | ((backslash - 0x0101_0101) & ~backslash) | control;
  return (found & 0x8080_8080) !== 0;
}

/** A term as it was written. */
class WrittenTerm {
  readonly id: TermId;
  readonly length: number;
  readonly view: DataView;

  constructor(id: TermId, source: DataView, start: number, end: number) {
    this.id = id;
    this.length = end - start;
    this.view = new DataView(new ArrayBuffer(this.length));
    copyBytes(source, start, end, this.view, 0);
  }
}
