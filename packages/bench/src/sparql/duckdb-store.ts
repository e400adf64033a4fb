import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadInput } from '../load-input.ts';
import type { Outcome } from './answer.ts';
import { RowChecksum } from './row-checksum.ts';
import type { QueryStore } from './sparql-store.ts';
import { SQL_LAYOUTS, type SqlDatabase, type SqlLayout } from './sql-layout.ts';

/** The parts of `@duckdb/node-api` that are used. */
export interface DuckDbModule {
  readonly DuckDBInstance: { create(path: string, options: Readonly<Record<string, string>>): Promise<Instance> };
}
interface Instance {
  connect(): Promise<Connection>;
  closeSync(): void;
}
interface Connection {
  run(sql: string): Promise<Result>;
  closeSync(): void;
}
interface Result {
  columnNames(): string[];
  fetchChunk(): Promise<Chunk | null>;
}
interface Chunk {
  readonly rowCount: number;
  readonly columnCount: number;
  getColumnVector(column: number): { getItem(row: number): unknown };
}

/** The strings of one row, read by column number. */
type CellReader = (row: number, column: number) => string | null;

/** DuckDB, with one thread for its queries. */
export class DuckDbStore implements QueryStore {
  private readonly instance: Instance;
  private readonly connection: Connection;
  private readonly layout: SqlLayout;
  private readonly folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-bench-duckdb-'));
  private database: Omit<SqlDatabase, 'tables'> | undefined;
  private copies: readonly string[] = [];

  private constructor(instance: Instance, connection: Connection, layout: SqlLayout) {
    this.instance = instance;
    this.connection = connection;
    this.layout = layout;
  }

  /** Opens a database in memory, or the file `path`. */
  static async open({ DuckDBInstance }: DuckDbModule, layout: SqlLayout, path = ':memory:'): Promise<DuckDbStore> {
    const instance = await DuckDBInstance.create(path, { threads: '1' });
    return new DuckDbStore(instance, await instance.connect(), layout);
  }

  /** Writes the tables as files, which DuckDB reads by COPY. */
  async prepare({ name, dataset }: LoadInput): Promise<void> {
    if (!dataset) throw new Error(`${name}: there are no tables of this document.`);
    const { tables, ...database } = SQL_LAYOUTS[this.layout](dataset);
    this.database = database;
    this.copies = tables.map(({ name, columns, csv }) => {
      const file = join(this.folder, `${name}.csv`);
      writeFileSync(file, csv);
      const types = columns.map(([column, type]) => `${column} ${type}`).join(', ');
      return `CREATE TABLE ${name} (${types}); COPY ${name} FROM '${file}' (FORMAT csv, HEADER false, AUTO_DETECT false, DELIMITER ',', QUOTE '"', ESCAPE '"')`;
    });
  }

  async load(): Promise<void> {
    for (const copy of this.copies) await this.connection.run(copy);
    for (const definition of this.database!.definitions) await this.connection.run(definition);
  }

  async query(text: string): Promise<Outcome> {
    let rows = 0;
    let chars = 0;
    await this.read(text, (columns, length, cell) => {
      rows += length;
      for (let column = 0; column < columns.length; column++) {
        for (let row = 0; row < length; row++) chars += cell(row, column)?.length ?? 0;
      }
    });
    return () => ({ rows, chars });
  }

  async checksum(text: string): Promise<RowChecksum> {
    const sum = new RowChecksum();
    await this.read(text, (columns, length, cell) => {
      for (let row = 0; row < length; row++) {
        const values = columns.map((_, column) => cell(row, column));
        sum.add(columns, values);
      }
    });
    return sum;
  }

  /** Returns all rows of a short answer. */
  async rowsOf(text: string): Promise<readonly (readonly (string | null)[])[]> {
    const rows: (string | null)[][] = [];
    await this.read(text, (columns, length, cell) => {
      for (let row = 0; row < length; row++) rows.push(columns.map((_, column) => cell(row, column)));
    });
    return rows;
  }

  async countQuads(): Promise<number> {
    const [[count]] = await this.rowsOf(this.database!.countQuads);
    return Number(count);
  }

  async release(): Promise<void> {
    this.connection.closeSync();
    this.instance.closeSync();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs a query whose values DuckDB writes as strings, and visits them chunk by chunk. */
  private async read(
    text: string,
    visit: (columns: readonly string[], rows: number, cell: CellReader) => void,
  ): Promise<void> {
    const result = await this.connection.run(`SELECT COLUMNS(*)::VARCHAR FROM (\n${text}\n)`);
    const columns = result.columnNames();
    for (;;) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) return;
      const vectors = columns.map((_, column) => chunk.getColumnVector(column));
      visit(columns, chunk.rowCount, (row, column) => vectors[column].getItem(row) as string | null);
    }
  }
}
