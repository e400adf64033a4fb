import { SparqlEndpointFetcher } from 'fetch-sparql-endpoint';
import { SparqlXmlParser } from 'sparqlxml-parse';
import { describe, expect, it } from 'vitest';
import type { WireJson } from '../black-box/wire-json.ts';
import { AUTHORIZATION, CONSTRUCT, collect, FAMILIES, SELECT, testEndpoint } from './endpoint.ts';

const endpoint = testEndpoint();

const FORMS = [
  { form: 'POST form', settings: { method: 'POST' } },
  { form: 'POST directly', settings: { method: 'POST', directPost: true } },
  { form: 'GET', settings: { method: 'GET' } },
] as const;
const CASES = FAMILIES.flatMap((family) => FORMS.map((form) => ({ ...family, ...form })));

describe.each(CASES)('fetch-sparql-endpoint, $form, $family', ({ worlds, settings }) => {
  const url = () => `${endpoint.origin}${worlds}/ada/sparql`;
  const fetcher = (headers: Record<string, string> = { authorization: AUTHORIZATION }) =>
    new SparqlEndpointFetcher({ ...settings, defaultHeaders: new Headers(headers) });
  const values = (rows: readonly WireJson[]) => rows.map(({ o }) => o.value);

  it('queries', async () => {
    expect(values(await collect(await fetcher().fetchBindings(url(), SELECT)))).toEqual(['d', 'hallo']);
    expect(await fetcher().fetchAsk(url(), 'ASK { ?s ?p "nope" }')).toBe(false);
    expect(await collect(await fetcher().fetchTriples(url(), CONSTRUCT))).toHaveLength(2);
  });

  it('reads results as XML too', async () => {
    const xml = 'application/sparql-results+xml';
    const [mediaType, , stream] = await fetcher().fetchRawStream(url(), SELECT, xml);
    expect(mediaType).toBe(xml);
    expect(values(await collect(new SparqlXmlParser().parseXmlResultsStream(stream)))).toEqual(['d', 'hallo']);
  });

  it('updates', async () => {
    await fetcher().fetchUpdate(url(), 'INSERT DATA { <urn:s> <urn:p> "fetched" }');
    expect(await endpoint.data()).toContain('fetched');
  });

  it('receives the error message', async () => {
    const service = 'SELECT * { SERVICE <urn:x> { ?s ?p ?o } }';
    await expect(fetcher().fetchBindings(url(), service)).rejects.toThrow(/400/);
    await expect(fetcher({}).fetchBindings(url(), SELECT)).rejects.toThrow(/401/);
  });
});
