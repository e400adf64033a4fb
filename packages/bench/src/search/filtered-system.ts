import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bm25TextIndex, WorldsEngine } from '@rdf-worlds/core';
import type { Corpus } from './corpus.ts';
import { piecesOf } from './measure-documents.ts';
import { HITS } from './text-system.ts';

/** A search for the best ten documents of those that a filter lets through. */
export interface FilteredQuery {
  readonly word: string;
  readonly predicate?: number;
  readonly subjects?: readonly number[];
}

/** The subject and predicate of a hit. */
export interface FilteredHit {
  readonly subject: number;
  readonly predicate: number;
}

/** A store of texts with subjects and predicates that is searched with filters. */
export interface FilteredSystem {
  readonly name: string;
  /** Returns the query in the form that the product takes. Not measured. */
  prepare(query: FilteredQuery): () => Promise<unknown>;
  hits(query: FilteredQuery): Promise<readonly FilteredHit[]>;
  close(): Promise<void>;
}

const SUBJECT = 'http://data.example/s/';
const PREDICATE = 'http://data.example/p/';

/** The engine; words are not stemmed, so that all systems find the same documents. */
export async function ownFiltered(corpus: Corpus): Promise<FilteredSystem> {
  const engine = await WorldsEngine.open({ textIndex: bm25TextIndex({ defaultLanguage: '' }) });
  await engine.createWorld({ slug: 'texts' });
  await engine.import({ source: 'texts', data: piecesOf(corpus), contentType: 'application/n-triples' });
  await engine.settle();
  const request = ({ word, predicate, subjects }: FilteredQuery) => ({
    query: word,
    sources: ['texts'],
    limit: HITS,
    ...(predicate !== undefined && { predicates: [`${PREDICATE}${predicate}`] }),
    ...(subjects && { subjects: subjects.map((subject) => `${SUBJECT}${subject}`) }),
  });
  return {
    name: 'RDF Worlds',
    prepare(query) {
      const search = request(query);
      return () => engine.search(search);
    },
    async hits(query) {
      const hits = await engine.search(request(query));
      return hits.map(({ subject, predicate }) => ({
        subject: Number(subject.slice(SUBJECT.length)),
        predicate: Number(predicate.slice(PREDICATE.length)),
      }));
    },
    close: () => engine.close(),
  };
}

/** The parts of `@lancedb/lancedb` that are used. */
export interface LanceModule {
  connect(path: string): Promise<LanceConnection>;
  readonly Index: { fts(options: object): unknown };
}
interface LanceConnection {
  createTable(name: string, rows: readonly object[]): Promise<LanceTable>;
  close(): void;
}
interface LanceTable {
  add(rows: readonly object[]): Promise<unknown>;
  createIndex(column: string, options: { config: unknown }): Promise<void>;
  search(query: string, type: 'fts', column: string): LanceQuery;
}
interface LanceQuery {
  where(filter: string): LanceQuery;
  select(columns: readonly string[]): LanceQuery;
  limit(count: number): LanceQuery;
  toArray(): Promise<readonly FilteredHit[]>;
}

const ROWS_AT_ONCE = 50_000;

/** LanceDB on disk, with a full-text index; filters come first, as by default. */
export async function lanceFiltered(lance: LanceModule, corpus: Corpus): Promise<FilteredSystem> {
  const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-bench-lance-'));
  const connection = await lance.connect(folder);
  const rows = (start: number) =>
    corpus.texts.slice(start, start + ROWS_AT_ONCE).map((text, at) => ({
      subject: corpus.subjects[start + at],
      predicate: corpus.predicates[start + at],
      text,
    }));
  const table = await connection.createTable('texts', rows(0));
  for (let start = ROWS_AT_ONCE; start < corpus.texts.length; start += ROWS_AT_ONCE) await table.add(rows(start));
  const exact = { withPosition: false, stem: false, removeStopWords: false, asciiFolding: true, lowercase: true };
  await table.createIndex('text', { config: lance.Index.fts(exact) });
  const where = ({ predicate, subjects }: FilteredQuery) =>
    [
      ...(predicate !== undefined ? [`predicate = ${predicate}`] : []),
      ...(subjects ? [`subject IN (${subjects.join(', ')})`] : []),
    ].join(' AND ');
  const search = (word: string, filter: string) => {
    const query = table.search(word, 'fts', 'text').select(['subject', 'predicate', '_score']).limit(HITS);
    return (filter === '' ? query : query.where(filter)).toArray();
  };
  return {
    name: 'LanceDB',
    prepare(query) {
      const filter = where(query);
      return () => search(query.word, filter);
    },
    async hits(query) {
      const hits = await search(query.word, where(query));
      return hits.map(({ subject, predicate }) => ({ subject: Number(subject), predicate: Number(predicate) }));
    },
    async close() {
      connection.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
