import { nativeEngine, WorldsError } from '@rdf-worlds/core';
import type { Prefixes } from './prefixes.ts';

/** The prefixes that a query declares. None of a text that is wrong: whoever runs it says why. */
export async function queryPrefixes(text: string): Promise<Prefixes> {
  try {
    const prepared = await nativeEngine().prepare(text, { baseIri: ANY_BASE });
    return (prepared.type === 'query' && prepared.prefixes) || {};
  } catch (error) {
    if (error instanceof WorldsError) return {};
    throw error;
  }
}

/** The real base is the server's; nothing that depends on it is looked at. */
const ANY_BASE = 'http://localhost/';
