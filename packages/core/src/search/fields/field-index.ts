import type * as RDF from '@rdfjs/types';
import type { DocSet } from '../../contracts/doc-set.ts';
import type { Slicer } from '../../contracts/slicer.ts';
import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import type { TextExplainOptions, WordHits } from '../../contracts/text-index.ts';
import type { AllowedDocuments } from '../allowed-documents.ts';
import { forEachInDocSet } from '../doc-set.ts';
import { DocumentChains, NO_DOC } from '../document-chains.ts';
import { filterDocuments } from '../document-filter.ts';
import { DocumentTable } from '../document-table.ts';
import { IdMap } from '../id-map.ts';
import { languageNumber, loadLanguage } from '../text/analysis/languages.ts';
import { Bm25TextIndex } from '../text/bm25-text-index.ts';
import { grown } from '../text/grown.ts';
import { wholeGrains } from '../text/postings/bm25.ts';
import { FieldRanking, type FieldScore } from './field-ranking.ts';
import type { FieldWeights } from './field-weights.ts';
import { LABEL_PREDICATES } from './label-predicates.ts';
import { localWords } from './local-words.ts';
import { NameWords } from './name-words.ts';

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

interface ExplainedQuery {
  readonly query: string;
  readonly weights: FieldWeights;
  /** The labels that match. */
  readonly labelHits: readonly WordHits[];
  readonly ofNames: TextExplainOptions;
  readonly ofLabels: TextExplainOptions;
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
  /** The documents of each row of a subject. */
  private readonly chains = new DocumentChains(0);
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
    return this.statistics.bytes + this.names.memoryBytes + this.uses.memoryBytes + this.chains.memoryBytes + rows;
  }

  /** Adds the names of a document; call it after the document was added to the table. */
  add(doc: number, text: string, language: string, termOf: (id: TermId) => RDF.Term): void {
    const { subject, predicate } = this.table;
    const world = this.table.worldOf(doc);
    if (doc >= this.subjectRows.length) {
      this.subjectRows = grown(this.subjectRows, doc + 1);
      this.predicateRows = grown(this.predicateRows, doc + 1);
      this.chains.grow(this.subjectRows.length);
    }
    this.subjectRows[doc] = this.addName(world, subject[doc], SUBJECT_SIDE, termOf);
    this.chains.append(this.subjectRows[doc], doc);
    this.predicateRows[doc] = this.addName(world, predicate[doc], PREDICATE_SIDE, termOf);
    if (LABEL_PREDICATES.has(termOf(predicate[doc]).value)) this.labels.add(doc, text, language, world);
  }

  /** Removes the names of a document; call it before the document is removed from the table. */
  remove(doc: number, text: string, language: string, termOf: (id: TermId) => RDF.Term): void {
    const { subject, predicate } = this.table;
    const world = this.table.worldOf(doc);
    this.chains.remove(this.subjectRows[doc], doc);
    this.removeName(world, subject[doc], SUBJECT_SIDE, termOf);
    this.removeName(world, predicate[doc], PREDICATE_SIDE, termOf);
    if (this.names.size === 0) {
      this.subjectRows = this.predicateRows = NO_ROWS;
      this.chains.clear(0);
    }
    if (LABEL_PREDICATES.has(termOf(predicate[doc]).value)) this.labels.remove(doc, text, language, world);
  }

  /**
   * Ranks documents by their names. No document may be added or removed until the ranking has been
   * read.
   */
  async rank(work: FieldQuery, slicer: Slicer): Promise<FieldRanking> {
    const { table, names, chains, subjectRows, predicateRows } = this;
    const { query, weights, prefix, worlds, visible, allowed, signal } = work;
    const rows = worlds && (await filterDocuments(names, { worlds }, slicer));
    const groups = worlds && [...new Set(worlds)];
    const optionsFor = (documents: DocSet | undefined): TextExplainOptions => ({
      ...(prefix !== undefined && { prefix }),
      ...(documents && groups && { scope: { groups, documents } }),
      ...(signal && { signal }),
    });
    const hitsIn = async (index: Bm25TextIndex, weight: number, within: DocSet | undefined) =>
      weight === 0 || index.size === 0 ? [] : index.wordHits(query, { filter: within, ...optionsFor(within) });
    const ofSubjects = await hitsIn(this.subjects, weights.subject, rows);
    const ofPredicates = await hitsIn(this.predicates, weights.predicate, rows);
    const ofLabels = await hitsIn(this.labels, weights.label, visible);
    const words = new NameWords(
      [
        ...ofSubjects.map((hits) => ({ words: hits, weight: weights.subject })),
        ...ofPredicates.map((hits) => ({ words: hits, weight: weights.predicate, isPredicate: true })),
        ...ofLabels.map((hits) => ({ words: hits, weight: weights.label, rows: subjectRows })),
      ],
      names.end,
    );
    return new FieldRanking({
      words,
      size: table.size,
      end: table.end,
      subjectRows,
      predicateRows,
      usesOf: (row) => this.uses.get(row),
      addDocuments: (row, to) => {
        for (let doc = chains.first(row); doc !== NO_DOC; doc = chains.next(doc)) if (allowed.has(doc)) to.push(doc);
      },
      scan: () => this.namedDocuments(words, allowed, slicer),
      explainer: () =>
        this.explainer({
          query,
          weights,
          labelHits: ofLabels,
          ofNames: optionsFor(rows),
          ofLabels: optionsFor(visible),
        }),
    });
  }

  /** Returns the allowed documents with a matching name, by testing each of them. */
  private async namedDocuments({ sums }: NameWords, allowed: AllowedDocuments, slicer: Slicer): Promise<number[]> {
    const { table, subjectRows, predicateRows } = this;
    const { documents, accepts } = allowed;
    const found: number[] = [];
    const take = (doc: number) => {
      if (sums.get(subjectRows[doc]) === 0 && sums.get(predicateRows[doc]) === 0) return;
      if (!accepts || accepts(doc)) found.push(doc);
    };
    if (documents) {
      forEachInDocSet(documents, take);
      return found;
    }
    const subjects = table.subject;
    // The columns may end within the last block of numbers.
    const end = Math.min(table.end, subjects.length);
    for (let start = 0; start < end; start += STRIDE) {
      // Numbers without a subject are not in use.
      for (let doc = start, stop = Math.min(start + STRIDE, end); doc < stop; doc++)
        if (subjects[doc] !== NO_TERM) take(doc);
      if (slicer.due) await slicer.pause();
    }
    return found;
  }

  /** Returns a function that explains the names of a document. */
  private async explainer({ query, weights, labelHits, ofNames, ofLabels }: ExplainedQuery) {
    const { subjectRows, predicateRows } = this;
    const scoresOf = {
      label: await this.labels.explainer(query, ofLabels),
      subject: await this.subjects.explainer(query, ofNames),
      predicate: await this.predicates.explainer(query, ofNames),
    };
    const scored = (field: keyof FieldWeights, place: number): FieldScore[] =>
      weights[field] === 0
        ? []
        : scoresOf[field](place).map((each) => ({ ...each, field, score: wholeGrains(each.score * weights[field]) }));
    const labelsOf = new Map<number, Set<number>>();
    for (const { docs } of labelHits) {
      for (let at = 0; at < docs.length; at++) {
        const row = subjectRows[docs[at]];
        labelsOf.set(row, (labelsOf.get(row) ?? new Set()).add(docs[at]));
      }
    }
    return (doc: number): readonly FieldScore[] => {
      const row = subjectRows[doc];
      return [
        // A subject may have several labels, in arbitrary id order.
        ...[...(labelsOf.get(row) ?? [])].flatMap((label) => scored('label', label)).sort(byScoreAndTerm),
        ...scored('subject', row),
        ...scored('predicate', predicateRows[doc]),
      ];
    };
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

function byScoreAndTerm(a: FieldScore, b: FieldScore): number {
  return b.score - a.score || (a.term < b.term ? -1 : a.term > b.term ? 1 : 0);
}

function wordsOf(term: RDF.Term): string {
  return term.termType === 'NamedNode' ? localWords(term.value) : '';
}
