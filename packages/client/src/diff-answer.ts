import type { DiffRow } from '@rdf-worlds/core';
import { dataFactory, throwIfAborted, WorldsError } from '@rdf-worlds/core/remote';
import type * as RDF from '@rdfjs/types';
import type { Answer } from './answer.ts';

const PATCH_TYPE = 'application/rdf-patch';

/**
 * Yields the rows of a difference as they arrive, which the server writes as RDF Patch of one
 * transaction. Throws UNAVAILABLE if it broke off, UNSUPPORTED for what this library does not
 * write.
 *
 * @param header receives the values of the header by name
 */
export async function* diffAnswer(
  answer: Answer,
  header: Map<string, string>,
  signal: AbortSignal | undefined,
): AsyncGenerator<DiffRow> {
  await answer.requireType(PATCH_TYPE);
  let isWhole = false;
  const read = (line: string): DiffRow | undefined => {
    const scanner = new LineScanner(line);
    const code = scanner.word();
    if (code === 'A') return { change: 'inserted', quad: scanner.quad() };
    if (code === 'D') return { change: 'deleted', quad: scanner.quad() };
    if (code === 'H') header.set(scanner.word(), scanner.term().value);
    else if (code === 'TC') isWhole = true;
    else if (code !== 'TX') throw malformed(line);
    return undefined;
  };
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of answer.chunks()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const row = read(line);
      if (row) yield row;
    }
    throwIfAborted(signal);
  }
  rest += decoder.decode();
  if (rest !== '' || !isWhole) throw malformed(rest);
}

const WORD = /[A-Za-z-]+/y;
const IRI = /<([^>]*)>/y;
const BLANK_NODE = /_:(\S+)/y;
const LANGUAGE = /@([A-Za-z0-9-]+?)(?:--(ltr|rtl))?(?= |$)/y;
const NESTING = 64;

/** Reads a row. The server writes terms as in canonical N-Quads, with one space between them. */
class LineScanner {
  private readonly line: string;
  private at = 0;

  constructor(line: string) {
    this.line = line;
  }

  word(): string {
    if (this.line[this.at] === ' ') this.at++;
    return this.match(WORD)?.[0] ?? this.fail();
  }

  quad(): RDF.Quad {
    const subject = this.term() as RDF.Quad_Subject;
    const predicate = this.term() as RDF.Quad_Predicate;
    const object = this.term() as RDF.Quad_Object;
    const graph = this.line.startsWith(' .', this.at) ? dataFactory.defaultGraph() : (this.term() as RDF.Quad_Graph);
    return dataFactory.quad(subject, predicate, object, graph);
  }

  term(depth = 0): RDF.Term {
    if (this.line[this.at] === ' ') this.at++;
    const iri = this.match(IRI);
    if (iri) return dataFactory.namedNode(iri[1]);
    const node = this.match(BLANK_NODE);
    if (node) return dataFactory.blankNode(node[1]);
    if (this.line[this.at] === '"') return this.literal();
    if (this.line.startsWith('<<( ', this.at) && depth < NESTING) {
      this.at += 4;
      const [subject, predicate, object] = [this.term(depth + 1), this.term(depth + 1), this.term(depth + 1)];
      if (!this.line.startsWith(' )>>', this.at)) this.fail();
      this.at += 4;
      return dataFactory.quad(subject as RDF.Quad_Subject, predicate as RDF.Quad_Predicate, object as RDF.Quad_Object);
    }
    return this.fail();
  }

  private literal(): RDF.Literal {
    const { line, at: start } = this;
    let end = line.indexOf('"', start + 1);
    while (end > 0 && isEscaped(line, end)) end = line.indexOf('"', end + 1);
    if (end < 0) this.fail();
    this.at = end + 1;
    const value = this.unquoted(line.slice(start, end + 1));
    const tag = this.match(LANGUAGE);
    if (tag) {
      const direction = tag[2] as 'ltr' | 'rtl' | undefined;
      return dataFactory.literal(value, direction ? { language: tag[1], direction } : tag[1]);
    }
    if (!line.startsWith('^^', this.at)) return dataFactory.literal(value);
    this.at += 2;
    const datatype = this.match(IRI) ?? this.fail();
    return dataFactory.literal(value, dataFactory.namedNode(datatype[1]));
  }

  private unquoted(text: string): string {
    try {
      // The escapes of canonical N-Quads are those of JSON. DEL needs none there.
      return JSON.parse(text) as string;
    } catch {
      return this.fail();
    }
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    // `<<(` begins a triple term, not an IRI.
    if (pattern === IRI && this.line.startsWith('<<', this.at)) return undefined;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.line) ?? undefined;
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  private fail(): never {
    throw malformed(this.line);
  }
}

/** Whether an odd number of backslashes is before a position. */
function isEscaped(line: string, at: number): boolean {
  let before = at - 1;
  while (line[before] === '\\') before--;
  return (at - before) % 2 === 0;
}

function malformed(line: string): WorldsError {
  return new WorldsError(
    'UNSUPPORTED',
    line === ''
      ? 'The difference has no end; check that the address is that of an RDF Worlds server.'
      : `The difference has a row that no RDF Worlds server writes: ${JSON.stringify(line.slice(0, 200))}.`,
  );
}
