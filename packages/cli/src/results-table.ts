import { JsonRows } from '@rdf-worlds/client';
import type { SparqlAskResults, SparqlSelectResults, SparqlValue } from '@rdf-worlds/core';
import { type Prefixes, ShortNames } from './prefixes.ts';
import { termText } from './term-text.ts';
import { TableLayout, type TableStyle } from './text-table.ts';

/** The rows that determine the widths of the columns; no more are held. */
export const MEASURED_ROWS = 1_000;

type Binding = Readonly<Record<string, SparqlValue>>;

/** How a result is shown. */
export interface ResultsTableOptions {
  /** The prefixes of the query, used to abbreviate IRIs. */
  readonly prefixes?: Prefixes;
  readonly style?: TableStyle;
  /** Receives the number of rows that are held, each time it grows. */
  readonly onHeld?: (rows: number) => void;
}

/**
 * Formats the result of a SELECT as a table, or of an ASK as `true` or `false`, while it arrives.
 *
 * @param pieces the result in SPARQL JSON, as text
 */
export async function* resultsTable(
  pieces: AsyncIterable<string> | Iterable<string>,
  { prefixes = {}, style = {}, onHeld = () => {} }: ResultsTableOptions = {},
): AsyncGenerator<string> {
  const json = new JsonRows();
  const names = new ShortNames(prefixes);
  let vars: readonly string[] = [];
  let layout: TableLayout | undefined;
  let held: (readonly string[])[] = [];
  let count = 0;
  const begun = () => {
    layout = new TableLayout(vars, held, style);
    const text = layout.head() + held.map((row) => layout!.row(row)).join('');
    held = [];
    return text;
  };
  for await (const piece of pieces) {
    const bindings = json.push(piece) as Binding[];
    if (!json.begin) continue;
    ({ vars } = (json.begin.document as SparqlSelectResults).head);
    count += bindings.length;
    if (vars.length === 0) continue;
    const text: string[] = [];
    for (const binding of bindings) {
      // `hasOwn`, because a variable may be named `constructor`.
      const row = vars.map((name) => (Object.hasOwn(binding, name) ? termText(binding[name], names) : ''));
      if (layout) {
        text.push(layout.row(row));
        continue;
      }
      held.push(row);
      onHeld(held.length);
      if (held.length === MEASURED_ROWS) text.push(begun());
    }
    if (text.length > 0) yield text.join('');
  }
  const document = json.end() as SparqlSelectResults | SparqlAskResults;
  if ('boolean' in document) {
    yield `${document.boolean}\n`;
    return;
  }
  if (!layout && vars.length > 0) yield begun();
  yield `${count} ${count === 1 ? 'row' : 'rows'}\n`;
}
