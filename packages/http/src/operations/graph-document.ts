import { dataFactory, findFormat, WorldsEngine, WorldsError } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import type { Call } from '../call.ts';
import type { Incoming } from '../incoming.ts';
import { bodyType, readBody } from '../request-body.ts';

/** One part of a body: a document in a format. */
interface Part {
  readonly data: Uint8Array;
  readonly contentType: string;
}

/**
 * The triples of a request's body as quads of a graph, with blank nodes that are new. The body is one document, or several as
 * multipart/form-data (SPARQL 1.1 Graph Store Protocol 5.5), whose blank nodes stay apart.
 */
export async function readGraph(
  call: Call,
  graph: RDF.NamedNode | RDF.DefaultGraph,
  baseIri: string,
): Promise<RDF.Quad[]> {
  const { signal } = call;
  // A world of its own to read into: nothing of a broken document gets near the store.
  await using scratch = await WorldsEngine.open({ textIndex: null });
  const source = (await scratch.createWorld({ slug: 'document' })).slug;
  for (const { data, contentType } of await readParts(call)) {
    await scratch.import({ source, data, contentType, baseIri, signal });
  }
  const fresh = new Map<string, RDF.BlankNode>();
  const rename = <Term extends RDF.Quad_Subject | RDF.Quad_Object>(term: Term): Term => {
    if (term.termType === 'Quad') {
      const { subject, predicate, object } = term as RDF.Quad;
      return dataFactory.quad(rename(subject), predicate, rename(object)) as Term;
    }
    if (term.termType !== 'BlankNode') return term;
    let own = fresh.get(term.value);
    if (!own) fresh.set(term.value, (own = dataFactory.blankNode(`b${fresh.size}`)));
    return own as Term;
  };
  const quads: RDF.Quad[] = [];
  for await (const quad of scratch.quads({ source, signal })) {
    if (quad.graph.termType !== 'DefaultGraph') {
      throw new WorldsError('INVALID_RDF', 'The document has named graphs; this is the address of one graph.');
    }
    quads.push(dataFactory.quad(rename(quad.subject), quad.predicate, rename(quad.object), graph));
  }
  return quads;
}

async function readParts(call: Call): Promise<readonly Part[]> {
  const { maxImportBytes: maxBytes, bodyIdleMs: idleMs } = call.limits;
  const data = await readBody(call.incoming, { maxBytes, idleMs });
  const type = bodyType(call.incoming)?.type;
  if (type === undefined && data.length === 0) return [];
  if (type === 'multipart/form-data') return formParts(call.incoming, data);
  if (type === undefined)
    throw new WorldsError('INVALID_ARGUMENT', 'Content-Type: it is missing; say which RDF this is.');
  return [{ data, contentType: readableType(type) }];
}

async function formParts(incoming: Incoming, data: Uint8Array): Promise<readonly Part[]> {
  const headers = { 'content-type': incoming.header('content-type')! };
  let form: FormData;
  try {
    form = await new Response(data as Uint8Array<ArrayBuffer>, { headers }).formData();
  } catch (cause) {
    throw new WorldsError('INVALID_ARGUMENT', 'The body is no valid multipart/form-data.', { cause });
  }
  const parts: Part[] = [];
  for (const [field, value] of form) {
    if (typeof value === 'string') {
      throw new WorldsError('INVALID_ARGUMENT', `${field}: expected a file with a Content-Type.`);
    }
    parts.push({ data: new Uint8Array(await value.arrayBuffer()), contentType: readableType(value.type) });
  }
  return parts;
}

function readableType(contentType: string): string {
  const format = findFormat(contentType);
  if (format?.read) return format.mediaType;
  throw new WorldsError(
    'UNSUPPORTED',
    `Content-Type: ${JSON.stringify(contentType)} is no format of RDF that can be read here.`,
  );
}
