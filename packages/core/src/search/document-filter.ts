import type { DocSet } from '../contracts/doc-set.ts';
import type { Slicer } from '../contracts/slicer.ts';
import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import { docSetIds, docSetOf, EMPTY_DOC_SET } from './doc-set.ts';
import { NO_DOC } from './document-chains.ts';
import type { DocumentTable } from './document-table.ts';
import { IdMap } from './id-map.ts';
import { documentsOfWorlds, type WantedWorlds } from './world-documents.ts';

/** Documents between two checks of the clock: well below a millisecond. */
const STRIDE = 4096;

/**
 * Conditions on the documents that a search may return. Null or absent allows everything; an empty
 * set allows nothing.
 */
export interface DocumentFilter {
  /** Numbers of worlds. */
  readonly worlds?: Uint32Array | null;
  readonly subjects?: ReadonlySet<TermId> | null;
  readonly predicates?: ReadonlySet<TermId> | null;
  readonly objects?: ReadonlySet<TermId> | null;
  /** Evaluated last, for documents that pass the other conditions. */
  readonly subjectsByWorld?: ((world: number, subject: TermId) => boolean) | null;
}

/**
 * Returns the documents that a filter allows; undefined if it allows all, so that an index can skip
 * the check.
 */
export async function filterDocuments(
  table: DocumentTable,
  filter: DocumentFilter,
  slicer: Slicer,
): Promise<DocSet | undefined> {
  const { subjects, predicates, objects, subjectsByWorld } = filter;
  const worlds = filter.worlds ? wantedWorlds(table, filter.worlds) : undefined;
  const anyTriple = !subjects && !predicates && !objects && !subjectsByWorld;
  if (anyTriple && (!worlds || worlds.documents === table.size)) return undefined;
  if (anyTriple) return documentsOfWorlds(table, worlds!, slicer);
  const candidates = worlds ? worlds.documents : table.size;
  const none = subjects?.size === 0 || predicates?.size === 0 || objects?.size === 0;
  if (candidates === 0 || none) return EMPTY_DOC_SET;

  const passes = (doc: number): boolean =>
    (!predicates || predicates.has(table.predicate[doc])) &&
    (!subjects || subjects.has(table.subject[doc])) &&
    (!objects || objects.has(table.object[doc])) &&
    (!subjectsByWorld || subjectsByWorld(table.worldOf(doc), table.subject[doc]));

  const ids = new Uint32Array(candidates);
  let length = 0;
  let visited = 0;
  // Iterating by world jumps between blocks in memory, so it only pays for a part of the table.
  if (worlds && worlds.documents * 4 < table.end) {
    for (const world of worlds.numbers) {
      for (let doc = table.firstOf(world); doc !== NO_DOC; doc = table.nextOf(doc)) {
        if (passes(doc)) ids[length++] = doc;
        if (++visited % STRIDE === 0 && slicer.due) await slicer.pause();
      }
    }
  } else {
    for (let doc = 0; doc < table.end; doc++) {
      if (table.subject[doc] !== NO_TERM && (!worlds || worlds.map.has(table.worldOf(doc))) && passes(doc))
        ids[length++] = doc;
      if (++visited % STRIDE === 0 && slicer.due) await slicer.pause();
    }
  }
  return docSetOf(ids, length);
}

/** Returns the literals of a set of documents, as term ids. */
export async function literalsOf(table: DocumentTable, documents: DocSet, slicer: Slicer): Promise<DocSet> {
  const docs = docSetIds(documents);
  const literals = new Uint32Array(docs.length);
  for (let at = 0; at < docs.length; at++) {
    literals[at] = table.object[docs[at]];
    if (at % STRIDE === STRIDE - 1 && slicer.due) await slicer.pause();
  }
  return docSetOf(literals);
}

function wantedWorlds(table: DocumentTable, worlds: Uint32Array): WantedWorlds {
  const map = new IdMap();
  const numbers: number[] = [];
  let documents = 0;
  for (const world of worlds) {
    if (map.has(world)) continue;
    map.set(world, 0);
    numbers.push(world);
    documents += table.worldSize(world);
  }
  return { map, numbers, documents };
}
