import type { SqlLayout } from './sql-layout.ts';

export interface NamedQuery {
  readonly name: string;
  /** In SPARQL. */
  readonly text: string;
  /** The same query in SQL, by the layout of the tables; its columns are named as the variables. */
  readonly sql?: Partial<Readonly<Record<SqlLayout, string>>>;
}

/** The language in which a peer is queried: SPARQL, or SQL over a layout. */
export type QueryLanguage = 'sparql' | SqlLayout;

/** Returns the text of a query in a language; undefined if it has none. */
export function textIn({ text, sql }: NamedQuery, language: QueryLanguage): string | undefined {
  return language === 'sparql' ? text : sql?.[language];
}

/** Returns true if the choice of rows is free: LIMIT without ORDER BY. */
export function wantsAnyRows({ text }: NamedQuery): boolean {
  return /\bLIMIT\b/i.test(text) && !/\bORDER\s+BY\b/i.test(text);
}

let texts = 0;

/**
 * How a text differs from all others: `new` texts differ in their white space, so that nothing that
 * is remembered of other texts helps; `commented` ones differ in a comment alone, as those of a
 * program that writes a trace id into each.
 */
export const TEXT_KINDS = ['new', 'commented'] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

/** Returns the text in a unique form, which defeats caches of query texts. */
export function freshText(text: string, language: QueryLanguage = 'sparql', kind: TextKind = 'new'): string {
  const number = ++texts;
  if (kind === 'commented') return `${language === 'sparql' ? '#' : '--'} ${number}\n${text}`;
  // A space or a tab for each bit.
  return `${number.toString(2).replaceAll('0', ' ').replaceAll('1', '\t')}${text}`;
}
