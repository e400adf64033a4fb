import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../model/term.ts';
import { WorldsError } from '../model/worlds-error.ts';
import { requirePositions } from '../quads/quad-collector.ts';
import type { QuadColumns } from '../storage/changes.ts';
import type { QuadBatch } from '../storage/quad-source.ts';
import type { Slicer } from '../storage/slicer.ts';
import { NO_TERM, type TermId, type TermSource } from '../storage/term-source.ts';

/** RDF/JS quads as columns of ids. A quad with a term that has no id is left out: it cannot be in the store. */
export async function columnsOfQuads(
  quads: unknown,
  field: string,
  idOf: (term: RDF.Term) => TermId,
  slicer: Slicer,
): Promise<QuadColumns | undefined> {
  if (quads === undefined) return undefined;
  if (typeof quads !== 'object' || quads === null || !(Symbol.iterator in quads)) {
    throw new WorldsError('INVALID_ARGUMENT', `${field}: expected an iterable of RDF/JS quads.`);
  }
  const columns: number[][] = [[], [], [], []];
  let seen = 0;
  for (const quad of quads as Iterable<RDF.Quad>) {
    if (typeof quad !== 'object' || quad === null)
      throw new WorldsError('INVALID_ARGUMENT', `${field}: expected RDF/JS quads.`);
    requirePositions(quad);
    const ids = [idOf(quad.subject), idOf(quad.predicate), idOf(quad.object), idOf(quad.graph)];
    if (!ids.includes(NO_TERM)) for (let i = 0; i < 4; i++) columns[i].push(ids[i]);
    if (++seen % 256 === 0 && slicer.due) await slicer.pause();
  }
  const [subject, predicate, object, graph] = columns.map((column) => Uint32Array.from(column));
  return { length: subject.length, subject, predicate, object, graph };
}

/** Makes RDF/JS quads of batches; a term that stands in neighbouring rows is made once. */
export class QuadDecoder {
  private readonly terms: TermSource;
  private readonly lastIds: TermId[] = [NO_TERM, NO_TERM, NO_TERM, NO_TERM];
  private readonly lastTerms: (RDF.Term | undefined)[] = [undefined, undefined, undefined, undefined];

  constructor(terms: TermSource) {
    this.terms = terms;
  }

  quad({ subject, predicate, object, graph }: QuadBatch, row: number): RDF.Quad {
    return dataFactory.quad(
      this.term(0, subject[row]) as RDF.Quad_Subject,
      this.term(1, predicate[row]) as RDF.Quad_Predicate,
      this.term(2, object[row]) as RDF.Quad_Object,
      this.term(3, graph[row]) as RDF.Quad_Graph,
    );
  }

  private term(position: number, id: TermId): RDF.Term {
    if (this.lastIds[position] !== id) {
      this.lastIds[position] = id;
      this.lastTerms[position] = this.terms.term(id);
    }
    return this.lastTerms[position]!;
  }
}
