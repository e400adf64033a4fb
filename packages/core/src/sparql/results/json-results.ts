import type * as RDF from '@rdfjs/types';
import { XSD_STRING } from '../../model/vocabulary.ts';
import type { BindingsBatch, QuadsBatch } from '../../storage/sparql-engine.ts';
import { jsonString } from './json-string.ts';
import { resultChunks } from './result-chunks.ts';
import type { ResultWriteOptions } from './result-format.ts';

/** Writes the solutions of a SELECT as SPARQL 1.1 Query Results JSON, one solution a line. */
export function writeJsonBindings(
  variables: readonly string[],
  batches: AsyncIterable<BindingsBatch>,
  { slicer }: ResultWriteOptions,
): AsyncIterable<Uint8Array> {
  const keys = variables.map((name) => `${JSON.stringify(name)}:`);
  let separator = '\n';
  function* rows(batch: BindingsBatch): Generator<string> {
    for (let row = 0; row < batch.length; row++) {
      let text = `${separator}{`;
      let comma = '';
      for (let column = 0; column < keys.length; column++) {
        const term = batch.term(row, column);
        // Section 3.2.3: an unbound variable is left out.
        if (!term) continue;
        text += comma + keys[column] + jsonTerm(term);
        comma = ',';
      }
      yield `${text}}`;
      separator = ',\n';
    }
  }
  const head = `{"head":{"vars":${JSON.stringify(variables)}},"results":{"bindings":[`;
  return resultChunks(batches, { head, rows, tail: '\n]}}\n' }, slicer);
}

export function writeJsonBoolean(value: boolean): Uint8Array {
  return new TextEncoder().encode(`{"head":{"vars":[]},"boolean":${value}}\n`);
}

/** Writes triples in the manner of SPARQL JSON, as `results.quads`: an extension, one quad a line. */
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

/** A term as SPARQL 1.1 Query Results JSON section 3.2.2 has it; triple terms and base directions as SPARQL 1.2 Query Results JSON. */
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
      throw new TypeError(`A ${term.termType} is no value of a solution.`);
  }
}

/** Plain and language strings carry no datatype. */
function annotation({ language, direction, datatype }: RDF.Literal): string {
  if (language) return `,"xml:lang":${jsonString(language)}${direction ? `,"its:dir":"${direction}"` : ''}`;
  return datatype.value === XSD_STRING ? '' : `,"datatype":${jsonString(datatype.value)}`;
}
