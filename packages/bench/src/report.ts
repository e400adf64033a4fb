import { formatTable, markdownTable, type Table } from './table.ts';

/** The result of a benchmark, for display. */
export interface Report {
  /** The exact settings: sizes, rounds, seeds, options of the peers. */
  readonly settings: readonly string[];
  readonly tables: readonly Table[];
  /** Explanations of the tables. */
  readonly notes: readonly string[];
  /** Whether the tables are written in Markdown, for documents. */
  readonly isMarkdown?: boolean;
}

export function formatReport(name: string, machine: string, { settings, tables, notes, isMarkdown }: Report): string {
  return [
    `=== ${name}`,
    [machine, ...settings].join('\n'),
    ...tables.map(isMarkdown ? markdownTable : formatTable),
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : []),
  ].join('\n\n');
}
