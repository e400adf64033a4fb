import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { dataFactory } from '@rdf-worlds/core';
import { SparqlEndpointFetcher } from 'fetch-sparql-endpoint';
import { ParsingClient, SimpleClient, StreamClient } from 'sparql-http-client';
import { SparqlXmlParser } from 'sparqlxml-parse';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bearer } from './callers.ts';
import { ask } from './exchange.ts';
import { FAMILIES } from './operations.ts';
import { type RunningServer, startServer } from './running-server.ts';
import type { WireJson } from './wire-json.ts';

// Programs that speak SPARQL 1.1 Protocol, as their users use them, against a running service.

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  const source = 'alpha/ada';
  if (await server.engine.getWorld({ source })) await server.engine.deleteWorld({ source });
  await server.engine.createWorld({ slug: 'ada', namespace: 'alpha' });
  await server.engine.import({
    source,
    data: '<urn:s> <urn:p> "d" .\n<urn:s> <urn:p> "hallo"@de .\n<urn:s> <urn:p> "1" <urn:g1> .\n',
  });
});

const authorization = bearer('alice');
const data = async () => new TextDecoder().decode(await server.engine.export({ source: 'alpha/ada' }));
const SELECT = 'SELECT ?o { ?s ?p ?o } ORDER BY STR(?o)';
const CONSTRUCT = 'CONSTRUCT { ?s <urn:q> ?o } WHERE { ?s ?p ?o }';

async function collect<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

describe.each(FAMILIES)('$name', (family) => {
  const urls = () => {
    const world = `${server.origin}${family.worlds('alpha')}/ada`;
    return { endpointUrl: `${world}/sparql`, updateUrl: `${world}/sparql`, storeUrl: `${world}/graphs` };
  };

  describe('sparql-http-client', () => {
    const options = () => ({ ...urls(), headers: { authorization } });

    it.each(['get', 'postUrlencoded', 'postDirect'] as const)('queries by %s', async (operation) => {
      const client = new ParsingClient(options());
      const rows = await client.query.select(SELECT, { operation });
      expect(rows.map(({ o }) => o.value)).toEqual(['d', 'hallo']);
      expect(rows[1].o).toMatchObject({ termType: 'Literal', language: 'de' });
      expect(await client.query.ask('ASK { ?s ?p "d" }', { operation })).toBe(true);
      const quads = [...(await client.query.construct(CONSTRUCT, { operation }))];
      expect(quads.map(({ object }) => object.value).sort()).toEqual(['d', 'hallo']);
      // This client's own option for it, defaultGraph, gets lost in its ParsingClient.
      const parameters = { 'default-graph-uri': 'urn:g1' };
      const inGraph = await client.query.select(SELECT, { operation, parameters });
      expect(inGraph.map(({ o }) => o.value)).toEqual(['1']);
    });

    it('streams', async () => {
      const client = new StreamClient(options());
      expect((await collect(client.query.select(SELECT))).map(({ o }) => o.value)).toEqual(['d', 'hallo']);
      expect(await collect(client.query.construct(CONSTRUCT))).toHaveLength(2);
    });

    it('updates', async () => {
      const client = new ParsingClient(options());
      await client.query.update('INSERT DATA { <urn:s> <urn:p> "from a client" }');
      expect(await data()).toContain('from a client');
      await client.query.update('INSERT { <urn:s> <urn:copied> ?o } WHERE { ?s ?p ?o }', {
        parameters: { 'using-graph-uri': 'urn:g1' },
      });
      expect(await data()).toContain('<urn:s> <urn:copied> "1"');
      await expect(client.query.update('INSERT DATA {')).rejects.toThrow();
    });

    it('reads and writes graphs', async () => {
      const { store } = new StreamClient(options());
      const graph = dataFactory.namedNode('urn:g1');
      const quad = (literal: string) =>
        dataFactory.quad(dataFactory.namedNode('urn:s'), dataFactory.namedNode('urn:p'), dataFactory.literal(literal));
      expect((await collect(store.get(graph))).map(({ object }) => object.value)).toEqual(['1']);
      await store.put(Readable.from([quad('put')]), { graph });
      await store.post(Readable.from([quad('posted')]), { graph });
      expect((await collect(store.get(graph))).map(({ object }) => object.value).sort()).toEqual(['posted', 'put']);
      await store.post(Readable.from([quad('in the default graph')]));
      const defaults = await collect(store.get(dataFactory.defaultGraph()));
      expect(defaults.map(({ object }) => object.value).sort()).toEqual(['d', 'hallo', 'in the default graph']);
    });

    it('is told what is wrong', async () => {
      const client = new ParsingClient(options());
      await expect(client.query.select('SELECT * {')).rejects.toThrow();
      await expect(new ParsingClient(urls()).query.select(SELECT)).rejects.toMatchObject({ status: 401 });
      const response = await new SimpleClient(options()).query.select('SELECT * {');
      const { error } = (await response.json()) as { error: { message: string } };
      expect([response.status, error.message.length > 0]).toEqual([400, true]);
    });
  });

  describe.each([
    ['POST form', { method: 'POST' }],
    ['POST directly', { method: 'POST', directPost: true }],
    ['GET', { method: 'GET' }],
  ] as const)('fetch-sparql-endpoint, %s', (_, form) => {
    const fetcher = (headers: Record<string, string> = { authorization }) =>
      new SparqlEndpointFetcher({ ...form, defaultHeaders: new Headers(headers) });

    it('queries', async () => {
      const { endpointUrl } = urls();
      const rows = await collect(await fetcher().fetchBindings(endpointUrl, SELECT));
      expect(rows.map((row: WireJson) => row.o.value)).toEqual(['d', 'hallo']);
      expect(await fetcher().fetchAsk(endpointUrl, 'ASK { ?s ?p "nope" }')).toBe(false);
      expect(await collect(await fetcher().fetchTriples(endpointUrl, CONSTRUCT))).toHaveLength(2);
    });

    it('reads results as XML too', async () => {
      const { endpointUrl } = urls();
      const [mediaType, , stream] = await fetcher().fetchRawStream(
        endpointUrl,
        SELECT,
        'application/sparql-results+xml',
      );
      expect(mediaType).toBe('application/sparql-results+xml');
      const rows = await collect(new SparqlXmlParser().parseXmlResultsStream(stream));
      expect(rows.map((row: WireJson) => row.o.value)).toEqual(['d', 'hallo']);
    });

    it('updates', async () => {
      await fetcher().fetchUpdate(urls().endpointUrl, 'INSERT DATA { <urn:s> <urn:p> "fetched" }');
      expect(await data()).toContain('fetched');
    });

    it('is told what is wrong', async () => {
      await expect(
        fetcher().fetchBindings(urls().endpointUrl, 'SELECT * { SERVICE <urn:x> { ?s ?p ?o } }'),
      ).rejects.toThrow(/400/);
      await expect(fetcher({}).fetchBindings(urls().endpointUrl, SELECT)).rejects.toThrow(/401/);
    });
  });

  describe('YASGUI', () => {
    // What Yasqe sends: a form, the Accept list of the kind of query, and the dataset as parameters of the form.
    const ACCEPT = {
      select: 'application/sparql-results+json,*/*;q=0.9',
      graph: 'text/turtle,*/*;q=0.9',
      update: 'text/plain,*/*;q=0.9',
      table: 'text/csv,*/*;q=0.9',
    };
    const path = `${family.worlds('alpha')}/ada/sparql`;
    const form = (fields: Record<string, string>, accept: string) =>
      ask(server, {
        method: 'POST',
        path,
        as: 'alice',
        accept,
        body: new URLSearchParams(fields).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
          origin: 'https://yasgui.example',
        },
      });
    const get = (fields: Record<string, string>, accept: string) =>
      ask(server, { method: 'GET', path: `${path}?${new URLSearchParams(fields)}`, as: 'alice', accept });

    it.each([
      ['form', form],
      ['GET', get],
    ])('queries by %s', async (_, send) => {
      const select = await send({ query: SELECT }, ACCEPT.select);
      expect([select.status, select.mediaType]).toEqual([200, 'application/sparql-results+json']);
      expect(select.json().results.bindings.map(({ o }: WireJson) => o.value)).toEqual(['d', 'hallo']);
      expect((await send({ query: 'ASK {}' }, ACCEPT.select)).json().boolean).toBe(true);
      const graph = await send({ query: CONSTRUCT }, ACCEPT.graph);
      expect([graph.status, graph.mediaType]).toEqual([200, 'text/turtle']);
      const described = await send({ query: 'DESCRIBE <urn:s>' }, ACCEPT.graph);
      expect([described.status, described.mediaType]).toEqual([200, 'text/turtle']);
      expect((await send({ query: SELECT }, ACCEPT.table)).text).toBe('o\r\nd\r\nhallo\r\n');
      const named = await send({ query: SELECT, 'default-graph-uri': 'urn:g1' }, ACCEPT.select);
      expect(named.json().results.bindings.map(({ o }: WireJson) => o.value)).toEqual(['1']);
      expect((await send({ query: 'SELECT * {' }, ACCEPT.select)).status).toBe(400);
    });

    it('updates by form', async () => {
      const answer = await form({ update: 'INSERT DATA { <urn:s> <urn:p> "yasgui" }' }, ACCEPT.update);
      expect(answer.status).toBe(204);
      expect(await data()).toContain('yasgui');
    });
  });

  describe('Comunica', () => {
    const resolvable = (() => {
      try {
        createRequire(import.meta.url).resolve('@comunica/query-sparql');
        return true;
      } catch {
        return false;
      }
    })();

    // @comunica/query-sparql is no dependency of this repository: it is as big as all others together.
    it.skipIf(!resolvable)('queries and updates (skipped unless @comunica/query-sparql is installed)', async () => {
      const name = '@comunica/query-sparql';
      const { QueryEngine } = await import(/* @vite-ignore */ name);
      const engine = new QueryEngine();
      const { endpointUrl } = urls();
      const context = {
        sources: [{ type: 'sparql', value: endpointUrl }],
        destination: { type: 'sparql', value: endpointUrl },
        fetch: (input: string | Request, init: RequestInit = {}) => {
          const headers = new Headers(init.headers);
          headers.set('authorization', authorization);
          return fetch(input, { ...init, headers });
        },
      };
      const rows = await (await engine.queryBindings(SELECT, context)).toArray();
      expect(rows.map((row: WireJson) => row.get('o').value)).toEqual(['d', 'hallo']);
      expect(await engine.queryBoolean('ASK { ?s ?p "d" }', context)).toBe(true);
      expect(await (await engine.queryQuads(CONSTRUCT, context)).toArray()).toHaveLength(2);
      await engine.queryVoid('INSERT DATA { <urn:s> <urn:p> "comunica" }', context);
      expect(await data()).toContain('comunica');
    });
  });
});
