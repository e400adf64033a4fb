import type { SparqlAskResults, SparqlSelectResults } from '@rdf-worlds/core';
import { type Prefixes, ShortNames } from './prefixes.ts';
import { termText } from './term-text.ts';
import { type TableStyle, textTable } from './text-table.ts';

/**
 * Formats the result of a SELECT as a table, or of an ASK as `true` or `false`.
 *
 * @param prefixes the prefixes of the query, used to abbreviate IRIs
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
    // `hasOwn`, because a variable may be named `constructor`.
    vars.map((name) => (Object.hasOwn(binding, name) ? termText(binding[name], names) : '')),
  );
  const count = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}\n`;
  return vars.length === 0 ? count : `${textTable(vars, rows, style)}${count}`;
}
