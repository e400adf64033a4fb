import type * as RDF from '@rdfjs/types';
import { Slicer } from '../contracts/slicer.ts';
import { setOwn } from '../model/plain-value.ts';
import type { QueryResult } from './query-results.ts';
import type { SparqlBinding, SparqlQuad, SparqlResults, SparqlValue } from './sparql-results.ts';
import { toWireValue } from './wire-value.ts';

const ROWS_BETWEEN_LOOKS = 64;

/** Converts a result to the shape of the HTTP API; null for an update. */
export async function toWireResults(result: QueryResult, signal?: AbortSignal): Promise<SparqlResults | null> {
  switch (result.type) {
    case 'update':
      return null;
    case 'boolean':
      return { head: { vars: [] }, boolean: result.value };
    case 'bindings': {
      const bindings: SparqlBinding[] = [];
      const slicer = new Slicer(signal);
      for await (const batch of result.batches) {
        for (let row = 0; row < batch.length; row++) {
          // Checked often, because a row may have thousands of variables.
          if (row % ROWS_BETWEEN_LOOKS === 0 && slicer.due) await slicer.pause();
          const binding: Record<string, SparqlValue> = {};
          for (let column = 0; column < result.variables.length; column++) {
            const term = batch.term(row, column);
            if (term) setOwn(binding, result.variables[column], toWireValue(term));
          }
          bindings.push(binding);
        }
      }
      return { head: { vars: result.variables }, results: { bindings } };
    }
    case 'quads': {
      const quads: SparqlQuad[] = [];
      for await (const batch of result.batches) for (const quad of batch) quads.push(toWireQuad(quad));
      return { head: { vars: [] }, results: { quads } };
    }
  }
}

function toWireQuad({ subject, predicate, object, graph }: RDF.Quad): SparqlQuad {
  return {
    subject: { type: subject.termType === 'BlankNode' ? 'bnode' : 'uri', value: subject.value },
    predicate: { type: 'uri', value: predicate.value },
    object: toWireValue(object),
    graph: graph.termType === 'DefaultGraph' ? { type: 'default', value: '' } : { type: 'uri', value: graph.value },
  };
}
