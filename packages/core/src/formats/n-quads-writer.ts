import { XSD_STRING } from '../model/vocabulary.ts';
import type { QuadSource } from '../storage/quad-source.ts';
import { QuadBatch } from '../storage/quad-source.ts';
import { TERM_KIND, TermBytes, type TermBytesSource } from '../storage/term-bytes.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../storage/term-source.ts';
import type { WriteOptions } from './rdf-format.ts';

const CHUNK_BYTES = 1 << 16;
/** A chunk ends with a whole batch of lines, so that it may be longer. */
const BUFFER_BYTES = CHUNK_BYTES * 2;

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
  /** The bytes of the last predicate and graph, which mostly are those of the next. */
  private readonly predicate = new WrittenTerm();
  private readonly graph = new WrittenTerm();

  constructor(terms: TermBytesSource) {
    this.terms = terms;
    this.xsdString = terms.find({ termType: 'NamedNode', value: XSD_STRING, equals: () => false });
  }

  quad(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    this.term(subject);
    this.byte(SPACE);
    this.again(predicate, this.predicate);
    this.byte(SPACE);
    this.term(object);
    this.byte(SPACE);
    if (graph !== DEFAULT_GRAPH) {
      this.again(graph, this.graph);
      this.byte(SPACE);
    }
    this.ascii('.\n');
  }

  /** Hands over what has been written, with the buffer that it is in. */
  take(): Uint8Array {
    const chunk = this.out.subarray(0, this.length);
    this.out = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    this.length = 0;
    return chunk;
  }

  private again(id: TermId, written: WrittenTerm): void {
    if (written.id !== id) {
      const start = this.length;
      this.term(id);
      written.id = id;
      written.bytes = Buffer.from(this.out.subarray(start, this.length));
      return;
    }
    this.reserve(written.bytes.length);
    this.out.set(written.bytes, this.length);
    this.length += written.bytes.length;
  }

  private term(id: TermId): void {
    const { at } = this;
    this.terms.locate(id, at);
    const { kind, reference } = at;
    switch (kind) {
      case TERM_KIND.iri:
        this.byte('<'.charCodeAt(0));
        this.bytes(at.buffer, at.start, at.end);
        this.byte('>'.charCodeAt(0));
        return;
      case TERM_KIND.literal:
        this.string(at.buffer, at.start, at.end);
        if (reference === this.xsdString) return;
        this.ascii('^^');
        this.term(reference);
        return;
      case TERM_KIND.languageLiteral:
        this.string(at.buffer, at.start, at.end);
        this.byte('@'.charCodeAt(0));
        this.terms.locate(reference, at);
        this.bytes(at.buffer, at.start, at.end);
        return;
      case TERM_KIND.blankNode:
        this.ascii('_:');
        this.ascii(this.terms.blankNodeLabel(id));
        return;
      case TERM_KIND.triple: {
        const [subject, predicate, object] = this.terms.tripleOf(id);
        this.ascii('<<( ');
        this.term(subject);
        this.byte(SPACE);
        this.term(predicate);
        this.byte(SPACE);
        this.term(object);
        this.ascii(' )>>');
        return;
      }
      default:
        throw new RangeError(`The id ${id} names no term that a line can hold.`);
    }
  }

  private string(bytes: Uint8Array, start: number, end: number): void {
    // Every byte may need an escape; the quotes are two more.
    this.reserve((end - start) * 2 + 2);
    const { out } = this;
    let { length } = this;
    out[length++] = QUOTE;
    for (let i = start; i < end; i++) {
      const byte = bytes[i];
      const letter = ESCAPE[byte];
      if (letter === 0) {
        out[length++] = byte;
      } else {
        out[length++] = BACKSLASH;
        out[length++] = letter;
      }
    }
    out[length++] = QUOTE;
    this.length = length;
  }

  private bytes(bytes: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    const { out } = this;
    let { length } = this;
    for (let i = start; i < end; i++) out[length++] = bytes[i];
    this.length = length;
  }

  private ascii(text: string): void {
    this.reserve(text.length);
    for (let i = 0; i < text.length; i++) this.out[this.length++] = text.charCodeAt(i);
  }

  private byte(byte: number): void {
    this.reserve(1);
    this.out[this.length++] = byte;
  }

  private reserve(more: number): void {
    if (this.length + more <= this.out.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.out.length * 2, this.length + more));
    this.out.copy(grown, 0, 0, this.length);
    this.out = grown;
  }
}

class WrittenTerm {
  id: TermId = NO_TERM;
  bytes: Uint8Array = new Uint8Array(0);
}
