import { describe, expect, it } from 'vitest';
import { ask } from '../black-box/exchange.ts';
import type { WireJson } from '../black-box/wire-json.ts';
import { AUTHORIZATION, CONSTRUCT, FAMILIES, PAGE_ORIGIN, SELECT, testEndpoint } from './endpoint.ts';

// YASGUI is a page in a browser: here is what its editor, Yasqe, sends. A form, or GET for queries;
// the Accept list of the kind of query; the dataset as more fields of the form.

const endpoint = testEndpoint();
const ACCEPT = {
  select: 'application/sparql-results+json,*/*;q=0.9',
  /** Of older versions and of the present one. */
  graphs: ['text/turtle,*/*;q=0.9', 'application/n-triples,*/*;q=0.9'],
  update: 'text/plain,*/*;q=0.9',
  /** What people set to download a table. */
  table: 'text/csv,*/*;q=0.9',
} as const;
const HEADERS = { authorization: AUTHORIZATION, origin: PAGE_ORIGIN };

type Fields = readonly [name: string, value: string][];
const fieldsOf = (fields: Fields) => String(new URLSearchParams([...fields]));

describe.each(FAMILIES)('YASGUI, $family', ({ worlds }) => {
  const path = `${worlds}/ada/sparql`;
  const form = (fields: Fields, accept: string) => {
    const headers = { ...HEADERS, 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };
    return ask(endpoint, { method: 'POST', path, accept, body: fieldsOf(fields), headers });
  };
  const get = (fields: Fields, accept: string) =>
    ask(endpoint, { method: 'GET', path: `${path}?${fieldsOf(fields)}`, accept, headers: HEADERS });
  const values = (json: WireJson) => json.results.bindings.map(({ o }: WireJson) => o.value);

  describe.each([
    { way: 'form', send: form },
    { way: 'GET', send: get },
  ])('by $way', ({ send }) => {
    it('selects and asks', async () => {
      const answer = await send([['query', SELECT]], ACCEPT.select);
      expect([answer.status, answer.mediaType]).toEqual([200, 'application/sparql-results+json']);
      expect(values(answer.json())).toEqual(['d', 'hallo']);
      expect((await send([['query', 'ASK {}']], ACCEPT.select)).json().boolean).toBe(true);
      expect((await send([['query', SELECT]], ACCEPT.table)).text).toBe('o\r\nd\r\nhallo\r\n');
    });

    it.each(ACCEPT.graphs)('constructs and describes as %s', async (accept) => {
      const [mediaType] = accept.split(',');
      for (const query of [CONSTRUCT, 'DESCRIBE <urn:s>']) {
        const answer = await send([['query', query]], accept);
        expect([answer.status, answer.mediaType]).toEqual([200, mediaType]);
        expect(answer.text).toContain('"hallo"@de');
      }
    });

    it('names the dataset', async () => {
      const inGraph = await send(
        [
          ['query', SELECT],
          ['default-graph-uri', 'urn:g1'],
        ],
        ACCEPT.select,
      );
      expect(values(inGraph.json())).toEqual(['1']);
      const named = 'SELECT ?o { GRAPH ?g { ?s ?p ?o } }';
      const graphs: Fields = [
        ['named-graph-uri', 'urn:none'],
        ['named-graph-uri', 'urn:g1'],
      ];
      expect(values((await send([['query', named], ...graphs], ACCEPT.select)).json())).toEqual(['1']);
    });

    it('lets the page read the answer, be it an error', async () => {
      for (const [query, status] of [
        [SELECT, 200],
        ['SELECT * {', 400],
      ] as const) {
        const answer = await send([['query', query]], ACCEPT.select);
        expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, PAGE_ORIGIN]);
      }
    });
  });

  it('updates by form', async () => {
    const update = 'INSERT DATA { <urn:s> <urn:p> "yasgui" }';
    expect((await form([['update', update]], ACCEPT.update)).status).toBe(204);
    expect(await endpoint.data()).toContain('yasgui');
  });

  it('may send its token: the browser asks first', async () => {
    const headers = {
      origin: PAGE_ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    };
    const preflight = await ask(endpoint, { method: 'OPTIONS', path, headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(PAGE_ORIGIN);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toMatch(/authorization.*content-type/);
  });
});
