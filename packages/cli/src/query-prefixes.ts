import { WorldsError } from '@rdf-worlds/core';
import type { Prefixes } from './prefixes.ts';
import { prepareSparql } from './prepare-sparql.ts';

/**
 * Returns the prefixes that a query declares; none if it does not parse, because running it reports
 * the error.
 */
export async function queryPrefixes(text: string): Promise<Prefixes> {
  try {
    const prepared = await prepareSparql(text);
    return (prepared.type === 'query' && prepared.prefixes) || {};
  } catch (error) {
    if (error instanceof WorldsError) return {};
    throw error;
  }
}
