import type { SparqlAskResults, SparqlSelectResults } from '@rdf-worlds/core';
import { type Prefixes, ShortNames } from './prefixes.ts';
import { termText } from './term-text.ts';
import { type TableStyle, textTable } from './text-table.ts';

/**
 * The answer of a SELECT or an ASK for people: a table, or `true` and `false`.
 *
 * @param prefixes those of the query, which IRIs are written by
 */
export function resultsTable(
  answer: SparqlSelectResults | SparqlAskResults,
  prefixes: Prefixes = {},
  style: TableStyle = {},
): string {
  if ('boolean' in answer) return `${answer.boolean}\n`;
  const { vars } = answer.head;
  const names = new ShortNames(prefixes);
  const rows = answer.results.bindings.map((binding) =>
    // An own property: a variable may be called `constructor`.
    vars.map((name) => (Object.hasOwn(binding, name) ? termText(binding[name], names) : '')),
  );
  const count = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}\n`;
  return vars.length === 0 ? count : `${textTable(vars, rows, style)}${count}`;
}
