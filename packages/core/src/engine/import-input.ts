import { FORMAT_NAMES, findFormatName, formatNameOfFile } from '../formats/format-names.ts';
import { tagOf } from '../model/any-realm.ts';
import { WorldsError } from '../model/worlds-error.ts';
import { jsonPieces } from './json-pieces.ts';

/** The `data` of an import, with hints about its format. */
export interface ImportInput {
  /** Text, bytes, quads, or a stream of them. */
  readonly data: unknown;
  /** File name or path of a URL. */
  readonly name?: string;
  /** Media type that came with the data, and its origin for messages. */
  readonly declared?: { readonly mediaType: string; readonly where: string };
  /** True for a JSON-LD document passed as an object. */
  readonly isObject?: boolean;
}

/** The media type of a document, with a note if it was detected. */
export interface InputType {
  readonly contentType: string;
  readonly note?: string;
}

export const DEFAULT_IMPORT_TYPE = 'application/n-quads';
const JSON_LD = 'application/ld+json';

/** Media types that servers use for unknown formats. The file name is more specific. */
const GENERIC = new Set([
  'application/gzip',
  'application/json',
  'application/octet-stream',
  'application/x-gzip',
  'application/xml',
  'binary/octet-stream',
  'text/plain',
  'text/xml',
]);

const READABLE = FORMAT_NAMES.map(({ mediaType }) => mediaType);

interface Described {
  readonly contentType?: string;
  readonly context?: unknown;
}

/** Opens a file for reading; `field` is for messages. */
export type OpenFile = (url: URL, field: string) => AsyncIterable<Uint8Array>;

/**
 * Classifies `data` without reading it. Throws INVALID_ARGUMENT, with a remedy, for values that are
 * easily mistaken for a document: its path or address, a Promise, a failed or consumed Response, a
 * single quad, an object that is not JSON-LD.
 *
 * @param field name of the field, for messages
 */
export function importInput(data: unknown, field: string, described: Described, openFile: OpenFile): ImportInput {
  if (typeof data === 'string') {
    refuseAddress(data, field);
    return { data };
  }
  if (typeof data !== 'object' || data === null) return { data };
  switch (tagOf(data)) {
    case 'URL':
      return fileInput(data as URL, field, openFile);
    case 'Response':
      return responseInput(data as Response, field);
    case 'Blob':
    case 'File': {
      const { type, name } = data as Blob & { readonly name?: string };
      return { data, name, declared: type === '' ? undefined : { mediaType: type, where: 'the type of the Blob' } };
    }
  }
  if (typeof (data as Partial<PromiseLike<unknown>>).then === 'function') {
    throw wrong(field, 'this is a Promise; await it first.');
  }
  if (isPlain(data)) return objectInput(data, field, described);
  if (Array.isArray(data) && isPlain(data[0]) && (isJsonLd(data[0], described) || !looksLikeQuad(data[0]))) {
    return objectInput(data, field, described);
  }
  // A file stream of Node.js has the path of its file.
  const { path, pipe } = data as { path?: unknown; pipe?: unknown };
  return { data, name: typeof path === 'string' && typeof pipe === 'function' ? path : undefined };
}

/**
 * Returns the given type, else the type of the data, else that of its name, else N-Quads. Throws
 * UNSUPPORTED if the declared type cannot be read.
 */
export function inputType(input: ImportInput, given: string | undefined, field: string): InputType {
  if (given !== undefined) return { contentType: given };
  if (input.isObject) return noted(JSON_LD, field, 'because it is an object');
  const { declared, name } = input;
  if (declared) {
    const format = findFormatName(declared.mediaType);
    if (format) return noted(format.mediaType, field, `${declared.where}`);
    if (!GENERIC.has(declared.mediaType.split(';', 1)[0].trim().toLowerCase())) {
      throw new WorldsError(
        'UNSUPPORTED',
        `${field}: ${declared.where} is ${JSON.stringify(declared.mediaType)}, which is not supported; pass contentType if it is one of ${READABLE.join(', ')}.`,
      );
    }
  }
  const named = name === undefined ? undefined : formatNameOfFile(name.replace(/\.gz$/i, ''));
  if (named) return noted(named.mediaType, field, `by the name ${JSON.stringify(name)}`);
  return noted(DEFAULT_IMPORT_TYPE, field, 'because no contentType was given');
}

function noted(contentType: string, field: string, reason: string): InputType {
  return { contentType, note: `${field}: read as ${contentType}, ${reason}.` };
}

/** A row of a table: cells without spaces around, none of which begins like a term of RDF. */
const TABLE_ROW = /^(?:"[^"\n]*"|[^\s<>{}[\]"@#:_][^\s<>{}",;:]*)(?:[,;\t](?:"[^"\n]*"|[^<>{}",;\t\r\n]*))+\r?\n/;

/**
 * Says what a document looks like, from its first characters, if it could not be read as
 * `contentType`. Undefined if they look like that type, or like nothing known.
 */
export function advice(beginning: string, contentType: string): string | undefined {
  if (beginning.startsWith('\u001f'))
    return 'It looks like gzip: unpack it first, or send it over HTTP with Content-Encoding: gzip.';
  if (beginning.startsWith('PK\u0003\u0004')) return 'It looks like a ZIP archive: unpack it first.';
  // Readers come to the end of a line before they refuse what it holds, so that it is known here
  // however the document is cut into chunks.
  if (/^[^\r\n]*\0/.test(beginning)) return 'It looks like text in UTF-16, or like no text: only UTF-8 is read.';
  const text = beginning.replace(/^\ufeff/, '').replace(/^(?:\s+|#.*\n)+/, '');
  if (/^<(?:!doctype html|html)\b/i.test(text))
    return 'It looks like an HTML page, which contains no RDF in these formats.';
  let type: string | undefined;
  if (/^(?:@?prefix|@?base|@version|version)\b/i.test(text)) type = 'text/turtle or application/trig';
  else if (/^<\?xml\b|^<rdf:RDF\b/.test(text)) type = 'application/rdf+xml';
  else if (/^(?:\[\s*)?\{\s*(?:"|\})/.test(text)) type = JSON_LD;
  if (TABLE_ROW.test(text)) return 'It looks like a table (CSV or TSV), which is not RDF: convert it first.';
  return type && !type.includes(contentType) ? `It looks like ${type}: pass that as contentType.` : undefined;
}

const ADDRESS = /^(?:https?|file):\/\/\S+$/i;
const EXTENSIONS = FORMAT_NAMES.flatMap(({ extensions }) => extensions).join('|');
const PATH = new RegExp(`^[^\\s<>"{}]+\\.(?:${EXTENSIONS})(?:\\.gz)?$`, 'i');
const LONGEST_ADDRESS = 4096;

/** Rejects a text that is an address or a path. No format has such a document. */
function refuseAddress(text: string, field: string): void {
  if (text.length > LONGEST_ADDRESS) return;
  const trimmed = text.trim();
  if (ADDRESS.test(trimmed)) {
    throw wrong(
      field,
      `this text is a URL, but a string is read as the document itself; pass ${trimmed.startsWith('http') ? '"await fetch(url)"' : '"new URL(text)"'}.`,
    );
  }
  if (PATH.test(trimmed)) {
    throw wrong(
      field,
      'this text is the path of a file, but a string is read as the document itself; pass "pathToFileURL(path)" of node:url, or the content of the file.',
    );
  }
}

function fileInput(url: URL, field: string, openFile: OpenFile): ImportInput {
  if (url.protocol === 'file:') return { data: openFile(url, field), name: url.pathname };
  const remedy = url.protocol.startsWith('http')
    ? 'the library makes no network requests of its own: pass "await fetch(url)".'
    : `expected a file: URL, found ${url.protocol}; read it, and pass its content.`;
  throw wrong(field, remedy);
}

function responseInput(response: Response, field: string): ImportInput {
  const { ok, status, statusText, bodyUsed, body, headers, url } = response;
  const from = url ? ` of ${url}` : '';
  if (!ok) throw wrong(field, `the response${from} is ${status} ${statusText}`.trimEnd().concat(', no document.'));
  if (bodyUsed) throw wrong(field, `the body of the response${from} has been read already; fetch it again.`);
  const mediaType = headers.get('content-type');
  return {
    data: body ?? '',
    name: URL.canParse(url) ? new URL(url).pathname : undefined,
    declared: mediaType ? { mediaType, where: 'the Content-Type of the response' } : undefined,
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a plain object, of any realm, rather than an instance of a class. */
function isPlain(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null || Symbol.iterator in value || Symbol.asyncIterator in value)
    return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isJsonLd(value: JsonObject, { contentType, context }: Described): boolean {
  if (contentType !== undefined) return findFormatName(contentType)?.mediaType === JSON_LD;
  return context !== undefined || Object.keys(value).some((key) => key.startsWith('@'));
}

function looksLikeQuad(value: JsonObject): boolean {
  return 'subject' in value && 'predicate' in value && 'object' in value;
}

function objectInput(data: JsonObject | readonly unknown[], field: string, described: Described): ImportInput {
  const first = Array.isArray(data) ? (data[0] as JsonObject) : (data as JsonObject);
  if (isJsonLd(first, described)) return { data: jsonPieces(data, field), isObject: true };
  if (looksLikeQuad(first)) throw wrong(field, 'this is one quad; pass an array of quads.');
  throw wrong(
    field,
    described.contentType === undefined
      ? 'this is an object without @context, @id or another keyword of JSON-LD; pass "context" to define its keys, or contentType "application/ld+json".'
      : `an object is JSON-LD and cannot be read as ${described.contentType}; pass text, bytes or a stream.`,
  );
}

function wrong(field: string, message: string): WorldsError {
  return new WorldsError('INVALID_ARGUMENT', `${field}: ${message}`);
}
