import type { ClientRequest } from '@rdf-worlds/client';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { BASE_IRI_OPTION, CONTEXT_OPTIONS } from './document-options.ts';
import { integer } from './option-value.ts';
import { UsageError } from './usage-error.ts';
import { RDF_DIRECTION_OPTION } from './world-export.ts';

/** Flag to field in the query string of an import (docs/reference/http.md). */
const QUERY_FIELDS: readonly (readonly [flag: string, field: string])[] = [
  ['graph', 'graph'],
  ['mode', 'mode'],
  ['base-iri', 'baseIri'],
  ['rdf-direction', 'rdfDirection'],
];

/** Where the triples of an import go, and how its documents are read. */
export const IMPORT_OPTIONS: readonly Option[] = [
  new Option('--graph <IRI>', 'the graph for all triples, "default" for the default graph (default: as in the files)'),
  new Option('--mode <MODE>', 'replace: delete the data of the graph, or of the world, in the same commit').choices([
    'merge',
    'replace',
  ]),
  BASE_IRI_OPTION,
  new Option('--if-revision <N>', 'fail unless the world is at this revision').argParser(
    integer(0, Number.MAX_SAFE_INTEGER),
  ),
  new Option('--context <FILE>', 'JSON-LD only: apply the context in this JSON file before those of the files'),
  ...CONTEXT_OPTIONS,
  RDF_DIRECTION_OPTION,
];

/**
 * Throws `UsageError` if several files are to be imported with an option that only the first could
 * obey: each file is a commit of its own.
 */
export function refuseSeveralFiles(given: Arguments): void {
  if (given.operands.length < 2) return;
  if (given.text('mode') === 'replace')
    throw new UsageError('--mode replace takes one file, because each file would replace the one before it.');
  if (given.integer('if-revision') !== undefined)
    throw new UsageError('--if-revision takes one file, because each import makes a new revision.');
}

/**
 * Returns the query string of an import, with its question mark; empty if there is nothing to say.
 */
export function importQuery(given: Arguments): string {
  const query = new URLSearchParams();
  for (const [flag, field] of QUERY_FIELDS) {
    const value = given.text(flag);
    if (value !== undefined) query.set(field, value);
  }
  return query.size === 0 ? '' : `?${query}`;
}

/**
 * Returns the request of an import. Only the interface's JSON has room for a context, so a document
 * with one is sent in base64.
 */
export function importRequest(
  given: Arguments,
  contentType: string,
  content: AsyncIterable<Uint8Array>,
  context: unknown,
): ClientRequest {
  const revision = given.integer('if-revision');
  const condition: Record<string, string> = revision === undefined ? {} : { 'rdf-worlds-if-revision': `${revision}` };
  const isJson = context !== undefined;
  return {
    method: 'POST',
    headers: { 'content-type': isJson ? 'application/json' : contentType, ...condition },
    body: ReadableStream.from(isJson ? inJson(contentType, context, content) : content),
  };
}

async function* inJson(
  contentType: string,
  context: unknown,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify({ contentType, context }).slice(0, -1)},"data":"`);
  // RFC 4648 section 4: three bytes become four characters, and only the end is padded.
  let rest = Buffer.alloc(0);
  for await (const chunk of content) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    yield Buffer.from(bytes.toString('base64', 0, whole));
    rest = bytes.subarray(whole);
  }
  yield Buffer.from(`${rest.toString('base64')}"}`);
}
