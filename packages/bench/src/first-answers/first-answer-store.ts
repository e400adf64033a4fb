import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { dataFactory, type SelectResult, WorldsEngine } from '@rdf-worlds/core';
import { fileStorage } from '@rdf-worlds/storage-file';
import { installedPeer } from '../search/installed-peer.ts';
import { type DuckDbModule, DuckDbStore } from '../sparql/duckdb-store.ts';
import { type Dataset, documentOf, triplesOf } from '../workloads/entity.ts';

/** A subject and a property whose values are looked up. */
export interface Lookup {
  readonly subject: string;
  readonly property: string;
}

/** A dataset on disk, opened in a fresh process. */
export interface FirstAnswerStore {
  /** Returns the values of a property of a subject. */
  lookUp(lookup: Lookup): Promise<readonly string[]>;
  /** The same in a text of its own, which is parsed; absent if `lookUp` does that. */
  lookUpByText?(lookup: Lookup): Promise<readonly string[]>;
  /** Returns the number of hits among the best ten; absent if the product has no search. */
  search?(word: string): Promise<number>;
  close(): Promise<void>;
}

export interface FirstAnswerKind {
  readonly name: string;
  /** The package if it is not a dependency. */
  readonly optionalPackage?: string;
  /** Writes the dataset into the folder. */
  build(dataset: Dataset, folder: string, from: string | undefined): Promise<void>;
  open(folder: string, from: string | undefined): Promise<FirstAnswerStore>;
}

const { namedNode } = dataFactory;
const SOURCE = 'measured';

const worlds: FirstAnswerKind = {
  name: 'RDF Worlds',
  async build(dataset, folder) {
    const engine = await WorldsEngine.open({ storage: fileStorage({ path: folder }) });
    await engine.createWorld({ slug: SOURCE });
    await engine.import({ source: SOURCE, data: documentOf(dataset), contentType: 'application/n-triples' });
    // Checkpoints contain the text index once a search has built it; SQLite's is built here, too.
    await engine.search({ query: 'index', sources: [SOURCE] });
    await engine.checkpoint();
    await engine.close();
  },
  async open(folder) {
    const engine = await WorldsEngine.open({ storage: fileStorage({ path: folder }) });
    const prepared = await engine.prepare({ query: 'SELECT ?value { ?subject ?property ?value }' });
    return {
      async lookUp({ subject, property }) {
        const bindings = { subject: namedNode(subject), property: namedNode(property) };
        return valuesOf(await prepared.select({ sources: [SOURCE], bindings }));
      },
      async lookUpByText({ subject, property }) {
        const query = `SELECT ?value { <${subject}> <${property}> ?value }`;
        return valuesOf(await engine.select({ query, sources: [SOURCE] }));
      },
      search: async (word) => (await engine.search({ query: word, sources: [SOURCE], limit: 10 })).length,
      close: () => engine.close(),
    };
  },
};

async function valuesOf({ batches }: SelectResult): Promise<string[]> {
  const values: string[] = [];
  for await (const batch of batches) {
    for (let row = 0; row < batch.length; row++) values.push(batch.term(row, 0)!.value);
  }
  return values;
}

/** The parts of `better-sqlite3` that are used. */
type SqliteModule = new (file: string) => SqliteDatabase;
interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}
interface SqliteStatement {
  run(...values: readonly unknown[]): unknown;
  all(...values: readonly unknown[]): unknown[];
  pluck(): SqliteStatement;
}

const SQLITE = 'better-sqlite3';

const sqlite: FirstAnswerKind = {
  name: 'SQLite',
  optionalPackage: SQLITE,
  async build(dataset, folder, from) {
    const database = await openSqlite(folder, from);
    database.exec(`
      CREATE TABLE terms (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE, value TEXT NOT NULL);
      CREATE TABLE triples (s INTEGER, p INTEGER, o INTEGER, PRIMARY KEY (s, p, o)) WITHOUT ROWID;
      CREATE VIRTUAL TABLE texts USING fts5(value, content='terms', content_rowid='id', tokenize='porter unicode61');
      BEGIN`);
    const ids = new Map<string, number>();
    const [newTerm, newTriple, newText] = [
      database.prepare('INSERT INTO terms VALUES (?, ?, ?)'),
      database.prepare('INSERT INTO triples VALUES (?, ?, ?)'),
      database.prepare('INSERT INTO texts (rowid, value) VALUES (?, ?)'),
    ];
    for (const entity of dataset.entities()) {
      for (const triple of triplesOf(dataset.name, entity)) {
        const [s, p, o] = triple.map(({ text, value, type }) => {
          const known = ids.get(text);
          if (known !== undefined) return known;
          const id = ids.size + 1;
          ids.set(text, id);
          newTerm.run(id, text, value);
          if (type !== undefined) newText.run(id, value);
          return id;
        });
        newTriple.run(s, p, o);
      }
    }
    database.exec('COMMIT; CREATE INDEX by_object ON triples (p, o, s); ANALYZE');
    database.close();
  },
  async open(folder, from) {
    const database = await openSqlite(folder, from);
    const values = database
      .prepare(
        `SELECT o.value FROM triples t JOIN terms o ON o.id = t.o
         WHERE t.s = (SELECT id FROM terms WHERE term = ?) AND t.p = (SELECT id FROM terms WHERE term = ?)`,
      )
      .pluck();
    return {
      lookUp: async ({ subject, property }) => values.all(`<${subject}>`, `<${property}>`) as string[],
      search: async (word) =>
        database.prepare('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 10').all(`"${word}"`).length,
      close: async () => database.close(),
    };
  },
};

async function openSqlite(folder: string, from: string | undefined): Promise<SqliteDatabase> {
  const peer = await installedPeer<SqliteModule>(SQLITE, from);
  if (!peer.isThere) throw new Error(`${SQLITE}: ${peer.reason}.`);
  mkdirSync(folder, { recursive: true });
  return new peer.module(join(folder, 'data.sqlite'));
}

const DUCKDB = '@duckdb/node-api';

const duckdb: FirstAnswerKind = {
  name: 'DuckDB',
  optionalPackage: DUCKDB,
  async build(dataset, folder, from) {
    const store = await openDuckDb(folder, from);
    await store.prepare({ name: dataset.name, bytes: new Uint8Array(), contentType: '', dataset });
    await store.load();
    await store.release();
  },
  async open(folder, from) {
    const store = await openDuckDb(folder, from);
    return {
      lookUp: async ({ subject, property }) =>
        (
          await store.rowsOf(`SELECT o.text FROM triples JOIN terms o ON o.id = triples.o
            WHERE s = (SELECT id FROM terms WHERE text = '${subject}' AND language IS NULL)
              AND p = (SELECT id FROM terms WHERE text = '${property}' AND language IS NULL)`)
        ).map(([value]) => value!),
      close: () => store.release(),
    };
  },
};

async function openDuckDb(folder: string, from: string | undefined): Promise<DuckDbStore> {
  const peer = await installedPeer<DuckDbModule>(DUCKDB, from);
  if (!peer.isThere) throw new Error(`${DUCKDB}: ${peer.reason}.`);
  mkdirSync(folder, { recursive: true });
  return DuckDbStore.open(peer.module, 'ids', join(folder, 'data.duckdb'));
}

/** Products by name; the first is the one that the others are compared with. */
export const FIRST_ANSWER_KINDS = { worlds, sqlite, duckdb } as const satisfies Record<string, FirstAnswerKind>;
export type FirstAnswerName = keyof typeof FIRST_ANSWER_KINDS;
