import type { QueryResult } from '@rdf-worlds/core';
import { dataFactory, fromWireValue, WorldsError } from '@rdf-worlds/core/remote';
import type * as RDF from '@rdfjs/types';
import type { Answer } from './answer.ts';
import { JsonRows } from './json-rows.ts';
import { WireBindings } from './wire-bindings.ts';

/** The media type of results of every form. */
export const RESULTS_TYPE = 'application/sparql-results+json';

/**
 * Reads the result of a query as it arrives. Returns as soon as its kind is known; rows are parsed
 * while they are read. Throws UNAVAILABLE, also while rows are read, if the answer broke off.
 */
export async function queryAnswer(answer: Answer): Promise<QueryResult> {
  await answer.requireType(RESULTS_TYPE);
  const rows = new JsonRows();
  const pieces = texts(answer);
  let first: unknown[] = [];
  while (!rows.begin) {
    const { done, value } = await pieces.next();
    if (done) return { type: 'boolean', value: booleanOf(rows.end()) };
    first = rows.push(value);
  }
  const { kind, document } = rows.begin;
  const batches = batchesOf(rows, first, pieces);
  if (kind === 'quads') return { type: 'quads', batches: quadsOf(batches), prefixes: {} };
  const variables = variablesOf(document);
  return { type: 'bindings', variables, batches: bindingsOf(batches, variables) };
}

/** Yields the body as text. */
async function* texts(answer: Answer): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of answer.chunks()) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

type Rows = readonly unknown[];

function batchesOf(rows: JsonRows, first: Rows, pieces: AsyncGenerator<string>): AsyncIterable<Rows> {
  return {
    [Symbol.asyncIterator]: () => {
      const batches = remaining(rows, first, pieces);
      return {
        next: () => batches.next(),
        // A generator that was never started would not end the request.
        async return() {
          await pieces.return(undefined);
          return batches.return(undefined) as Promise<IteratorResult<Rows>>;
        },
      };
    },
  };
}

async function* remaining(rows: JsonRows, first: Rows, pieces: AsyncGenerator<string>): AsyncGenerator<Rows> {
  try {
    if (first.length > 0) yield first;
    // Not a `for` loop over `rows.begin`: the generator of the pieces is already running.
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
      const more = rows.push(next.value);
      if (more.length > 0) yield more;
    }
    rows.end();
  } finally {
    await pieces.return(undefined);
  }
}

async function* bindingsOf(batches: AsyncIterable<Rows>, variables: readonly string[]): AsyncGenerator<WireBindings> {
  for await (const rows of batches) yield new WireBindings(rows, variables);
}

async function* quadsOf(batches: AsyncIterable<Rows>): AsyncGenerator<RDF.Quad[]> {
  for await (const rows of batches) yield rows.map(quadOf);
}

function quadOf(row: unknown): RDF.Quad {
  const { subject, predicate, object } = row as Record<'subject' | 'predicate' | 'object', unknown>;
  return dataFactory.quad(
    fromWireValue(subject, 'subject') as RDF.Quad_Subject,
    fromWireValue(predicate, 'predicate') as RDF.Quad_Predicate,
    fromWireValue(object, 'object') as RDF.Quad_Object,
  );
}

function variablesOf(document: unknown): readonly string[] {
  const vars = (document as { head?: { vars?: unknown } }).head?.vars;
  if (Array.isArray(vars) && vars.every((name) => typeof name === 'string')) return vars;
  throw new WorldsError('UNSUPPORTED', 'The response has no head with the names of the variables before its rows.');
}

function booleanOf(document: unknown): boolean {
  const { boolean } = (document ?? {}) as { boolean?: unknown };
  if (typeof boolean === 'boolean') return boolean;
  throw new WorldsError('UNSUPPORTED', 'The response contains neither solutions nor triples nor a boolean.');
}
