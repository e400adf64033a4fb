import type * as RDF from '@rdfjs/types';
import type { BindingsBatch } from '../../contracts/sparql-engine.ts';
import { CHUNK_LENGTH, resultChunks } from './result-chunks.ts';
import type { ResultWriteOptions } from './result-format.ts';
import { turtleTerm } from './turtle-term.ts';

/**
 * Writes SELECT solutions as CSV (SPARQL 1.1 Query Results CSV and TSV, section 3). Lossy: a field
 * is an IRI, a lexical form, or a label after `_:`; an unbound variable is an empty field, an empty
 * string is `""`. Triple terms, which the format does not define, use Turtle syntax.
 */
export function writeCsvBindings(
  variables: readonly string[],
  batches: AsyncIterable<BindingsBatch>,
  { slicer }: ResultWriteOptions,
): AsyncIterable<Uint8Array> {
  const { length } = variables;
  function* rows(batch: BindingsBatch): Generator<string> {
    for (let row = 0; row < batch.length; row++) {
      let text = '';
      for (let column = 0; column < length; column++) {
        const term = batch.term(row, column);
        if (column > 0) text += ',';
        if (term) text += field(csvText(term));
        if (text.length < CHUNK_LENGTH) continue;
        yield text;
        text = '';
      }
      yield `${text}\r\n`;
    }
  }
  return resultChunks(batches, { head: `${variables.map(field).join(',')}\r\n`, rows, tail: '' }, slicer);
}

function csvText(term: RDF.Term): string {
  switch (term.termType) {
    case 'NamedNode':
    case 'Literal':
      return term.value;
    default:
      return turtleTerm(term);
  }
}

/** RFC 4180 section 2, rules 5 to 7. */
function field(text: string): string {
  if (text === '') return '""';
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
