import type * as RDF from '@rdfjs/types';
import { Buffer } from '#platform';
import type { BindingsBatch, QuadsBatch, SolutionIds } from '../../contracts/sparql-engine.ts';
import type { TermBytesSource } from '../../contracts/term-bytes.ts';
import { NO_TERM } from '../../contracts/term-source.ts';
import { XSD_STRING } from '../../model/vocabulary.ts';
import { CHUNK_BYTES, ChunkBuffer } from './chunk-buffer.ts';
import { JsonCells } from './json-cells.ts';
import { jsonString } from './json-string.ts';
import { ROWS_BETWEEN_LOOKS, resultChunks } from './result-chunks.ts';
import type { ResultWriteOptions } from './result-format.ts';

/**
 * Writes SELECT solutions as SPARQL 1.1 Query Results JSON, one solution per line. Reads stored
 * bytes if the batches expose their ids.
 */
export async function* writeJsonBindings(
  variables: readonly string[],
  batches: AsyncIterable<BindingsBatch>,
  { slicer }: ResultWriteOptions,
): AsyncGenerator<Uint8Array> {
  const rows = new JsonRows(variables);
  const { out } = rows;
  out.appendText(`{"head":{"vars":${JSON.stringify(variables)}},"results":{"bindings":[`);
  for await (const batch of batches) {
    const { ids } = batch;
    if (ids) rows.begin(ids, batch.length);
    for (let row = 0; row < batch.length; row++) {
      if (ids) {
        for (let next = rows.writeIds(row); next >= 0; next = rows.writeIds(row, next)) {
          yield* out.take();
          if (slicer.due) await slicer.pause();
        }
      } else rows.writeTerms(batch, row);
      if (out.isFull) yield* out.take();
      else if (row % ROWS_BETWEEN_LOOKS !== 0) continue;
      if (slicer.due) await slicer.pause();
    }
  }
  out.appendText('\n]}}\n');
  yield* out.take({ isLast: true });
}

/** After this many bytes, a row is continued later, because it may have many long cells. */
const MANY_BYTES = 4 * CHUNK_BYTES;

/** In rows of more variables, those that a whole batch leaves unbound are skipped. */
const MANY_VARIABLES = 16;

/** Writes one solution per line. Section 3.2.3: unbound variables are omitted. */
class JsonRows {
  readonly out = new ChunkBuffer();
  private readonly keys: readonly string[];
  private readonly keyBytes: readonly Uint8Array[];
  private cells: JsonCells | undefined;
  private terms: TermBytesSource | undefined;
  private columns: SolutionIds['columns'] = [];
  /** The variables that are bound somewhere in the batch. */
  private bound: readonly number[];
  private isFirst = true;

  constructor(variables: readonly string[]) {
    this.keys = variables.map((name) => `${JSON.stringify(name)}:`);
    this.keyBytes = this.keys.map((key) => Buffer.from(key));
    this.bound = [...this.keys.keys()];
  }

  /** Starts a batch of ids. */
  begin({ terms, columns }: SolutionIds, length: number): void {
    if (this.cells === undefined || this.terms !== terms) {
      this.cells = new JsonCells(terms, this.out);
      this.terms = terms;
    }
    this.columns = columns;
    if (this.keys.length > MANY_VARIABLES) this.bound = boundColumns(columns, length);
  }

  /**
   * Writes a row of the batch, starting at a bound variable. Returns the one to continue with if
   * the output is already large, or -1 at the end of the row.
   */
  writeIds(row: number, from = 0): number {
    const { out, keyBytes, columns, bound } = this;
    const cells = this.cells!;
    if (from === 0) this.open();
    const start = out.length;
    // A call that stopped early has written at least one cell.
    let isEmpty = from === 0;
    for (let at = from; at < bound.length; at++) {
      if (out.length - start >= MANY_BYTES) return at;
      const column = bound[at];
      const id = columns[column]?.[row] ?? NO_TERM;
      if (id === NO_TERM) continue;
      if (!isEmpty) out.append(COMMA);
      isEmpty = false;
      out.append(keyBytes[column]);
      cells.write(id);
    }
    out.append(CLOSE);
    return -1;
  }

  writeTerms(batch: BindingsBatch, row: number): void {
    const { out, keys } = this;
    this.open();
    let text = '';
    for (let column = 0; column < keys.length; column++) {
      const term = batch.term(row, column);
      if (term) text += `${text === '' ? '' : ','}${keys[column]}${jsonTerm(term)}`;
    }
    out.appendText(text);
    out.append(CLOSE);
  }

  private open(): void {
    this.out.append(this.isFirst ? FIRST_OPEN : OPEN);
    this.isFirst = false;
  }
}

/**
 * Returns the columns with a value in one of the rows. A UNION of many branches makes many rows of
 * many variables, of which each row has few; the other variables share one column.
 */
function boundColumns(columns: SolutionIds['columns'], length: number): readonly number[] {
  const bound: number[] = [];
  let unbound: Uint32Array | undefined;
  for (const [at, column] of columns.entries()) {
    if (column === undefined || column === unbound) continue;
    let row = 0;
    while (row < length && column[row] === NO_TERM) row++;
    if (row < length) bound.push(at);
    else unbound = column;
  }
  return bound;
}

const FIRST_OPEN = Buffer.from('\n{');
const OPEN = Buffer.from(',\n{');
const CLOSE = Buffer.from('}');
const COMMA = Buffer.from(',');

export function writeJsonBoolean(value: boolean): Uint8Array {
  return new TextEncoder().encode(`{"head":{"vars":[]},"boolean":${value}}\n`);
}

/**
 * Writes triples in the style of SPARQL JSON, as `results.quads`, one quad per line. This is an
 * extension.
 */
export function writeJsonQuads(
  batches: AsyncIterable<QuadsBatch>,
  { slicer }: ResultWriteOptions,
): AsyncIterable<Uint8Array> {
  let separator = '\n';
  function* rows(batch: QuadsBatch): Generator<string> {
    for (const { subject, predicate, object, graph } of batch) {
      const name = graph.termType === 'DefaultGraph' ? '{"type":"default","value":""}' : jsonTerm(graph);
      yield `${separator}{"subject":${jsonTerm(subject)},"predicate":${jsonTerm(predicate)},"object":${jsonTerm(object)},"graph":${name}}`;
      separator = ',\n';
    }
  }
  return resultChunks(batches, { head: '{"head":{"vars":[]},"results":{"quads":[', rows, tail: '\n]}}\n' }, slicer);
}

/**
 * Encodes a term as in SPARQL 1.1 Query Results JSON section 3.2.2; triple terms and base
 * directions as in SPARQL 1.2 Query Results JSON.
 */
function jsonTerm(term: RDF.Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return `{"type":"uri","value":${jsonString(term.value)}}`;
    case 'BlankNode':
      return `{"type":"bnode","value":${jsonString(term.value)}}`;
    case 'Literal':
      return `{"type":"literal","value":${jsonString(term.value)}${annotation(term)}}`;
    case 'Quad':
      return `{"type":"triple","value":{"subject":${jsonTerm(term.subject)},"predicate":${jsonTerm(term.predicate)},"object":${jsonTerm(term.object)}}}`;
    default:
      throw new TypeError(`A ${term.termType} cannot be a value of a solution.`);
  }
}

/** Plain and language-tagged strings have no datatype in the output. */
function annotation({ language, direction, datatype }: RDF.Literal): string {
  if (language) return `,"xml:lang":${jsonString(language)}${direction ? `,"its:dir":"${direction}"` : ''}`;
  return datatype.value === XSD_STRING ? '' : `,"datatype":${jsonString(datatype.value)}`;
}
