import { RDF_TYPE } from '../academic-data.ts';
import {
  type ColumnType,
  className,
  type Dataset,
  entityPrefix,
  type Term,
  triplesOf,
  type Value,
  valuesOf,
  vocabularyPrefix,
} from '../workloads/entity.ts';

/**
 * How the user of a relational database would keep the data. `tables`: one table per kind of
 * entity, with typed columns and integer keys, and one per property with many values. `ids`: a
 * table of terms, with the value of those that have one, and a table of triples of their ids.
 */
export type SqlLayout = 'tables' | 'ids';

export interface SqlTable {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: string])[];
  /** The rows in CSV: texts quoted, a missing value as nothing. */
  readonly csv: Buffer;
}

export interface SqlDatabase {
  readonly tables: readonly SqlTable[];
  /** Statements to run when the tables are loaded: macros and views that the queries use. */
  readonly definitions: readonly string[];
  /** Counts the triples that the tables stand for. */
  readonly countQuads: string;
}

const COLUMN_TYPES: Readonly<Record<ColumnType, string>> = {
  reference: 'INTEGER',
  decimal: 'DECIMAL(18, 4)',
  double: 'DOUBLE',
  integer: 'INTEGER',
  date: 'DATE',
  dateTime: 'TIMESTAMP',
  text: 'VARCHAR',
  string: 'VARCHAR',
};

/** Layouts by name. */
export const SQL_LAYOUTS: Readonly<Record<SqlLayout, (dataset: Dataset) => SqlDatabase>> = {
  tables: typedTables,
  ids: triplesOfIds,
};

function typedTables(dataset: Dataset): SqlDatabase {
  const rows = new Map<string, CsvRows>();
  const tables: { name: string; columns: [string, string][] }[] = [];
  const counts: string[] = [];
  for (const { name, columns } of dataset.kinds) {
    const single = columns.filter(({ isMany }) => !isMany);
    tables.push({
      name,
      columns: [
        ['id', 'INTEGER'],
        ...single.flatMap(({ name, type }): [string, string][] => [
          [name, COLUMN_TYPES[type]],
          ...(type === 'text' ? [[`${name}Language`, 'VARCHAR'] as [string, string]] : []),
        ]),
      ],
    });
    counts.push(`(SELECT count(*)${single.map(({ name }) => ` + count(${name})`).join('')} FROM ${name})`);
    for (const column of columns.filter(({ isMany }) => isMany)) {
      const table = `${name}_${column.name}`;
      tables.push({
        name: table,
        columns: [
          ['id', 'INTEGER'],
          [column.name, COLUMN_TYPES[column.type]],
        ],
      });
      counts.push(`(SELECT count(*) FROM ${table})`);
    }
  }
  for (const { name } of tables) rows.set(name, new CsvRows());
  for (const entity of dataset.entities()) {
    const { kind, number } = entity;
    const cells: (Value | undefined)[] = [number];
    for (const column of kind.columns) {
      const values = valuesOf(entity, column);
      if (column.isMany) {
        for (const value of values) rows.get(`${kind.name}_${column.name}`)!.add([number, cell(value)]);
        continue;
      }
      const [value] = values;
      cells.push(cell(value));
      if (column.type === 'text') cells.push(typeof value === 'object' ? value.language : undefined);
    }
    rows.get(kind.name)!.add(cells as (string | number | undefined)[]);
  }
  return {
    tables: tables.map((table) => ({ ...table, csv: rows.get(table.name)!.bytes() })),
    definitions: [`CREATE MACRO iri(kind, number) AS '${entityPrefix(dataset.name)}' || kind || '/' || number`],
    countQuads: `SELECT ${counts.join(' + ')}`,
  };
}

function triplesOfIds(dataset: Dataset): SqlDatabase {
  const ids = new Map<string, number>();
  const terms = new CsvRows();
  const idOf = (term: Term) => {
    const known = ids.get(term.text);
    if (known !== undefined) return known;
    const id = ids.size;
    ids.set(term.text, id);
    const { value, type, language } = term;
    const isNumber = type === 'decimal' || type === 'double' || type === 'integer';
    const isTime = type === 'date' || type === 'dateTime';
    terms.add([id, value, language, isNumber ? Number(value) : undefined, isTime ? value : undefined]);
    return id;
  };
  const byProperty = new Map<number, [number, number][]>();
  for (const entity of dataset.entities()) {
    for (const [s, p, o] of triplesOf(dataset.name, entity)) {
      const property = idOf(p);
      const pairs = byProperty.get(property) ?? [];
      byProperty.set(property, pairs);
      pairs.push([idOf(s), idOf(o)]);
    }
  }
  // By property and subject: DuckDB's zone maps then find a property without an index.
  const triples = new CsvRows();
  for (const property of [...byProperty.keys()].sort((a, b) => a - b)) {
    const pairs = byProperty.get(property)!.sort(([a, c], [b, d]) => a - b || c - d);
    for (const [s, o] of pairs) triples.add([s, property, o]);
  }
  const vocabulary = vocabularyPrefix(dataset.name);
  const idOfIri = (iri: string) => ids.get(`<${iri}>`) ?? -1;
  const properties = new Set(dataset.kinds.flatMap(({ columns }) => columns.map(({ name }) => name)));
  return {
    tables: [
      {
        name: 'terms',
        columns: [
          ['id', 'INTEGER'],
          ['text', 'VARCHAR'],
          ['language', 'VARCHAR'],
          ['number', 'DOUBLE'],
          ['time', 'TIMESTAMP'],
        ],
        csv: terms.bytes(),
      },
      {
        name: 'triples',
        columns: [
          ['s', 'INTEGER'],
          ['p', 'INTEGER'],
          ['o', 'INTEGER'],
        ],
        csv: triples.bytes(),
      },
    ],
    definitions: [
      ...[...properties].map(
        (name) => `CREATE VIEW ${name} AS SELECT s, o FROM triples WHERE p = ${idOfIri(vocabulary + name)}`,
      ),
      ...dataset.kinds.map(
        (kind) =>
          `CREATE VIEW is_${kind.name} AS SELECT s FROM triples WHERE p = ${idOfIri(RDF_TYPE)} AND o = ${idOfIri(vocabulary + className(kind))}`,
      ),
      `CREATE MACRO iri(kind, number) AS '${entityPrefix(dataset.name)}' || kind || '/' || number`,
      `CREATE MACRO id_of(kind, number) AS (SELECT id FROM terms WHERE text = iri(kind, number) AND language IS NULL)`,
    ],
    countQuads: 'SELECT count(*) FROM triples',
  };
}

function cell(value: Value | undefined): string | number | undefined {
  return typeof value === 'object' ? value.text : value;
}

/** CSV as it grows. */
class CsvRows {
  private readonly pieces: Buffer[] = [];
  private piece = '';

  add(cells: readonly (string | number | undefined)[]): void {
    let line = '';
    for (let at = 0; at < cells.length; at++) {
      const value = cells[at];
      if (at > 0) line += ',';
      if (value !== undefined) line += typeof value === 'number' ? value : `"${value.replaceAll('"', '""')}"`;
    }
    this.piece += `${line}\n`;
    if (this.piece.length < PIECE_UNITS) return;
    this.pieces.push(Buffer.from(this.piece));
    this.piece = '';
  }

  bytes(): Buffer {
    this.pieces.push(Buffer.from(this.piece));
    this.piece = '';
    return Buffer.concat(this.pieces);
  }
}

/** Strings of this length are encoded: a large table would exceed V8's limit for one string. */
const PIECE_UNITS = 1 << 20;
