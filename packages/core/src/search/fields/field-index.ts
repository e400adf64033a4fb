import type * as RDF from '@rdfjs/types';
import type { DocSet } from '../../contracts/doc-set.ts';
import type { Slicer } from '../../contracts/slicer.ts';
import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import type { TermScore } from '../../contracts/text-index.ts';
import type { AllowedDocuments } from '../allowed-documents.ts';
import { forEachInDocSet } from '../doc-set.ts';
import { filterDocuments } from '../document-filter.ts';
import { DocumentTable } from '../document-table.ts';
import { IdMap } from '../id-map.ts';
import { languageNumber, loadLanguage } from '../text/analysis/languages.ts';
import { Bm25TextIndex } from '../text/bm25-text-index.ts';
import { grown } from '../text/grown.ts';
import type { ScoredDocuments } from '../text/query/top-hits.ts';
import type { FieldWeights, SearchField } from './field-weights.ts';
import { LABEL_PREDICATES } from './label-predicates.ts';
import { localWords } from './local-words.ts';

/** Names carry no language tag, so they are treated as English. */
const LANGUAGE = 'en';
const MAX_NAME_LENGTH = 1024;
const STRIDE = 4096;
const NO_ROWS = new Uint32Array(0);

/** Stored in the predicate column of the names table: the position of a name in its triple. */
const SUBJECT_SIDE = 1;
const PREDICATE_SIDE = 2;

export interface FieldQuery {
  readonly query: string;
  readonly weights: FieldWeights;
  /** Whether the last word may be incomplete. */
  readonly prefix: boolean | undefined;
  /** Worlds to search; undefined for all. */
  readonly worlds: Uint32Array | undefined;
  /** Documents of those worlds; undefined for all. */
  readonly visible: DocSet | undefined;
  /** Documents that may be hits. */
  readonly allowed: AllowedDocuments;
  readonly signal: AbortSignal | undefined;
}

/** Score of a query word in one field of a document. */
export interface FieldScore extends TermScore {
  /** Where the word occurs. */
  readonly field: SearchField;
}

/** Scores of the names around documents for one query. */
export interface FieldRanking {
  /**
   * Documents whose names match the query, unordered, with an upper bound of what that adds to
   * their score.
   */
  readonly docs: readonly number[];
  readonly scores: readonly number[];
  /** Returns the scores of the words in a document's names. */
  scoresOf(doc: number): readonly FieldScore[];
}

/**
 * Index of the names around documents: labels of their subjects, local names of subjects and
 * predicates. Each name is indexed once per world, regardless of its number of documents, and
 * joined with the documents at search time.
 */
export class FieldIndex {
  private readonly table: DocumentTable;
  /** One row per subject and per predicate of a world: (world, name, side, 0). */
  private readonly names = new DocumentTable();
  /** Number of documents by row. */
  private readonly uses = new IdMap();
  /** The rows of each document's subject and predicate. */
  private subjectRows = NO_ROWS;
  private predicateRows = NO_ROWS;
  private readonly labels = new Bm25TextIndex(LANGUAGE, MAX_NAME_LENGTH, false);
  private readonly subjects = new Bm25TextIndex(LANGUAGE, MAX_NAME_LENGTH, false);
  private readonly predicates = new Bm25TextIndex(LANGUAGE, MAX_NAME_LENGTH, false);

  private constructor(table: DocumentTable) {
    this.table = table;
  }

  /** Creates the index, loading the language data that it needs. */
  static async open(table: DocumentTable): Promise<FieldIndex> {
    await loadLanguage(languageNumber(LANGUAGE));
    return new FieldIndex(table);
  }

  /** Number of indexed names, of their postings, and of bytes: the cost of fields. */
  get statistics(): { readonly names: number; readonly postings: number; readonly bytes: number } {
    const indexes = [this.labels, this.subjects, this.predicates];
    return {
      names: indexes.reduce((sum, { size }) => sum + size, 0),
      postings: indexes.reduce((sum, { statistics }) => sum + statistics.postings, 0),
      bytes: indexes.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
    };
  }

  /** Memory in bytes. */
  get memoryBytes(): number {
    const rows = this.subjectRows.byteLength + this.predicateRows.byteLength;
    return this.statistics.bytes + this.names.memoryBytes + this.uses.memoryBytes + rows;
  }

  /** Adds the names of a document; call it after the document was added to the table. */
  add(doc: number, text: string, language: string, termOf: (id: TermId) => RDF.Term): void {
    const { subject, predicate } = this.table;
    const world = this.table.worldOf(doc);
    if (doc >= this.subjectRows.length) {
      this.subjectRows = grown(this.subjectRows, doc + 1);
      this.predicateRows = grown(this.predicateRows, doc + 1);
    }
    this.subjectRows[doc] = this.addName(world, subject[doc], SUBJECT_SIDE, termOf);
    this.predicateRows[doc] = this.addName(world, predicate[doc], PREDICATE_SIDE, termOf);
    if (LABEL_PREDICATES.has(termOf(predicate[doc]).value)) this.labels.add(doc, text, language, world);
  }

  /** Removes the names of a document; call it before the document is removed from the table. */
  remove(doc: number, text: string, language: string, termOf: (id: TermId) => RDF.Term): void {
    const { subject, predicate } = this.table;
    const world = this.table.worldOf(doc);
    this.removeName(world, subject[doc], SUBJECT_SIDE, termOf);
    this.removeName(world, predicate[doc], PREDICATE_SIDE, termOf);
    if (this.names.size === 0) this.subjectRows = this.predicateRows = NO_ROWS;
    if (LABEL_PREDICATES.has(termOf(predicate[doc]).value)) this.labels.remove(doc, text, language, world);
  }

  /**
   * Ranks documents by their names. No document may be added or removed until the ranking has been
   * read.
   */
  async rank(work: FieldQuery, slicer: Slicer): Promise<FieldRanking> {
    const { table, names, subjectRows, predicateRows } = this;
    const { query, weights, prefix, worlds, visible, allowed, signal } = work;
    const rows = worlds && (await filterDocuments(names, { worlds }, slicer));
    const groups = worlds && [...new Set(worlds)];
    const optionsFor = (documents: DocSet | undefined) => ({
      ...(prefix !== undefined && { prefix }),
      ...(documents && groups && { scope: { groups, documents } }),
      ...(signal && { signal }),
    });
    const found = async (index: Bm25TextIndex, documents: DocSet | undefined, weight: number) => {
      if (weight === 0 || index.size === 0) return NOTHING;
      return index.searchAll(query, { ...(documents && { filter: documents }), ...optionsFor(documents) });
    };
    const labelDocs = new Map<number, number[]>();
    const bySubject = await found(this.subjects, rows, weights.subject);
    const byPredicate = await found(this.predicates, rows, weights.predicate);
    const byLabel = await found(this.labels, visible, weights.label);
    const ofRows = new RowScores(names.end, bySubject.docs.length + byPredicate.docs.length + byLabel.docs.length);
    for (let at = 0; at < bySubject.docs.length; at++)
      ofRows.add(bySubject.docs[at], bySubject.scores[at] * weights.subject);
    for (let at = 0; at < byPredicate.docs.length; at++)
      ofRows.add(byPredicate.docs[at], byPredicate.scores[at] * weights.predicate);
    for (const { doc, score } of inCanonicalOrder(byLabel)) {
      const row = subjectRows[doc];
      const known = labelDocs.get(row);
      if (known) known.push(doc);
      else labelDocs.set(row, [doc]);
      ofRows.add(row, score * weights.label);
    }

    const named = new NamedDocuments(ofRows, subjectRows, predicateRows, allowed.accepts);
    if (!ofRows.isEmpty) {
      const { documents } = allowed;
      if (documents) forEachInDocSet(documents, (doc) => named.take(doc));
      else {
        // The columns may end within the last block of numbers.
        const end = Math.min(table.end, table.subject.length);
        for (let start = 0; start < end; start += STRIDE) {
          named.takeRange(table.subject, start, Math.min(start + STRIDE, end));
          if (slicer.due) await slicer.pause();
        }
      }
    }
    const { docs, scores } = named;

    const explainers = {
      label: await this.labels.explainer(query, optionsFor(visible)),
      subject: await this.subjects.explainer(query, optionsFor(rows)),
      predicate: await this.predicates.explainer(query, optionsFor(rows)),
    };
    const scored = (field: keyof FieldWeights, place: number): FieldScore[] =>
      weights[field] === 0
        ? []
        : explainers[field](place).map((each) => ({ ...each, field, score: each.score * weights[field] }));
    const known = new Map<number, readonly FieldScore[]>();
    const scoresOfRow = (row: number, score: (row: number) => readonly FieldScore[]): readonly FieldScore[] => {
      let scores = known.get(row);
      if (!scores) known.set(row, (scores = score(row)));
      return scores;
    };
    const scoresOfSubject = (row: number) => [
      // A subject may have several labels, in arbitrary id order.
      ...(labelDocs.get(row) ?? []).flatMap((label) => scored('label', label)).sort(byScoreAndTerm),
      ...scored('subject', row),
    ];
    const scoresOfPredicate = (row: number) => scored('predicate', row);
    const scoresOf = (doc: number): readonly FieldScore[] => {
      const ofSubject = scoresOfRow(subjectRows[doc], scoresOfSubject);
      const ofPredicate = scoresOfRow(predicateRows[doc], scoresOfPredicate);
      if (ofPredicate.length === 0) return ofSubject;
      return ofSubject.length === 0 ? ofPredicate : [...ofSubject, ...ofPredicate];
    };
    return { docs, scores, scoresOf };
  }

  /** Returns the row of the name. */
  private addName(world: number, name: TermId, side: number, termOf: (id: TermId) => RDF.Term): number {
    const { names, uses } = this;
    const known = names.find(world, name, side, 0);
    if (known >= 0) {
      uses.set(known, uses.get(known) + 1);
      return known;
    }
    const row = names.add(world, name, side, 0);
    uses.set(row, 1);
    const words = wordsOf(termOf(name));
    if (words !== '') this.indexOf(side).add(row, words, '', world);
    return row;
  }

  private removeName(world: number, name: TermId, side: number, termOf: (id: TermId) => RDF.Term): void {
    const { names, uses } = this;
    const row = names.find(world, name, side, 0);
    const left = uses.get(row) - 1;
    if (left > 0) {
      uses.set(row, left);
      return;
    }
    const words = wordsOf(termOf(name));
    if (words !== '') this.indexOf(side).remove(row, words, '', world);
    uses.delete(row);
    names.remove(row);
  }

  private indexOf(side: number): Bm25TextIndex {
    return side === SUBJECT_SIDE ? this.subjects : this.predicates;
  }
}

const NOTHING: ScoredDocuments = { docs: [], scores: [] };

/** Rows of the names are kept in an array if at least one in this number has a score. */
const DENSE = 16;

/** Sums of scores by row of the names. */
class RowScores {
  /** Scores by row, if many rows have one; else by their places. */
  private readonly scores: Float64Array;
  private readonly places: IdMap | undefined;
  private count = 0;

  /**
   * @param rows rows are below this
   * @param count upper bound of the number of rows with a score
   */
  constructor(rows: number, count: number) {
    this.places = count * DENSE < rows ? new IdMap() : undefined;
    this.scores = new Float64Array(this.places ? count : rows);
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  add(row: number, score: number): void {
    const { places, scores } = this;
    if (!places) {
      scores[row] += score;
      this.count++;
      return;
    }
    let place = places.get(row);
    if (place < 0) places.set(row, (place = this.count++));
    scores[place] += score;
  }

  /** Returns 0 for a row without a score. */
  get(row: number): number {
    const { places, scores } = this;
    if (!places) return scores[row];
    const place = places.get(row);
    return place < 0 ? 0 : scores[place];
  }
}

/** Documents with the scores of their names. */
class NamedDocuments {
  readonly docs: number[] = [];
  readonly scores: number[] = [];
  private readonly ofRows: RowScores;
  private readonly subjectRows: Uint32Array;
  private readonly predicateRows: Uint32Array;
  private readonly accepts: AllowedDocuments['accepts'];

  constructor(
    ofRows: RowScores,
    subjectRows: Uint32Array,
    predicateRows: Uint32Array,
    accepts: AllowedDocuments['accepts'],
  ) {
    this.ofRows = ofRows;
    this.subjectRows = subjectRows;
    this.predicateRows = predicateRows;
    this.accepts = accepts;
  }

  /** Takes a document if its names match and it is accepted. */
  take(doc: number): void {
    const { ofRows, accepts } = this;
    const score = ofRows.get(this.subjectRows[doc]) + ofRows.get(this.predicateRows[doc]);
    if (score === 0 || (accepts && !accepts(doc))) return;
    this.docs.push(doc);
    this.scores.push(score);
  }

  /** Takes the documents from `start` up to `end`; numbers without a subject are not in use. */
  takeRange(subjects: Uint32Array, start: number, end: number): void {
    for (let doc = start; doc < end; doc++) if (subjects[doc] !== NO_TERM) this.take(doc);
  }
}

/** Returns documents best first, ties by number: sums of their scores depend on their order. */
function inCanonicalOrder({ docs, scores }: ScoredDocuments): { readonly doc: number; readonly score: number }[] {
  const hits = Array.from(docs, (doc, at) => ({ doc, score: scores[at] }));
  return hits.sort((a, b) => b.score - a.score || a.doc - b.doc);
}

function byScoreAndTerm(a: FieldScore, b: FieldScore): number {
  return b.score - a.score || (a.term < b.term ? -1 : a.term > b.term ? 1 : 0);
}

function wordsOf(term: RDF.Term): string {
  return term.termType === 'NamedNode' ? localWords(term.value) : '';
}
