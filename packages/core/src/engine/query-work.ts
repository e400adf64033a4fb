import type * as RDF from '@rdfjs/types';
import type { Dictionary } from '../quads/dictionary.ts';
import { type NewTerms, Overlay } from '../quads/overlay.ts';
import type { Catalog } from './catalog.ts';
import type { SparqlRequest } from './engine-requests.ts';
import type { QueryResult } from './query-results.ts';
import type { RequestedWorlds } from './requested-worlds.ts';

/** A query or an update that was asked for, checked and with its worlds. */
export interface QueryWork extends Omit<SparqlRequest, 'query' | 'sources' | 'namespace' | 'bindings'> {
  /** The engine's method, for messages. */
  readonly operation: string;
  /** The only type of result that the caller takes; undefined: any. */
  readonly expected?: QueryResult['type'];
  readonly text: string;
  readonly worlds: RequestedWorlds;
  readonly bindings?: ReadonlyMap<string, RDF.Term>;
}

/** The terms of a request. Its blank nodes belong to the world that it writes, if any. */
export function requestOverlay(catalog: Catalog, dictionary: Dictionary, world: number, newTerms?: NewTerms): Overlay {
  return new Overlay(dictionary, { world, scope: catalog.newScope }, newTerms);
}
