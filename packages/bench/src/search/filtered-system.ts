import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bm25TextIndex, WorldsEngine } from '@rdf-worlds/core';
import { corpusTriples } from './corpus.ts';
import type { FilteredCorpus } from './filtered-corpus.ts';
import { HITS } from './text-system.ts';

export type FilteredBy = 'predicate' | 'type' | 'subject' | 'world';

/** A search for the best ten documents of those that a filter lets through. */
export interface FilteredQuery {
  readonly word: string;
  /** The values that the filter lets through; undefined for no filter. */
  readonly only?: { readonly by: FilteredBy; readonly values: readonly number[] } | undefined;
}

export type FilteredHit = Readonly<Record<FilteredBy, number>>;

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
const TYPE = 'http://data.example/t/';
const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
const PIECE = 4096;

/**
 * The engine, with all texts in one world, and for filters by world in as many as the corpus has.
 * Words are not stemmed, so that all systems find the same documents.
 */
export async function ownFiltered(corpus: FilteredCorpus): Promise<FilteredSystem> {
  const open = () => WorldsEngine.open({ textIndex: bm25TextIndex({ defaultLanguage: '' }) });
  const [one, many] = [await open(), await open()];
  await one.createWorld({ slug: 'texts' });
  await one.import({ source: 'texts', data: piecesOf(corpus), contentType: 'application/n-triples' });
  for (const [world, { start, end }] of worldsOf(corpus).entries()) {
    await many.createWorld({ slug: `w${world}` });
    const data = [...triplesOf(corpus, start, end)].join('');
    await many.import({ source: `w${world}`, data, contentType: 'application/n-triples' });
  }
  for (const engine of [one, many]) await engine.settle();
  const request = ({ word, only }: FilteredQuery) => ({
    query: word,
    limit: HITS,
    ...(only?.by === 'world' ? { sources: only.values.map((world) => `w${world}`) } : { sources: ['texts'] }),
    ...(only?.by === 'predicate' && { predicates: only.values.map((number) => `${PREDICATE}${number}`) }),
    ...(only?.by === 'type' && { types: only.values.map((number) => `${TYPE}${number}`) }),
    ...(only?.by === 'subject' && { subjects: only.values.map((number) => `${SUBJECT}${number}`) }),
  });
  const engineFor = ({ only }: FilteredQuery) => (only?.by === 'world' ? many : one);
  return {
    name: 'RDF Worlds',
    prepare(query) {
      const search = request(query);
      const engine = engineFor(query);
      return () => engine.search(search);
    },
    async hits(query) {
      const hits = await engineFor(query).search(request(query));
      return hits.map(({ subject: iri, predicate, world }) => {
        const subject = Number(iri.slice(SUBJECT.length));
        return {
          subject,
          predicate: Number(predicate.slice(PREDICATE.length)),
          type: corpus.typeOf(subject),
          world: Number(world.slug.slice(1)),
        };
      });
    },
    async close() {
      for (const engine of [one, many]) await engine.close();
    },
  };
}

async function* piecesOf(corpus: FilteredCorpus): AsyncGenerator<string> {
  const { length } = corpus.texts;
  for (let start = 0; start < length; start += PIECE)
    yield [...triplesOf(corpus, start, Math.min(length, start + PIECE))].join('');
}

/** Yields the texts from `start` up to `end`, and the type of each subject at its first text. */
function* triplesOf(corpus: FilteredCorpus, start: number, end: number): Generator<string> {
  yield* corpusTriples(corpus, start, end);
  for (let row = start; row < end; row++) {
    const subject = corpus.subjects[row];
    if (row === start || subject !== corpus.subjects[row - 1])
      yield `<${SUBJECT}${subject}> <${RDF_TYPE}> <${TYPE}${corpus.typeOf(subject)}> .\n`;
  }
}

/** Returns the rows of each world, which are consecutive. */
function worldsOf({ worlds }: FilteredCorpus): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let row = 0; row < worlds.length; row++) {
    if (row === 0 || worlds[row] !== worlds[row - 1]) found.push({ start: row, end: row });
    found[found.length - 1].end = row + 1;
  }
  return found;
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
const COLUMNS: readonly FilteredBy[] = ['subject', 'predicate', 'type', 'world'];

/** LanceDB on disk, with a full-text index; filters come first, as by default. */
export async function lanceFiltered(lance: LanceModule, corpus: FilteredCorpus): Promise<FilteredSystem> {
  const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-bench-lance-'));
  const connection = await lance.connect(folder);
  const rows = (start: number) =>
    corpus.texts.slice(start, start + ROWS_AT_ONCE).map((text, at) => ({
      subject: corpus.subjects[start + at],
      predicate: corpus.predicates[start + at],
      type: corpus.typeOf(corpus.subjects[start + at]),
      world: corpus.worlds[start + at],
      text,
    }));
  const table = await connection.createTable('texts', rows(0));
  for (let start = ROWS_AT_ONCE; start < corpus.texts.length; start += ROWS_AT_ONCE) await table.add(rows(start));
  const exact = { withPosition: false, stem: false, removeStopWords: false, asciiFolding: true, lowercase: true };
  await table.createIndex('text', { config: lance.Index.fts(exact) });
  const where = ({ only }: FilteredQuery) => (only ? `${only.by} IN (${only.values.join(', ')})` : '');
  const search = (word: string, filter: string) => {
    const query = table
      .search(word, 'fts', 'text')
      .select([...COLUMNS, '_score'])
      .limit(HITS);
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
      return hits.map(({ subject, predicate, type, world }) => ({
        subject: Number(subject),
        predicate: Number(predicate),
        type: Number(type),
        world: Number(world),
      }));
    },
    async close() {
      connection.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
