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

/** Returns the text with a unique comment in front, which defeats caches of query texts. */
export function freshText(text: string, language: QueryLanguage = 'sparql'): string {
  return `${language === 'sparql' ? '#' : '--'} ${++texts}\n${text}`;
}
