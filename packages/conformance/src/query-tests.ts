import { expectSameAnswer, expectSameRows, expectSameVariables } from './answer-comparison.ts';
import { expectedAnswer } from './expected-answer.ts';
import type { ManifestEntry } from './manifest-entry.ts';
import { Mismatch } from './mismatch.ts';
import { answerFromJson, type QueryAnswer } from './query-answer.ts';
import { isOrdered } from './query-order.ts';
import { readCsv, readTsv, rowsAsCsv, rowsAsTsv } from './separated-values.ts';
import type { TestBench } from './test-bench.ts';
import { inputFile, type TestRunner } from './test-runner.ts';

/** Tables that the engine's solutions are compared with, by extension. */
const TABLES = new Map([
  ['csv', { read: readCsv, rows: rowsAsCsv }],
  ['tsv', { read: readTsv, rows: rowsAsTsv }],
]);

/** Runs the query over the test's dataset and compares the whole answer. */
export const queryEvaluation: TestRunner = async (entry, bench) => {
  const request = requestFile(entry);
  const query = await bench.files.text(request);
  const actual = await answer(entry, query, bench);
  const result = inputFile(entry, 'result');
  const ordered = isOrdered(query);
  const table = TABLES.get(result.slice(result.lastIndexOf('.') + 1));
  if (!table) {
    expectSameAnswer(actual, await expectedAnswer(result, bench.files), { ordered });
    return;
  }
  if (actual.type !== 'bindings') throw new Mismatch(`expected a table, got an answer of type ${actual.type}`);
  const expected = table.read(await bench.files.text(result));
  // Both tables in the columns of the expected one: SELECT * has no order of its own, and a table
  // is not written here (see README).
  expectSameVariables(actual.variables, expected.variables);
  expectSameRows(table.rows(actual, expected.variables), expected.rows, { ordered });
};

export function requestFile(entry: ManifestEntry): string {
  const { request } = entry.action;
  if (!request) throw new Error(`The manifest names no request for <${entry.iri}>.`);
  return request;
}

async function answer(entry: ManifestEntry, query: string, bench: TestBench): Promise<QueryAnswer> {
  const baseIri = requestFile(entry);
  const { data, graphs } = entry.action;
  // FROM names graphs of the world, and nothing is fetched: files of the suite that a query names
  // are made its graphs.
  const named = fromFiles(query, baseIri, bench).map((file) => ({ name: file, file }));
  const world = await bench.load({ data, graphs: [...graphs, ...named] });
  const results = await bench.engine.sparql({ query, sources: [world], baseIri });
  if (results === null) throw new Mismatch('the query was taken for an update');
  return answerFromJson(results);
}

function fromFiles(query: string, baseIri: string, bench: TestBench): string[] {
  const iris = [...query.matchAll(/\bFROM\s+(?:NAMED\s+)?<([^<>\s]*)>/gi)].map(([, iri]) => new URL(iri, baseIri).href);
  return [...new Set(iris)].filter((iri) => bench.files.path(iri));
}
