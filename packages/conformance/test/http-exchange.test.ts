import { describe, expect, it } from 'vitest';
import type { HttpAnswer, HttpEndpoint, HttpQuestion } from '../src/http-endpoint.ts';
import { readTriples, runExchange } from '../src/http-exchange.ts';
import type { ExpectedResponse, TestRequest } from '../src/http-manifest.ts';
import { Mismatch } from '../src/mismatch.ts';

const ORIGIN = 'http://127.0.0.1:1';
const PLACES = { published: '/gsp', served: '/worlds/w/graphs' };

interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An endpoint that says what the test tells it to, and keeps what it was asked. */
class ScriptedEndpoint implements HttpEndpoint {
  readonly origin = ORIGIN;
  readonly asked: HttpQuestion[] = [];
  private readonly script: Said[];

  constructor(...script: Said[]) {
    this.script = script;
  }

  async ask(question: HttpQuestion): Promise<HttpAnswer> {
    this.asked.push(question);
    const { status = 200, headers = {}, body = '' } = this.script.shift()!;
    const mediaType = (headers['content-type'] ?? '').split(';')[0];
    return { status, headers, body: Buffer.from(body), mediaType };
  }
}

const request = (parts: Partial<TestRequest>, expected: Partial<ExpectedResponse> = {}): TestRequest => ({
  method: 'GET',
  path: '/gsp',
  headers: new Map(),
  ...parts,
  expected: { statuses: ['200'], headers: new Map(), ...expected },
});
const run = (endpoint: HttpEndpoint, ...requests: TestRequest[]) =>
  runExchange({ requests, graphs: [] }, endpoint, PLACES);
const one = (said: Said, expected: Partial<ExpectedResponse>) => run(new ScriptedEndpoint(said), request({}, expected));

const TURTLE = { 'content-type': 'text/turtle' };
const JSON_RESULTS = { 'content-type': 'application/sparql-results+json' };
const XML_RESULTS = { 'content-type': 'application/sparql-results+xml' };
const TRUE_XML =
  '<?xml version="1.0"?><sparql xmlns="http://www.w3.org/2005/sparql-results#"><head/><boolean>true</boolean></sparql>';

describe('what is sent', () => {
  it('is what the manifest has, at the place where the endpoint is here', async () => {
    const endpoint = new ScriptedEndpoint({});
    const headers = new Map([['content-type', 'text/turtle']]);
    await run(
      endpoint,
      request({ method: 'PUT', path: '/gsp?default', headers, body: { text: 'é', encoding: 'UTF-8' } }),
    );
    expect(endpoint.asked).toEqual([
      { method: 'PUT', path: '/worlds/w/graphs?default', headers, body: Buffer.from([0xc3, 0xa9]) },
    ]);
  });

  it('is in the encoding that the manifest says; UTF-16 begins with its mark', async () => {
    const endpoint = new ScriptedEndpoint({});
    await run(endpoint, request({ body: { text: 'é', encoding: 'UTF-16' } }));
    expect(endpoint.asked[0].body).toEqual(Buffer.from([0xff, 0xfe, 0xe9, 0x00]));
    const unknown = request({ body: { text: '', encoding: 'EBCDIC' } });
    await expect(run(new ScriptedEndpoint({}), unknown)).rejects.toThrow(/EBCDIC/);
  });

  it('has the location of an earlier answer in its path and body', async () => {
    const endpoint = new ScriptedEndpoint({ status: 201, headers: { location: '/new/1' } }, {});
    await run(
      endpoint,
      request({ method: 'POST' }, { statuses: ['201'], location: '$LOCATION$' }),
      request({ path: '/gsp$LOCATION$', body: { text: '<$LOCATION$>', encoding: 'UTF-8' } }),
    );
    expect(endpoint.asked[1]).toMatchObject({ path: '/worlds/w/graphs/new/1', body: Buffer.from('</new/1>') });
  });

  it('cannot be told for a path elsewhere', async () => {
    await expect(run(new ScriptedEndpoint({}), request({ path: '/elsewhere' }))).rejects.toThrow(/does not begin/);
  });
});

describe('an answer passes', () => {
  const passing: readonly (readonly [string, Said, Partial<ExpectedResponse>])[] = [
    ['with its status', { status: 404 }, { statuses: ['404'] }],
    ['with one of several', { status: 204 }, { statuses: ['200', '204'] }],
    ['with a status of the class', { status: 206 }, { statuses: ['2xx'] }],
    [
      'with a media type, without its charset',
      { headers: TURTLE },
      { headers: new Map([['content-type', 'text/turtle; charset=utf-8']]) },
    ],
    ['with another header', { headers: { etag: '"x"' } }, { headers: new Map([['etag', '"x"']]) }],
    [
      'as an ASK in JSON',
      { headers: JSON_RESULTS, body: '{"head":{},"boolean":true}' },
      { format: 'boolean', boolean: true },
    ],
    ['as an ASK in XML', { headers: XML_RESULTS, body: TRUE_XML }, { format: 'boolean', boolean: true }],
    ['as a table in CSV', { headers: { 'content-type': 'text/csv' }, body: 'x\r\n1\r\n' }, { format: 'tabular' }],
    [
      'as a table in TSV',
      { headers: { 'content-type': 'text/tab-separated-values' }, body: '?x\n<urn:a>\n' },
      { format: 'tabular' },
    ],
    [
      'as a table in JSON',
      { headers: JSON_RESULTS, body: '{"head":{"vars":["x"]},"results":{"bindings":[]}}' },
      { format: 'tabular' },
    ],
    ['as RDF', { headers: TURTLE, body: '<a> <b> <c> .' }, { format: 'RDF' }],
    [
      'with an isomorphic graph, whose relative IRIs are those of the address',
      { headers: TURTLE, body: `[] <urn:p> <${ORIGIN}/worlds/w/graphs> .` },
      { headers: new Map([['content-type', 'text/turtle']]), body: { text: '_:x <urn:p> <> .', encoding: 'UTF-8' } },
    ],
  ];
  it.each(passing)('%s', async (_, said, expected) => {
    await one(said, expected);
  });
});

describe('an answer fails', () => {
  const failing: readonly (readonly [string, Said, Partial<ExpectedResponse>, RegExp])[] = [
    ['with another status', { status: 200 }, { statuses: ['201', '4xx'] }, /status of 201 or 4xx, got 200/],
    ['with an error, which is quoted', { status: 500, body: 'broken inside' }, {}, /got 500 \(broken inside\)/],
    ['without the Location', { status: 201 }, { statuses: ['201'], location: '$L$' }, /Location/],
    [
      'with another media type',
      { headers: TURTLE },
      { headers: new Map([['content-type', 'text/n3']]) },
      /content-type/,
    ],
    [
      'with another charset',
      { headers: { 'content-type': 'text/turtle; charset=latin1' } },
      { headers: new Map([['content-type', 'text/turtle']]) },
      /content-type/,
    ],
    ['without a header', {}, { headers: new Map([['etag', '"x"']]) }, /etag/],
    [
      'as another boolean',
      { headers: JSON_RESULTS, body: '{"boolean":false}' },
      { boolean: true },
      /expected true, got false/,
    ],
    [
      'as another boolean, in XML',
      { headers: XML_RESULTS, body: TRUE_XML },
      { boolean: false },
      /expected false, got true/,
    ],
    ['as no boolean', { headers: TURTLE, body: '' }, { boolean: true }, /answer of an ASK/],
    ['in a format of another kind', { headers: TURTLE, body: '' }, { format: 'tabular' }, /expected one of/],
    ['in no format', { body: '<a> <b> <c> .' }, { format: 'RDF' }, /no media type/],
    [
      'with another graph',
      { headers: TURTLE, body: '<urn:s> <urn:p> 1, 2 .' },
      { headers: new Map([['content-type', 'text/turtle']]), body: { text: '<urn:s> <urn:p> 1 .', encoding: 'UTF-8' } },
      /expected 1 rows, got 2/,
    ],
  ];
  it.each(failing)('%s', async (_, said, expected, message) => {
    const failure = await one(said, expected).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Mismatch);
    expect((failure as Mismatch).message).toMatch(/^request 1, GET \/worlds\/w\/graphs: /);
    expect((failure as Mismatch).message).toMatch(message);
  });

  it.each([
    ['of RDF', TURTLE, '<a> <b>', 'RDF'],
    ['of solutions in JSON', JSON_RESULTS, '{"head":', 'tabular'],
    ['of solutions in XML', XML_RESULTS, '<sparql><head>', 'tabular'],
  ])('with a malformed document %s', async (_, headers, body, format) => {
    await expect(one({ headers, body }, { format })).rejects.toThrow();
  });

  it('and the rest of the test is not sent', async () => {
    const endpoint = new ScriptedEndpoint({ status: 500 }, {});
    await expect(run(endpoint, request({}), request({}))).rejects.toThrow(Mismatch);
    expect(endpoint.asked).toHaveLength(1);
  });

  it('a format that nobody knows is a defect of the table, no mismatch', async () => {
    const failure = await one({}, { format: 'sculpture' }).catch((error: unknown) => error);
    expect(failure).not.toBeInstanceOf(Mismatch);
    expect(String(failure)).toMatch(/sculpture/);
  });
});

it('reads triples by n3, in the formats that it knows', () => {
  expect(readTriples('<x> <y> <z> .', 'text/turtle', 'http://a.example/b')[0].subject.value).toBe('http://a.example/x');
  expect(() => readTriples('{}', 'application/ld+json', 'urn:x')).toThrow(Mismatch);
});
