import { HITS, type TextSystemKind } from './text-system.ts';

interface Statement {
  run(...values: readonly unknown[]): unknown;
  all(...values: readonly unknown[]): readonly unknown[];
  pluck(): Statement;
  get(...values: readonly unknown[]): unknown;
}
interface Database {
  exec(text: string): void;
  prepare(text: string): Statement;
  close(): void;
}
export type SqliteModule = new (file: string) => Database;

/**
 * SQLite FTS5 in memory, without stored texts and positions, as an index next to a store would be.
 * It has no fuzzy search.
 */
export function fts5Text(Sqlite: SqliteModule): TextSystemKind {
  const name = 'SQLite FTS5';
  return {
    name,
    async open({ exact = false } = {}) {
      const database = new Sqlite(':memory:');
      const tokenizer = exact ? 'unicode61' : 'porter unicode61';
      database.exec(`CREATE VIRTUAL TABLE texts USING fts5(text, content='', detail=column, tokenize='${tokenizer}')`);
      const insert = database.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)');
      // A contentless table needs the text of the rows to delete.
      const forget = database.prepare("INSERT INTO texts (texts, rowid, text) VALUES ('delete', ?, ?)");
      const best = database.prepare(`SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ${HITS}`).pluck();
      const counted = database.prepare('SELECT count(*) FROM texts WHERE texts MATCH ?').pluck();
      const inOne = (statement: Statement, texts: readonly string[], docs: ArrayLike<number>) => {
        database.exec('BEGIN');
        for (let at = 0; at < texts.length; at++) statement.run(docs[at], texts[at]);
        database.exec('COMMIT');
      };
      const any = (query: string) => query.split(' ').map((word) => `"${word}"`);
      return {
        name,
        add: (texts, docs) => inOne(insert, texts, docs),
        remove: (texts, docs) => inOne(forget, texts, docs),
        asker({ prefix, fuzzy }) {
          if (fuzzy) return undefined;
          return (query) => best.all(`${any(query).join(' OR ')}${prefix ? '*' : ''}`);
        },
        count: async (word) => Number(counted.get(`"${word}"`)),
        bytes: () =>
          Number(database.prepare('PRAGMA page_count').pluck().get()) *
          Number(database.prepare('PRAGMA page_size').pluck().get()),
        close: () => database.close(),
      };
    },
  };
}
