import type { GraphName, ImportDocument, ImportOptions, ImportProgress, ImportResult } from '@rdf-worlds/core';
import { graphTerm, isGraphName, WorldsError } from '@rdf-worlds/core/remote';
import { importDocument, type SentDocument } from './import-document.ts';
import { Multipart } from './multipart.ts';
import { queryString } from './query-string.ts';
import type { Transport } from './transport.ts';
import { countOf, notesOf } from './world-answer.ts';
import { type WorldName, worldPath } from './world-path.ts';

/** What an import needs of its client. */
export interface ImportPlace {
  readonly transport: Transport;
  readonly world: (source: unknown, operation: string) => WorldName;
  readonly streamUploads: boolean;
}

/** Documents longer than this are streamed; shorter ones are sent whole and can be repeated. */
const MAX_WHOLE_BYTES = 1 << 16;

/** Sends documents to a world, as one commit. `operation` is for messages. */
export async function importDocuments(
  place: ImportPlace,
  operation: 'import' | 'importAll',
  documents: readonly ImportDocument[],
  { source, graph, mode, ifRevision, signal, onProgress }: ImportOptions,
): Promise<ImportResult> {
  const world = place.world(source, operation);
  const { baseIri, rdfDirection } = commonOptions(operation, documents);
  const query = queryString({ graph: graph && graphText(graph, operation), mode, baseIri, rdfDirection });
  const notes: string[] = [];
  let bytes = 0;
  const opened = async function* (): AsyncGenerator<SentDocument> {
    for (const [i, document] of documents.entries()) {
      const field = operation === 'importAll' ? `${operation}: documents[${i}].data` : `${operation}: data`;
      const sent = await importDocument(document, field);
      if (sent.note !== undefined) notes.push(sent.note);
      yield { ...sent, chunks: counted(sent.chunks) };
    }
  };
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      yield chunk;
      bytes += chunk.length;
      onProgress?.(progress(Number.NaN, bytes));
    }
  };
  const { contentType, chunks } = await bodyOf(documents, opened());
  const answer = await place.transport.send(`${worldPath(world)}/import${query}`, {
    method: 'POST',
    headers: { 'content-type': contentType, ...revisionCondition(ifRevision) },
    body: await sendable(chunks, place.streamUploads),
    signal,
  });
  await answer.discard();
  const { headers } = answer;
  const quads = countOf(headers, 'rdf-worlds-quads');
  onProgress?.(progress(quads, bytes));
  return {
    quads,
    inserted: countOf(headers, 'rdf-worlds-inserted'),
    deleted: countOf(headers, 'rdf-worlds-deleted'),
    createdGraphs: countOf(headers, 'rdf-worlds-created-graphs'),
    revision: countOf(headers, 'rdf-worlds-revision'),
    notes: [...notes, ...notesOf(headers)],
  };
}

/** Returns the header of a write that requires a revision. */
export function revisionCondition(ifRevision: number | undefined): Record<string, string> {
  return ifRevision === undefined ? {} : { 'rdf-worlds-if-revision': String(ifRevision) };
}

/** Returns a graph for a body or a query string. Throws INVALID_ARGUMENT. */
export function graphText(graph: GraphName, operation: string): string {
  if (!isGraphName(graph)) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${operation}: graph: expected the absolute IRI of a graph, or its term: a named node, a blank node, the default graph`,
    );
  }
  const { termType, value } = graphTerm(graph);
  if (termType === 'DefaultGraph') return 'default';
  return termType === 'BlankNode' ? `_:${value}` : value;
}

/** Returns a body of chunks; collected if it cannot be streamed, or is short. */
export async function sendable(
  chunks: AsyncGenerator<Uint8Array>,
  streamUploads: boolean,
): Promise<ReadableStream<Uint8Array> | Blob> {
  const first: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) return new Blob(first);
    first.push(value as Uint8Array<ArrayBuffer>);
    length += value.length;
    if (streamUploads && length > MAX_WHOLE_BYTES) break;
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const held = first.shift();
        if (held) return controller.enqueue(held);
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

function progress(quads: number, bytes: number): ImportProgress {
  return { quads, bytes };
}

type CommonOptions = Pick<ImportDocument, 'baseIri' | 'rdfDirection'>;

/** One request has one value for each option of its documents. */
function commonOptions(operation: string, documents: readonly ImportDocument[]): CommonOptions {
  const [first = { data: '' }] = documents;
  for (const field of ['baseIri', 'rdfDirection'] as const) {
    if (documents.every((document) => document[field] === first[field])) continue;
    throw new WorldsError(
      'UNSUPPORTED',
      `${operation}: documents: a server takes one ${field} for all documents of a call; import those with another one separately.`,
    );
  }
  return first;
}

async function bodyOf(
  documents: readonly ImportDocument[],
  opened: AsyncGenerator<SentDocument>,
): Promise<{ contentType: string; chunks: AsyncGenerator<Uint8Array> }> {
  const withContext = documents.find(({ context }) => context !== undefined);
  if (documents.length === 1) {
    const document = (await opened.next()).value as SentDocument;
    return withContext ? inJson(document, withContext.context) : document;
  }
  if (withContext) {
    throw new WorldsError(
      'UNSUPPORTED',
      'importAll: documents: a server takes a context for a single document only; import those with a context separately.',
    );
  }
  const parts = new Multipart();
  return { contentType: parts.contentType, chunks: parts.chunks(opened) };
}

/** The interface's JSON body, which has room for a context. */
function inJson({ contentType, chunks }: SentDocument, context: unknown) {
  const body = async function* (): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    yield encoder.encode(`${JSON.stringify({ contentType, context }).slice(0, -1)},"data":"`);
    // Base64 encodes three bytes at a time; only the last piece may be padded.
    let rest = new Uint8Array(0);
    for await (const chunk of chunks) {
      const all = new Uint8Array(rest.length + chunk.length);
      all.set(rest);
      all.set(chunk, rest.length);
      const end = all.length - (all.length % 3);
      yield encoder.encode(base64(all.subarray(0, end)));
      rest = all.slice(end);
    }
    yield encoder.encode(`${base64(rest)}"}`);
  };
  return { contentType: 'application/json', chunks: body() };
}

/** `String.fromCharCode` takes a limited number of arguments. */
const BASE64_BYTES = 3 * 8192;

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += BASE64_BYTES)
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + BASE64_BYTES)));
  return text;
}
