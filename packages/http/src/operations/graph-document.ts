import { findFormat, WorldsError } from '@rdf-worlds/core';
import type { Call } from '../call.ts';
import type { Incoming } from '../incoming.ts';
import { bodyType, readBody } from '../request-body.ts';

/** A document in a format that can be read. */
export interface GraphDocument {
  readonly data: Uint8Array;
  readonly contentType: string;
}

/**
 * What a request's body holds: one document, or several as multipart/form-data (SPARQL 1.1 Graph Store Protocol 5.5), or none when it is
 * empty and has no type.
 */
export async function readGraphDocuments(call: Call): Promise<readonly GraphDocument[]> {
  const { maxImportBytes: maxBytes, bodyIdleMs: idleMs } = call.limits;
  const data = await readBody(call.incoming, { maxBytes, idleMs });
  const type = bodyType(call.incoming)?.type;
  if (type === undefined && data.length === 0) return [];
  if (type === 'multipart/form-data') return formDocuments(call.incoming, data);
  if (type === undefined)
    throw new WorldsError('INVALID_ARGUMENT', 'Content-Type: it is missing; say which RDF this is.');
  return [{ data, contentType: readableType(type) }];
}

async function formDocuments(incoming: Incoming, data: Uint8Array): Promise<readonly GraphDocument[]> {
  const headers = { 'content-type': incoming.header('content-type')! };
  let form: FormData;
  try {
    form = await new Response(data as Uint8Array<ArrayBuffer>, { headers }).formData();
  } catch (cause) {
    throw new WorldsError('INVALID_ARGUMENT', 'The body is no valid multipart/form-data.', { cause });
  }
  const documents: GraphDocument[] = [];
  for (const [field, value] of form) {
    if (typeof value === 'string') {
      throw new WorldsError('INVALID_ARGUMENT', `${field}: expected a file with a Content-Type.`);
    }
    documents.push({ data: new Uint8Array(await value.arrayBuffer()), contentType: readableType(value.type) });
  }
  return documents;
}

function readableType(contentType: string): string {
  const format = findFormat(contentType);
  if (format?.read) return format.mediaType;
  throw new WorldsError(
    'UNSUPPORTED',
    `Content-Type: ${JSON.stringify(contentType)} is no format of RDF that can be read here.`,
  );
}
