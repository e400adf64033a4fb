import { WorldsError } from '@rdf-worlds/core';
import { HttpError } from './http-error.ts';

/** One part of a form. */
export interface FormPart {
  readonly name: string;
  /** True if it has a file name; otherwise it is a plain field. */
  readonly isFile: boolean;
  readonly contentType: string | null;
  /** A view of the form's bytes. */
  readonly body: Uint8Array;
}

/** Maximum size of a part's headers. */
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Parses multipart/form-data (RFC 7578, based on RFC 2046 section 5.1.1) in one pass, without
 * copying. Throws `INVALID_ARGUMENT` if it is malformed and `HttpError` 413 above `maxParts`.
 */
export function formParts(bytes: Uint8Array, contentType: string, maxParts: number): readonly FormPart[] {
  const form = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`, 'latin1');
  const parts: FormPart[] = [];
  // "The boundary delimiter MUST occur at the beginning of a line"; the first one may be at the
  // start of the body.
  const opening = delimiter.subarray(2);
  let at = form.subarray(0, opening.length).equals(opening) ? opening.length : after(form, delimiter, 0);
  while (!form.subarray(at, at + 2).equals(DASHES)) {
    if (parts.length >= maxParts) {
      throw new HttpError(413, `maxParts: the form has more than ${maxParts} parts; send fewer per request.`);
    }
    const headers = afterPadding(form, at);
    // A part without headers starts with an empty line.
    const bodyAt = form.subarray(headers, headers + 2).equals(LINE_END)
      ? headers + 2
      : after(form.subarray(0, headers + MAX_HEADER_BYTES), EMPTY_LINE, headers);
    const end = form.indexOf(delimiter, bodyAt - 2);
    if (end < 0) invalid('its last part does not end with a boundary');
    parts.push(partOf(form.toString('latin1', headers, bodyAt), form.subarray(bodyAt, Math.max(end, bodyAt))));
    at = end + delimiter.length;
  }
  return parts;
}

const DASHES = Buffer.from('--');
const LINE_END = Buffer.from('\r\n');
const EMPTY_LINE = Buffer.from('\r\n\r\n');

/** Returns the boundary: 1 to 70 characters, as a token or quoted (RFC 2046 section 5.1.1). */
function boundaryOf(contentType: string): string {
  const match = /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(contentType);
  return match?.[1] ?? match?.[2] ?? invalid('its Content-Type has no boundary');
}

function after(form: Buffer, sign: Buffer, start: number): number {
  const at = form.indexOf(sign, start);
  return at < 0
    ? invalid(sign === EMPTY_LINE ? 'the headers of a part do not end' : 'it has no parts')
    : at + sign.length;
}

/** Skips the rest of a delimiter's line: padding added in transport, and the line end. */
function afterPadding(form: Buffer, start: number): number {
  let at = start;
  while (form[at] === 0x20 || form[at] === 0x09) at++;
  return form.subarray(at, at + 2).equals(LINE_END) ? at + 2 : invalid('a boundary is not on a line of its own');
}

function partOf(headers: string, body: Buffer): FormPart {
  const disposition = headerOf(headers, 'content-disposition');
  const named = /;\s*name=(?:"([^"]*)"|([^\s;"]+))/i.exec(disposition ?? '');
  if (disposition === null || !named) return invalid('a part has no Content-Disposition with a name');
  const encoding = headerOf(headers, 'content-transfer-encoding');
  if (encoding !== null && !/^(?:7bit|8bit|binary)$/i.test(encoding)) {
    return invalid(`the Content-Transfer-Encoding ${JSON.stringify(encoding.slice(0, 100))} is not supported`);
  }
  // Ignores `filename=` inside a quoted name, in which browsers percent-encode only quotes (HTML,
  // "multipart form data").
  const isFile = /;\s*filename\*?=/i.test(disposition.replace(/"[^"]*"/g, '""'));
  const name = (named[1] ?? named[2]).slice(0, 200);
  return { name, isFile, contentType: headerOf(headers, 'content-type'), body };
}

function headerOf(headers: string, name: string): string | null {
  for (const line of headers.split('\r\n')) {
    const colon = line.indexOf(':');
    if (line.slice(0, colon).toLowerCase() === name) return line.slice(colon + 1).trim();
  }
  return null;
}

function invalid(problem: string): never {
  throw new WorldsError('INVALID_ARGUMENT', `The body is not valid multipart/form-data: ${problem}.`);
}
