import { findFormat, RDF_FORMATS, WorldsError } from '@rdf-worlds/core';
import type { Call } from '../call.ts';
import type { Incoming } from '../incoming.ts';
import { formParts } from '../multipart.ts';
import { bodyType, checkedType, isGzipped, readBody } from '../request-body.ts';
import { openDocument } from '../streamed-document.ts';

const READABLE = RDF_FORMATS.filter(({ read }) => read).map(({ mediaType }) => mediaType);

/**
 * Formats whose readers hold the whole document, which therefore may not be longer than what is
 * held anyway.
 */
const WHOLE_DOCUMENTS: readonly string[] = ['application/ld+json'];

/** A document in a readable format. */
export interface GraphDocument {
  /** A stream can be read once. */
  readonly data: Uint8Array | AsyncIterable<Uint8Array>;
  readonly contentType: string;
  /** Whether it is compressed by gzip. */
  readonly decompress: boolean;
}

/** Returns whether the documents can be read more than once. */
export function areRepeatable(documents: readonly GraphDocument[]): boolean {
  return documents.every(({ data }) => data instanceof Uint8Array);
}

/**
 * Returns the documents of a request's body: one, which is streamed if it is long; several, as
 * multipart/form-data (SPARQL 1.1 Graph Store Protocol 5.5); or none if the body is empty and has
 * no type. A type that cannot be read is refused before the body is.
 */
export async function readGraphDocuments(call: Call): Promise<readonly GraphDocument[]> {
  const { maxImportBytes, maxHeldImportBytes, maxParts } = call.limits;
  const type = bodyType(call.incoming)?.type;
  if (type !== undefined && type !== 'multipart/form-data') {
    const contentType = readableType(type);
    if (!WHOLE_DOCUMENTS.includes(contentType)) {
      const decompress = isGzipped(call.incoming);
      return [{ data: await openDocument(call, decompress), contentType, decompress }];
    }
  }
  const data = await readBody(call, Math.min(maxImportBytes, maxHeldImportBytes));
  if (type === undefined && data.length === 0) return [];
  if (type === 'multipart/form-data') return formDocuments(call.incoming, data, maxParts);
  if (type === undefined)
    throw new WorldsError('INVALID_ARGUMENT', 'Content-Type: it is missing; specify the RDF format.');
  return [{ data, contentType: readableType(type), decompress: false }];
}

function formDocuments(incoming: Incoming, data: Uint8Array, maxParts: number): readonly GraphDocument[] {
  const parts = formParts(data, incoming.header('content-type')!, maxParts);
  return parts.map(({ name, isFile, contentType, body }) => {
    if (!isFile) throw new WorldsError('INVALID_ARGUMENT', `${name}: expected a file with a Content-Type.`);
    // RFC 7578 section 4.4: the default type of a part is text/plain.
    return { data: body, contentType: readableType(checkedType(contentType)?.type ?? 'text/plain'), decompress: false };
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
