import { findFormat, RDF_FORMATS, WorldsError } from '@rdf-worlds/core';
import type { Call } from '../call.ts';
import type { Incoming } from '../incoming.ts';
import { formParts } from '../multipart.ts';
import { bodyType, checkedType, readBody } from '../request-body.ts';

const READABLE = RDF_FORMATS.filter(({ read }) => read).map(({ mediaType }) => mediaType);

/** A document in a readable format. */
export interface GraphDocument {
  readonly data: Uint8Array;
  readonly contentType: string;
}

/**
 * Returns the documents of a request's body: one; several, as multipart/form-data (SPARQL 1.1 Graph
 * Store Protocol 5.5); or none if the body is empty and has no type.
 */
export async function readGraphDocuments(call: Call): Promise<readonly GraphDocument[]> {
  const { maxImportBytes, maxParts } = call.limits;
  const data = await readBody(call, maxImportBytes);
  const type = bodyType(call.incoming)?.type;
  if (type === undefined && data.length === 0) return [];
  if (type === 'multipart/form-data') return formDocuments(call.incoming, data, maxParts);
  if (type === undefined)
    throw new WorldsError('INVALID_ARGUMENT', 'Content-Type: it is missing; specify the RDF format.');
  return [{ data, contentType: readableType(type) }];
}

function formDocuments(incoming: Incoming, data: Uint8Array, maxParts: number): readonly GraphDocument[] {
  const parts = formParts(data, incoming.header('content-type')!, maxParts);
  return parts.map(({ name, isFile, contentType, body }) => {
    if (!isFile) throw new WorldsError('INVALID_ARGUMENT', `${name}: expected a file with a Content-Type.`);
    // RFC 7578 section 4.4: the default type of a part is text/plain.
    return { data: body, contentType: readableType(checkedType(contentType)?.type ?? 'text/plain') };
  });
}

function readableType(contentType: string): string {
  const format = findFormat(contentType);
  if (format?.read) return format.mediaType;
  throw new WorldsError(
    'UNSUPPORTED',
    `Content-Type: ${JSON.stringify(contentType)} is not a supported RDF format; send one of ${READABLE.join(', ')}.`,
  );
}
