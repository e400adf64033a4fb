import { Readable } from 'node:stream';
import type * as RDF from '@rdfjs/types';
import { Parser } from 'n3';
import { SparqlJsonParser } from 'sparqljson-parse';
import { SparqlXmlParser } from 'sparqlxml-parse';
import { expectIsomorphic } from './dataset-comparison.ts';
import type { HttpAnswer, HttpEndpoint } from './http-endpoint.ts';
import type { ExpectedResponse, HttpTest, MessageBody, TestRequest } from './http-manifest.ts';
import { Mismatch } from './mismatch.ts';
import { readCsv, readTsv } from './separated-values.ts';

const JSON_RESULTS = 'application/sparql-results+json';
const XML_RESULTS = 'application/sparql-results+xml';

/** The media types that the names of the tests list for each format (`expect one of: ...`). */
const FORMATS: ReadonlyMap<string, readonly string[]> = new Map([
  ['boolean', [XML_RESULTS, JSON_RESULTS]],
  ['tabular', [XML_RESULTS, JSON_RESULTS, 'text/csv', 'text/tab-separated-values']],
  ['RDF', ['application/rdf+xml', 'text/turtle', 'application/n-triples', 'text/html', 'application/xhtml+xml']],
]);

/**
 * Sends the requests of a test in their order and compares every response. `published` is the
 * prefix that stands for the endpoint in the paths of the manifest, `served` the one that it has
 * here.
 */
export async function runExchange(
  { requests }: HttpTest,
  endpoint: HttpEndpoint,
  { published, served }: { readonly published: string; readonly served: string },
): Promise<void> {
  const variables = new Map<string, string>();
  const filled = (text: string) => {
    for (const [name, value] of variables) text = text.replaceAll(name, value);
    return text;
  };
  for (const [index, request] of requests.entries()) {
    if (!request.path.startsWith(published))
      throw new Error(`The path ${request.path} does not begin with ${published}.`);
    const path = served + filled(request.path.slice(published.length));
    const { method, headers } = request;
    const body = request.body && encoded({ ...request.body, text: filled(request.body.text) });
    const answer = await endpoint.ask({ method, path, headers, body });
    try {
      await expectResponse(answer, request, endpoint.origin + path);
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      const said = answer.status >= 400 ? ` (${answer.body.toString('utf8').slice(0, 200)})` : '';
      throw new Mismatch(`request ${index + 1}, ${method} ${path}: ${error.message}${said}`, { cause: error });
    }
    if (request.expected.location) variables.set(request.expected.location, answer.headers.location!);
  }
}

function encoded({ text, encoding }: MessageBody): Uint8Array {
  if (encoding === 'UTF-8') return Buffer.from(text, 'utf8');
  // RFC 2781 section 4.3: text labelled UTF-16 begins with its byte order mark.
  if (encoding === 'UTF-16') return Buffer.from(`\ufeff${text}`, 'utf16le');
  throw new Error(`No encoder is known for ${encoding}; add it here.`);
}

async function expectResponse(answer: HttpAnswer, request: TestRequest, url: string): Promise<void> {
  const { expected } = request;
  expectStatus(answer, expected);
  if (expected.location && !answer.headers.location) throw new Mismatch('expected a Location, got none');
  expectHeaders(answer, expected);
  if (expected.format) await expectFormat(answer, expected.format, url);
  if (expected.boolean !== undefined) {
    const value = await readBoolean(answer);
    if (value !== expected.boolean) throw new Mismatch(`expected ${expected.boolean}, got ${value}`);
  }
  if (expected.body) {
    const type = (expected.headers.get('content-type') ?? '').split(';')[0];
    expectIsomorphic(
      readTriples(answer.body.toString('utf8'), answer.mediaType, url),
      readTriples(expected.body.text, type, url),
    );
  }
}

function expectStatus({ status }: HttpAnswer, { statuses }: ExpectedResponse): void {
  const matches = statuses.some((wanted) => wanted === `${status}` || wanted === `${Math.floor(status / 100)}xx`);
  if (!matches) throw new Mismatch(`expected a status of ${statuses.join(' or ')}, got ${status}`);
}

/** Of a media type its charset may be left out: in RDF formats it is UTF-8 anyway. */
function expectHeaders(answer: HttpAnswer, { headers }: ExpectedResponse): void {
  for (const [name, wanted] of headers) {
    const got = answer.headers[name];
    const isSame =
      name === 'content-type'
        ? answer.mediaType === wanted.split(';')[0] && !/charset=(?!utf-8)/i.test(String(got))
        : got === wanted;
    if (!isSame) throw new Mismatch(`expected ${name}: ${wanted}, got ${got}`);
  }
}

async function expectFormat(answer: HttpAnswer, format: string, url: string): Promise<void> {
  const types = FORMATS.get(format);
  if (!types) throw new Error(`The manifest asks for the format ${format}, which is not in FORMATS.`);
  if (!types.includes(answer.mediaType))
    throw new Mismatch(`expected one of ${types.join(', ')}, got ${answer.mediaType || 'no media type'}`);
  const text = answer.body.toString('utf8');
  if (format === 'boolean') await readBoolean(answer);
  else if (format === 'RDF') readTriples(text, answer.mediaType, url);
  else if (answer.mediaType === JSON_RESULTS) new SparqlJsonParser().parseJsonResults(JSON.parse(text));
  else if (answer.mediaType === XML_RESULTS) await xmlRows(answer);
  else (answer.mediaType === 'text/csv' ? readCsv : readTsv)(text);
}

async function xmlRows({ body }: HttpAnswer): Promise<void> {
  const rows = new SparqlXmlParser().parseXmlResultsStream(Readable.from([body]));
  for await (const _ of rows) {
    // Reading them is the test: what is malformed throws.
  }
}

async function readBoolean({ body, mediaType }: HttpAnswer): Promise<boolean> {
  if (mediaType === JSON_RESULTS) return new SparqlJsonParser().parseJsonBoolean(JSON.parse(body.toString('utf8')));
  if (mediaType === XML_RESULTS) return new SparqlXmlParser().parseXmlBooleanStream(Readable.from([body]));
  throw new Mismatch(`expected the answer of an ASK, got ${mediaType || 'no media type'}`);
}

/** By n3, and not by the engine: a defect of ours must not cancel itself out. */
export function readTriples(text: string, mediaType: string, baseIri: string): RDF.Quad[] {
  if (!/^(text\/turtle|application\/(n-triples|n-quads|trig))$/.test(mediaType))
    throw new Mismatch(`expected a format that n3 reads, got ${mediaType || 'no media type'}`);
  return new Parser({ format: mediaType, baseIRI: baseIri }).parse(text) as RDF.Quad[];
}
