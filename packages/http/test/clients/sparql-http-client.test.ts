import { Readable } from 'node:stream';
import { dataFactory } from '@rdf-worlds/core';
import { ParsingClient, SimpleClient, StreamClient } from 'sparql-http-client';
import { describe, expect, it } from 'vitest';
import { AUTHORIZATION, CONSTRUCT, collect, FAMILIES, SELECT, testEndpoint } from './endpoint.ts';

const endpoint = testEndpoint();
const { namedNode, literal, quad } = dataFactory;

describe.each(FAMILIES)('sparql-http-client, $family', ({ worlds }) => {
  const urls = () => {
    const world = `${endpoint.origin}${worlds}/ada`;
    return { endpointUrl: `${world}/sparql`, updateUrl: `${world}/sparql`, storeUrl: `${world}/graphs` };
  };
  const options = () => ({ ...urls(), headers: { authorization: AUTHORIZATION } });

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
    expect(await endpoint.data()).toContain('from a client');
    // Of itself its postDirect calls an update a query, which the service refuses as it should.
    const direct = { operation: 'postDirect', headers: { 'content-type': 'application/sparql-update' } } as const;
    await client.query.update('DELETE DATA { <urn:s> <urn:p> "from a client" }', direct);
    expect(await endpoint.data()).not.toContain('from a client');
    const parameters = { 'using-graph-uri': 'urn:g1' };
    await client.query.update('INSERT { <urn:s> <urn:copied> ?o } WHERE { ?s ?p ?o }', { parameters });
    expect(await endpoint.data()).toContain('<urn:s> <urn:copied> "1"');
    await expect(client.query.update('INSERT DATA {')).rejects.toThrow();
  });

  it('reads and writes graphs', async () => {
    const { store } = new StreamClient(options());
    const graph = namedNode('urn:g1');
    const triple = (value: string) => quad(namedNode('urn:s'), namedNode('urn:p'), literal(value));
    const values = async (of: typeof graph | ReturnType<typeof dataFactory.defaultGraph>) =>
      (await collect(store.get(of))).map(({ object }) => object.value).sort();
    expect(await values(graph)).toEqual(['1']);
    await store.put(Readable.from([triple('put')]), { graph });
    await store.post(Readable.from([triple('posted')]), { graph });
    expect(await values(graph)).toEqual(['posted', 'put']);
    await store.post(Readable.from([triple('in the default graph')]));
    expect(await values(dataFactory.defaultGraph())).toEqual(['d', 'hallo', 'in the default graph']);
    await store.put(Readable.from([triple('alone')]));
    expect(await values(dataFactory.defaultGraph())).toEqual(['alone']);
    await expect(collect(store.get(namedNode('urn:no-graph')))).rejects.toMatchObject({ status: 404 });
  });

  it('receives the error message', async () => {
    const client = new ParsingClient(options());
    await expect(client.query.select('SELECT * {')).rejects.toThrow();
    await expect(new ParsingClient(urls()).query.select(SELECT)).rejects.toMatchObject({ status: 401 });
    const response = await new SimpleClient(options()).query.select('SELECT * {');
    const { error } = (await response.json()) as { error: { message: string } };
    expect([response.status, error.message]).toEqual([400, expect.stringContaining('line 1')]);
  });
});
