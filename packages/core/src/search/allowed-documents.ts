import type { DocId, DocSet } from '../contracts/doc-set.ts';
import type { Slicer } from '../contracts/slicer.ts';
import { NO_TERM } from '../contracts/term-source.ts';
import { docSetHas } from './doc-set.ts';
import { type DocumentFilter, filterDocuments } from './document-filter.ts';
import type { DocumentTable } from './document-table.ts';
import { IdSet } from './id-set.ts';

/**
 * The documents that one search may return, in the form that costs least: those of the wanted
 * worlds as a set, and the other conditions as a test for candidates. A condition on predicates,
 * subjects, literals or types therefore costs nothing for documents that do not match the query.
 *
 * Valid until a document is added or removed.
 */
export class AllowedDocuments {
  /** The documents of the wanted worlds; undefined for all documents. */
  readonly documents: DocSet | undefined;
  /** The other conditions, for documents of `documents`; undefined if there are none. */
  readonly accepts: ((doc: DocId) => boolean) | undefined;
  private readonly table: DocumentTable;
  private readonly filter: DocumentFilter;
  private listed: DocSet | undefined;

  private constructor(table: DocumentTable, filter: DocumentFilter, documents: DocSet | undefined) {
    this.table = table;
    this.filter = filter;
    this.documents = documents;
    this.accepts = acceptsOf(table, filter);
  }

  static async open(table: DocumentTable, filter: DocumentFilter, slicer: Slicer): Promise<AllowedDocuments> {
    const documents = await filterDocuments(table, { worlds: filter.worlds ?? null }, slicer);
    return new AllowedDocuments(table, filter, documents);
  }

  /** Whether every document is allowed. */
  get isEverything(): boolean {
    return !this.documents && !this.accepts;
  }

  /** Whether it is known without a search that no document is allowed. */
  get isNothing(): boolean {
    const { subjects, predicates, objects } = this.filter;
    return this.most === 0 || [subjects, predicates, objects].some((ids) => ids?.size === 0);
  }

  /** Upper bound of the number of allowed documents. */
  get most(): number {
    return this.documents?.size ?? this.table.size;
  }

  has(doc: DocId): boolean {
    return (!this.documents || docSetHas(this.documents, doc)) && (!this.accepts || this.accepts(doc));
  }

  /**
   * Lists the allowed documents, once; undefined if every document is allowed. Takes time
   * proportional to {@link most}.
   */
  async list(slicer: Slicer): Promise<DocSet | undefined> {
    if (!this.accepts) return this.documents;
    this.listed ??= await filterDocuments(this.table, this.filter, slicer);
    return this.listed;
  }
}

function acceptsOf(table: DocumentTable, filter: DocumentFilter): ((doc: DocId) => boolean) | undefined {
  const { subjectsByWorld } = filter;
  const [subjects, predicates, objects] = [filter.subjects, filter.predicates, filter.objects].map(
    (ids) => ids && IdSet.of(ids),
  );
  if (!subjects && !predicates && !objects && !subjectsByWorld) return undefined;
  const { subject, predicate, object } = table;
  return (doc) =>
    subject[doc] !== NO_TERM &&
    (!predicates || predicates.has(predicate[doc])) &&
    (!subjects || subjects.has(subject[doc])) &&
    (!objects || objects.has(object[doc])) &&
    (!subjectsByWorld || subjectsByWorld(table.worldOf(doc), subject[doc]));
}
