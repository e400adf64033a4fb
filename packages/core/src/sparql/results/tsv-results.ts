import type { BindingsBatch } from '../../contracts/sparql-engine.ts';
import { CHUNK_LENGTH, resultChunks } from './result-chunks.ts';
import type { ResultWriteOptions } from './result-format.ts';
import { turtleTerm } from './turtle-term.ts';

/**
 * Writes SELECT solutions as TSV (SPARQL 1.1 Query Results CSV and TSV, section 4): terms in Turtle
 * syntax, with numbers abbreviated where the lexical form permits; an unbound variable is an empty
 * field.
 */
export function writeTsvBindings(
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
        if (column > 0) text += '\t';
        if (term) text += turtleTerm(term);
        if (text.length < CHUNK_LENGTH) continue;
        yield text;
        text = '';
      }
      yield `${text}\n`;
    }
  }
  return resultChunks(batches, { head: `${variables.map((name) => `?${name}`).join('\t')}\n`, rows, tail: '' }, slicer);
}
