import type * as RDF from '@rdfjs/types';
import type { WorldsEngine } from '../../src/index.ts';

/**
 * What a world counts against quotas, from what can be read of it, by the words of the
 * documentation.
 */
export async function recount(engine: WorldsEngine, source: string): Promise<{ quads: number; bytes: number }> {
  let quads = 0;
  let bytes = 0;
  for await (const one of engine.quads({ source })) {
    quads++;
    bytes += 36 + termBytes(one.subject) + termBytes(one.predicate) + termBytes(one.object);
  }
  const graphs = await engine.select({ query: 'SELECT DISTINCT ?g { GRAPH ?g { } }', sources: [source] });
  for (const row of await graphs.array()) bytes += 36 + termBytes(row.get('g') as RDF.Term);
  const world = await engine.getWorld({ source });
  bytes += Buffer.byteLength(world?.label ?? '') + Buffer.byteLength(world?.description ?? '');
  return { quads, bytes };
}

function termBytes(term: RDF.Term): number {
  const text = Buffer.byteLength(term.value);
  if (term.termType === 'BlankNode') return 20;
  if (term.termType === 'Quad')
    return 12 + termBytes(term.subject) + termBytes(term.predicate) + termBytes(term.object);
  if (term.termType !== 'Literal') return text;
  if (term.language) return text + Buffer.byteLength(term.language);
  const datatype = term.datatype.value;
  return text + (datatype.endsWith('#string') ? 0 : Buffer.byteLength(datatype));
}
