import { createHash } from 'node:crypto';
import { findFormat, type ImportDocument, RDF_FORMATS, WorldsError } from '@rdf-worlds/core';
import { acceptOf } from '../accept.ts';
import { decodeBase64, decodeBase64Bytes } from '../base64.ts';
import type { Call } from '../call.ts';
import { matchesEtag, stateTags } from '../etag.ts';
import { graphName } from '../graph-text.ts';
import { HttpError } from '../http-error.ts';
import { scanJson, unescapedSlashes } from '../json-scan.ts';
import { EXPORT_TYPES } from '../media-type.ts';
import { emptyReply, type Reply, streamedReply } from '../reply.ts';
import { bodyType, parseJson, readBody, requireJsonType } from '../request-body.ts';
import { revisionHeader } from '../revisions.ts';
import { ExportPostBody, ImportPostBody, ImportQuery, parseBody } from '../schemas.ts';
import { unknownWorld } from '../unknown-world.ts';
import type { WorldName } from '../world-name.ts';
import { importHeaders } from './change-headers.ts';
import { areRepeatable, readGraphDocuments } from './graph-document.ts';
import { momentOf, readingPast } from './moment.ts';
import { noteHeaders } from './note-headers.ts';
import { optionalJsonBody, requireContent, targetOf } from './target.ts';
import { upToDate } from './up-to-date.ts';
import { writeConditionally } from './write-condition.ts';

/**
 * Minimum allowance for the JSON apart from an extracted `data`. A `data` that is too short to be
 * extracted (see `scanJson`) counts as part of this rest and always fits.
 */
const MIN_REST_BYTES = 128 * 1024;
const DEFAULT_IMPORT_TYPE = 'application/n-quads';

/**
 * Streams a world as an RDF document, in `contentType` or the type negotiated by the Accept header.
 */
export async function exportWorld(call: Call): Promise<Reply> {
  const { engine, incoming } = call;
  const body = parseBody(ExportPostBody, await optionalJsonBody(call));
  const { contentType, source, at: given, consistency, graph, canonicalOrder, ...form } = body;
  const mediaType =
    contentType === undefined
      ? acceptOf(incoming.header('accept')).choose(EXPORT_TYPES)
      : knownType(contentType, 'write');
  const target = targetOf(call, source, 'read');
  const at = momentOf(call, given, target.namespace);
  await upToDate(call, [target.namespace], consistency);
  const world = await readingPast(call, [target], () => engine.getWorld({ source: target, at }));
  if (!world) throw unknownWorld(target);
  const { ofData } = await stateTags(call, world);
  const headers = { etag: ofData(`${mediaType}${formOf({ ...form, graph, canonicalOrder })}`), vary: 'Accept' };
  if (matchesEtag(incoming.header('if-none-match'), headers.etag)) return emptyReply(304, headers);
  const options = {
    ...form,
    contentType: mediaType,
    graph: graph === undefined ? undefined : graphName(graph),
    canonicalOrder: canonicalOrder || call.access.hides([target]),
    signal: call.signal,
  };
  return readingPast(call, [target], () =>
    streamedReply(call, mediaType, engine.exportStream({ source: target, at, ...options }), headers),
  );
}

/** Returns the part of an ETag that distinguishes documents of the same state and media type. */
function formOf(options: object): string {
  const text = JSON.stringify(options);
  return text === '{}' ? '' : `.${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
}

/**
 * Adds the content of the body to a world, atomically: plain RDF, or the interface's JSON with a
 * document in it.
 */
export async function importData(call: Call): Promise<Reply> {
  const type = bodyType(call.incoming)?.type;
  // JSON-LD has its own media type, so application/json is never RDF.
  if (type === undefined || type === 'application/json') return importJson(call);
  const source = targetOf(call, undefined, 'write');
  const { rdfDirection, baseIri, ...target } = importQuery(call);
  const documents = await readGraphDocuments(call);
  const described = documents.map((document) => ({ ...document, rdfDirection, baseIri }));
  return imported(call, source, described, { ...target, isRepeatable: areRepeatable(documents) });
}

async function importJson(call: Call): Promise<Reply> {
  const { body, data } = await importBody(call);
  if (!data) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'data: expected base64 (RFC 4648 section 4), padded and without line breaks.',
    );
  }
  const contentType = knownType(body.contentType ?? DEFAULT_IMPORT_TYPE, 'read');
  const source = targetOf(call, body.source, 'write');
  const query = importQuery(call);
  const { context } = body;
  const rdfDirection = body.rdfDirection ?? query.rdfDirection;
  const baseIri = body.baseIri ?? query.baseIri;
  // `decompress: false`, because the body limits apply to the content as sent.
  const documents = [{ data, contentType, context, rdfDirection, baseIri, decompress: false }];
  const [graph, mode] = [body.graph ?? query.graph, body.mode ?? query.mode];
  return imported(call, source, documents, { graph, mode, isRepeatable: true });
}

function importQuery({ incoming: { query } }: Call) {
  const given = Object.keys(ImportQuery.shape).map((name) => {
    const [value, ...more] = query.getAll(name);
    if (more.length > 0) throw new WorldsError('INVALID_ARGUMENT', `${name}: pass it only once.`);
    return [name, value] as const;
  });
  return parseBody(ImportQuery, Object.fromEntries(given));
}

interface ImportTarget {
  readonly graph?: string | undefined;
  readonly mode?: 'merge' | 'replace' | undefined;
  readonly isRepeatable: boolean;
}

async function imported(
  call: Call,
  source: WorldName,
  documents: readonly ImportDocument[],
  { graph: name, mode, isRepeatable }: ImportTarget,
): Promise<Reply> {
  const graph = name === undefined ? undefined : graphName(name);
  const write = (ifRevision: number | undefined) =>
    call.engine.importAll({ source, documents, graph, mode, ifRevision, signal: call.signal });
  const result = await writeConditionally(call, source, write, { isRepeatable });
  call.record.rows = result.inserted + result.deleted;
  const changes = importHeaders(result, call.access.may('read', source));
  const revision = revisionHeader(call, { ...source, revision: result.revision });
  return emptyReply(204, { ...changes, ...revision, ...noteHeaders(result.notes) });
}

/**
 * Reads the body of an import. A long `data` member is extracted from the JSON as bytes and decoded
 * in slices; as a string it would block the event loop.
 */
async function importBody(call: Call): Promise<{ body: ImportPostBody; data: Uint8Array | undefined }> {
  const { maxBodyBytes, maxImportBytes, maxHeldImportBytes } = call.limits;
  const bytes = await readBody(call, Math.min(maxImportBytes, maxHeldImportBytes));
  requireContent(bytes);
  const mediaType = bodyType(call.incoming);
  requireJsonType(mediaType);
  const range = await scanJson(bytes, call.limits, 'data');
  if (bytes.length - (range ? range.end - range.start : 0) > Math.max(maxBodyBytes, MIN_REST_BYTES)) {
    throw new HttpError(
      413,
      `maxBodyBytes: the fields other than data exceed ${maxBodyBytes} bytes; send data in base64, with no escapes except \\/.`,
    );
  }
  if (!range) {
    const body = parseBody(ImportPostBody, parseJson(bytes, mediaType));
    return { body, data: decodeBase64(body.data) };
  }
  const rest = Buffer.concat([bytes.subarray(0, range.start), bytes.subarray(range.end)]);
  const body = parseBody(ImportPostBody, parseJson(rest, mediaType));
  // A second `data` member, spelled with escapes, that the parser recognises as the same name.
  if (body.data !== '') return { body, data: decodeBase64(body.data) };
  call.bodyClaim.grow(range.end - range.start);
  return { body, data: await decodeBase64Bytes(await unescapedSlashes(bytes, range)) };
}

/**
 * Returns the media type of a readable or writable format, given any of its names. Throws
 * `UNSUPPORTED`.
 */
function knownType(contentType: string, direction: 'read' | 'write'): string {
  const format = findFormat(contentType);
  if (format?.[direction]) return format.mediaType;
  const known = RDF_FORMATS.filter((row) => row[direction]).map(({ mediaType }) => mediaType);
  throw new WorldsError(
    'UNSUPPORTED',
    `contentType: ${JSON.stringify(contentType.slice(0, 200))} is not supported; use one of ${known.join(', ')}.`,
  );
}
