import type { NamedQuery } from '../sparql/named-query.ts';
import { entityPrefix, vocabularyPrefix } from './entity.ts';
import { idsSql } from './ids-sql.ts';

export interface QueryTexts {
  readonly sparql: string;
  /** SQL over the typed tables. */
  readonly tables: string;
  /** SQL over terms and triples: see {@link idsSql}. */
  readonly ids: string;
}

/** Completes the texts by the prefixes of a dataset. */
export function workloadQueries(dataset: string, texts: Readonly<Record<string, QueryTexts>>): readonly NamedQuery[] {
  const prologue = `BASE <${entityPrefix(dataset)}>
PREFIX : <${vocabularyPrefix(dataset)}>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
`;
  return Object.entries(texts).map(([name, { sparql, tables, ids }]) => ({
    name,
    text: `${prologue}${sparql}\n`,
    sql: { tables, ids: idsSql(ids) },
  }));
}
