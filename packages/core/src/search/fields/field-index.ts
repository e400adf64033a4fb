import type * as RDF from '@rdfjs/types';
import type { DocSet } from '../../contracts/doc-set.ts';
import type { Slicer } from '../../contracts/slicer.ts';
import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import type { TermScore, TextIndex } from '../../contracts/text-index.ts';
import type { AllowedDocuments } from '../allowed-documents.ts';
import { forEachInDocSet } from '../doc-set.ts';
import { filterDocuments } from '../document-filter.ts';
import { DocumentTable } from '../document-table.ts';
import { IdMap } from '../id-map.ts';
import { languageNumber, loadLanguage } from '../text/analysis/languages.ts';
import { Bm25TextIndex } from '../text/bm25-text-index.ts';
import type { FieldWeights, SearchField } from './field-weights.ts';
import { LABEL_PREDICATES } from './label-predicates.ts';
import { localWords } from './local-words.ts';

/** Names carry no language tag, so they are treated as English. */
const LANGUAGE = 'en';
const MAX_NAME_LENGTH = 1024;
const STRIDE = 4096;

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
    return this.statistics.bytes + this.names.memoryBytes + this.uses.memoryBytes;
  }

  /** Adds the names of a document; call it after the document was added to the table. */
  add(doc: number, text: string, language: string, termOf: (id: TermId) => RDF.Term): void {
    const { subject, predicate } = this.table;
    const world = this.table.worldOf(doc);
    this.addName(world, subject[doc], SUBJECT_SIDE, termOf);
    this.addName(world, predicate[doc], PREDICATE_SIDE, termOf);
    if (LABEL_PREDICATES.has(termOf(predicate[doc]).value)) this.labels.add(doc, text, language, world);
  }

  /** Removes the names of a document; call it before the document is removed from the table. */
  remove(doc: number, text: string, language: string, termOf: (id: TermId) => RDF.Term): void {
    const { subject, predicate } = this.table;
    const world = this.table.worldOf(doc);
    this.removeName(world, subject[doc], SUBJECT_SIDE, termOf);
    this.removeName(world, predicate[doc], PREDICATE_SIDE, termOf);
    if (LABEL_PREDICATES.has(termOf(predicate[doc]).value)) this.labels.remove(doc, text, language, world);
  }

  /**
   * Ranks documents by their names. No document may be added or removed until the ranking has been
   * read.
   */
  async rank(work: FieldQuery, slicer: Slicer): Promise<FieldRanking> {
    const { table, names } = this;
    const { query, weights, prefix, worlds, visible, allowed, signal } = work;
    const rows = worlds && (await filterDocuments(names, { worlds }, slicer));
    const groups = worlds && [...new Set(worlds)];
    const optionsFor = (documents: DocSet | undefined) => ({
      ...(prefix !== undefined && { prefix }),
      ...(documents && groups && { scope: { groups, documents } }),
      ...(signal && { signal }),
    });
    const found = async (index: TextIndex, documents: DocSet | undefined, weight: number) => {
      if (weight === 0 || index.size === 0) return [];
      const options = { limit: index.size, ...(documents && { filter: documents }), ...optionsFor(documents) };
      return index.search(query, options);
    };
    const ofRows = new Map<number, number>();
    const labelDocs = new Map<number, number[]>();
    const subjectIds = new IdMap();
    const predicateIds = new IdMap();
    for (const { doc: row, score } of await found(this.subjects, rows, weights.subject)) {
      ofRows.set(row, score * weights.subject);
      subjectIds.set(names.subject[row], 0);
    }
    for (const { doc: row, score } of await found(this.predicates, rows, weights.predicate)) {
      ofRows.set(row, score * weights.predicate);
      predicateIds.set(names.subject[row], 0);
    }
    for (const { doc, score } of await found(this.labels, visible, weights.label)) {
      const subject = table.subject[doc];
      const row = names.find(table.worldOf(doc), subject, SUBJECT_SIDE, 0);
      const known = labelDocs.get(row);
      if (known) known.push(doc);
      else labelDocs.set(row, [doc]);
      ofRows.set(row, (ofRows.get(row) ?? 0) + score * weights.label);
      subjectIds.set(subject, 0);
    }

    const docs: number[] = [];
    const scores: number[] = [];
    const take = (doc: number): void => {
      const subject = table.subject[doc];
      const predicate = table.predicate[doc];
      let score = 0;
      if (subjectIds.has(subject)) score += ofRows.get(names.find(table.worldOf(doc), subject, SUBJECT_SIDE, 0)) ?? 0;
      if (predicateIds.has(predicate)) {
        score += ofRows.get(names.find(table.worldOf(doc), predicate, PREDICATE_SIDE, 0)) ?? 0;
      }
      if (score === 0 || (allowed.accepts && !allowed.accepts(doc))) return;
      docs.push(doc);
      scores.push(score);
    };
    if (ofRows.size > 0) {
      if (allowed.documents) forEachInDocSet(allowed.documents, take);
      else {
        for (let doc = 0; doc < table.end; doc++) {
          if (table.subject[doc] !== NO_TERM) take(doc);
          if (doc % STRIDE === STRIDE - 1 && slicer.due) await slicer.pause();
        }
      }
    }

    const explainers = {
      label: await this.labels.explainer(query, optionsFor(visible)),
      subject: await this.subjects.explainer(query, optionsFor(rows)),
      predicate: await this.predicates.explainer(query, optionsFor(rows)),
    };
    const scored = (field: keyof FieldWeights, place: number): FieldScore[] =>
      place < 0 || weights[field] === 0
        ? []
        : explainers[field](place).map((each) => ({ ...each, field, score: each.score * weights[field] }));
    const scoresOf = (doc: number): readonly FieldScore[] => {
      const world = table.worldOf(doc);
      const subjectRow = names.find(world, table.subject[doc], SUBJECT_SIDE, 0);
      const predicateRow = names.find(world, table.predicate[doc], PREDICATE_SIDE, 0);
      return [
        // A subject may have several labels, in arbitrary id order.
        ...(labelDocs.get(subjectRow) ?? []).flatMap((label) => scored('label', label)).sort(byScoreAndTerm),
        ...scored('subject', subjectRow),
        ...scored('predicate', predicateRow),
      ];
    };
    return { docs, scores, scoresOf };
  }

  private addName(world: number, name: TermId, side: number, termOf: (id: TermId) => RDF.Term): void {
    const { names, uses } = this;
    const known = names.find(world, name, side, 0);
    if (known >= 0) {
      uses.set(known, uses.get(known) + 1);
      return;
    }
    const row = names.add(world, name, side, 0);
    uses.set(row, 1);
    const words = wordsOf(termOf(name));
    if (words !== '') this.indexOf(side).add(row, words, '', world);
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

function byScoreAndTerm(a: FieldScore, b: FieldScore): number {
  return b.score - a.score || (a.term < b.term ? -1 : a.term > b.term ? 1 : 0);
}

function wordsOf(term: RDF.Term): string {
  return term.termType === 'NamedNode' ? localWords(term.value) : '';
}
