import type { SparqlAskResults, SparqlSelectResults } from '@rdf-worlds/core';
import { termText } from './term-text.ts';
import { textTable } from './text-table.ts';

/** The answer of a SELECT or an ASK for people: a table, or `true` and `false`. */
export function resultsTable(answer: SparqlSelectResults | SparqlAskResults): string {
  if ('boolean' in answer) return `${answer.boolean}\n`;
  const { vars } = answer.head;
  const rows = answer.results.bindings.map((binding) =>
    // An own property: a variable may be called `constructor`.
    vars.map((name) => (Object.hasOwn(binding, name) ? termText(binding[name]) : '')),
  );
  const count = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}\n`;
  return vars.length === 0 ? count : `${textTable(vars, rows)}${count}`;
}
