import type * as RDF from '@rdfjs/types';
import type { QuadSource } from '../contracts/quad-source.ts';
import type { Slicer } from '../contracts/slicer.ts';
import type { PreparedQuery } from '../contracts/sparql-engine.ts';
import { NO_TERM } from '../contracts/term-source.ts';
import type { MemoryBudget } from '../model/memory-budget.ts';
import type { MemoryPool } from '../model/memory-pool.ts';
import { RequestBudget } from '../model/request-budget.ts';
import { dataFactory } from '../model/term.ts';
import type { DatasetView } from '../quads/dataset-view.ts';
import { nativeEngine } from '../sparql/native-engine.ts';
import type { NamespaceState } from './namespace-state.ts';
import { scratchDataset } from './scratch-dataset.ts';

const EVERY_QUAD = 'SELECT ?s ?p ?o ?g { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }';
/** Memory per quad while sorting and copying: rows, columns, and one or two texts. */
const QUAD_BYTES = 256;
/** Lengths of objects decoded at a time, in UTF-16 code units. */
const UNITS_A_PIECE = 1 << 18;

interface CopyWork {
  readonly slicer: Slicer;
  readonly signal: AbortSignal | undefined;
  readonly pool: MemoryPool;
}

/**
 * Serializes a copy of a dataset whose ids follow the order of its terms, so that the document
 * reveals nothing about the ids in the namespace. Takes time and memory proportional to the
 * dataset.
 */
export async function* canonicalChunks(
  home: NamespaceState,
  view: QuadSource,
  write: (copy: DatasetView) => AsyncIterable<Uint8Array>,
  work: CopyWork,
): AsyncGenerator<Uint8Array> {
  const reservation = home.memory?.reserve(home);
  const memory = new RequestBudget(work.pool);
  try {
    reservation?.resize(view.count(NO_TERM, NO_TERM, NO_TERM, NO_TERM) * QUAD_BYTES);
    yield* write(await canonicalCopy(view, work, memory));
  } finally {
    memory.release();
    reservation?.release();
  }
}

/** @param memory budget for the copy; the memory for sorting is released before */
async function canonicalCopy(
  view: QuadSource,
  { slicer, signal, pool }: CopyWork,
  memory: MemoryBudget,
): Promise<DatasetView> {
  const every = nativeEngine().prepare(EVERY_QUAD, {}) as PreparedQuery;
  const result = await every.evaluate(view, {
    canonicalOrder: true,
    now: new Date(0),
    signal,
    memory: new RequestBudget(pool),
  });
  if (result.type !== 'bindings') throw new TypeError('A SELECT gives bindings.');
  const graphs = Array.from(view.graphs, (id) => view.terms.term(id) as RDF.Quad_Graph);
  graphs.sort((a, b) => (a.value < b.value ? -1 : 1));
  const { batches } = result;
  const quads = async function* () {
    for await (const batch of batches) {
      let piece: RDF.Quad[] = [];
      let units = 0;
      for (let row = 0; row < batch.length; row++) {
        const [s, p, o, g] = [0, 1, 2, 3].map((column) => batch.term(row, column));
        piece.push(
          dataFactory.quad(
            s as RDF.Quad_Subject,
            p as RDF.Quad_Predicate,
            o as RDF.Quad_Object,
            (g as RDF.Quad_Graph | undefined) ?? dataFactory.defaultGraph(),
          ),
        );
        units += o?.value.length ?? 0;
        if (units < UNITS_A_PIECE) continue;
        yield piece;
        piece = [];
        units = 0;
      }
      yield piece;
    }
  };
  return scratchDataset(quads(), slicer, graphs, memory);
}
