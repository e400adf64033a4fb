import { dataFactory } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { Parser } from 'n3';
import { solutionRows } from './answer-comparison.ts';
import type { QueryAnswer } from './query-answer.ts';
import { appendTermCells, type CellRow } from './term-cells.ts';

type Bindings = Extract<QueryAnswer, { type: 'bindings' }>;

/**
 * A CSV or TSV result: its variables without `?`, and rows that compare with {@link rowsAsCsv} or
 * {@link rowsAsTsv}.
 */
export interface SeparatedTable {
  readonly variables: readonly string[];
  readonly rows: readonly CellRow[];
}

/**
 * SPARQL 1.1 Query Results CSV, section 3: RFC 4180 without types; blank nodes are told by their
 * `_:`.
 */
export function readCsv(text: string): SeparatedTable {
  const records: string[][] = [[]];
  const field = /("(?:[^"]|"")*"|[^,\r\n"]*)(,|\r\n|\n|$)/y;
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const match = field.exec(text);
    if (!match) throw new Error(`The expected CSV is malformed at offset ${at}.`);
    const [, raw, end] = match;
    records.at(-1)!.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end !== ',' && field.lastIndex < text.length) records.push([]);
  }
  const [variables, ...rows] = records;
  return { variables, rows };
}

/**
 * The CSV cells of solutions: plain strings, since CSV loses kinds and types; those of blank nodes
 * keep their `_:`.
 */
export function rowsAsCsv({ solutions }: Bindings, variables: readonly string[]): CellRow[] {
  return solutions.map((solution) =>
    variables.map((variable) => {
      const term = solution.get(variable);
      if (term === undefined) return '';
      return term.termType === 'BlankNode' ? `_:${term.value}` : term.value;
    }),
  );
}

/** SPARQL 1.1 Query Results TSV, section 4: terms in the syntax of SPARQL and Turtle. */
export function readTsv(text: string): SeparatedTable {
  const [head, ...lines] = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return {
    variables: head.split('\t').map((name) => name.replace(/^\?/, '')),
    rows: lines.map((line) => line.split('\t').flatMap(fieldCells)),
  };
}

/** The cells of solutions as terms: TSV keeps kinds, types and lexical forms. */
export function rowsAsTsv(answer: Bindings, variables: readonly string[]): CellRow[] {
  return solutionRows(answer, variables);
}

function fieldCells(field: string): string[] {
  const cells: string[] = [];
  appendTermCells(field === '' ? undefined : readTerm(field), cells);
  return cells;
}

function readTerm(field: string): RDF.Term {
  // n3 renames blank nodes per document, and every field is a document here: the label is taken as
  // it is written.
  if (field.startsWith('_:')) return dataFactory.blankNode(field.slice(2));
  const [quad] = new Parser({ format: 'text/turtle' }).parse(`<urn:s> <urn:p> ${field} .`) as RDF.Quad[];
  return quad.object;
}
