import { QueryEngine } from '@comunica/query-sparql';
import { beforeEach, describe, expect, it } from 'vitest';
import { AUTHORIZATION, CONSTRUCT, FAMILIES, SELECT, testEndpoint } from './endpoint.ts';

const endpoint = testEndpoint();
const comunica = new QueryEngine();
// It keeps what it has read of a source.
beforeEach(() => comunica.invalidateHttpCache());

/** How Comunica is given credentials that are not a password. */
const withToken = (input: string | URL | Request, init: RequestInit = {}) => {
  const headers = new Headers(init.headers);
  headers.set('authorization', AUTHORIZATION);
  return fetch(input, { ...init, headers });
};

describe.each(FAMILIES)('Comunica, $family', ({ worlds }) => {
  const at = (slug: string) => `${endpoint.origin}${worlds}/${slug}/sparql`;
  const source = (slug: string) => ({ type: 'sparql', value: at(slug) }) as const;
  const context = () => ({ sources: [source('ada')] as [ReturnType<typeof source>], fetch: withToken });
  const values = async (query: string, of: Parameters<typeof comunica.queryBindings>[1] = context()) => {
    const rows = await (await comunica.queryBindings(query, of)).toArray();
    return rows.map((row) => row.get('o')!.value);
  };

  it('queries', async () => {
    const rows = await (await comunica.queryBindings(SELECT, context())).toArray();
    expect(rows.map((row) => row.get('o')!.value)).toEqual(['d', 'hallo']);
    expect(rows[1].get('o')).toMatchObject({ termType: 'Literal', language: 'de' });
    expect(await comunica.queryBoolean('ASK { ?s ?p "d" }', context())).toBe(true);
    expect(await comunica.queryBoolean('ASK { ?s ?p "nope" }', context())).toBe(false);
    const quads = await (await comunica.queryQuads(CONSTRUCT, context())).toArray();
    expect(quads.map(({ object }) => object.value).sort()).toEqual(['d', 'hallo']);
    const described = await (await comunica.queryQuads('DESCRIBE <urn:s>', context())).toArray();
    expect(described.map(({ object }) => object.value).sort()).toEqual(['d', 'hallo']);
    expect(await values('SELECT ?o { GRAPH <urn:g1> { ?s ?p ?o } }')).toEqual(['1']);
  });

  it('finds out by the service description what it is talking to', async () => {
    expect(await values(SELECT, { sources: [at('ada')], fetch: withToken })).toEqual(['d', 'hallo']);
  });

  it('joins worlds with each other, and with data of its own', async () => {
    await endpoint.engine.update({
      sources: ['alpha/bea'],
      query: 'DELETE WHERE { ?s ?p "d" } ; INSERT DATA { <urn:s> <urn:q> "only here" }',
    });
    const query = 'SELECT ?o { ?s <urn:p> "d" . ?s <urn:q> ?o }';
    expect(await values(query, { sources: [source('ada'), source('bea')], fetch: withToken })).toEqual(['only here']);
    const own = {
      type: 'serialized',
      value: '<urn:s> <urn:p> "d" .',
      mediaType: 'text/turtle',
      baseIRI: 'urn:own',
    } as const;
    const service = `SELECT ?o { ?s <urn:p> "d" . SERVICE <${at('bea')}> { ?s <urn:q> ?o } }`;
    expect(await values(service, { sources: [own], fetch: withToken })).toEqual(['only here']);
  });

  describe('updates the world that is its destination', () => {
    const update = (text: string) => comunica.queryVoid(text, { ...context(), destination: source('ada') });

    it('with given data', async () => {
      await update('INSERT DATA { <urn:s> <urn:p> "comunica" . GRAPH <urn:g2> { <urn:s> <urn:p> "there" } }');
      const after = await endpoint.data();
      expect(after).toContain('<urn:s> <urn:p> "comunica" .');
      expect(after).toContain('<urn:s> <urn:p> "there" <urn:g2> .');
      await update('DELETE DATA { <urn:s> <urn:p> "comunica" }');
      expect(await endpoint.data()).not.toContain('comunica');
    });

    it('with what it finds', async () => {
      await update('DELETE { ?s ?p ?o } INSERT { ?s <urn:was> ?o } WHERE { ?s ?p ?o FILTER(LANG(?o) = "de") }');
      const after = await endpoint.data();
      expect(after).toContain('<urn:s> <urn:was> "hallo"@de .');
      expect(after).not.toContain('<urn:s> <urn:p> "hallo"@de .');
    });

    it('graph by graph', async () => {
      await update('CREATE GRAPH <urn:new>');
      await update('DROP GRAPH <urn:g1>');
      expect(await endpoint.data()).not.toContain('<urn:g1>');
      await expect(update('CREATE GRAPH <urn:new>')).rejects.toThrow();
    });

    it('and no other', async () => {
      const before = await endpoint.data('bea');
      const copy = 'INSERT { ?s <urn:copied> ?o } WHERE { ?s ?p ?o }';
      await comunica.queryVoid(copy, { sources: [source('bea')], destination: source('ada'), fetch: withToken });
      expect(await endpoint.data()).toContain('<urn:copied> "d"');
      expect(await endpoint.data('bea')).toBe(before);
    });
  });

  it('receives the error message', async () => {
    await expect(values(SELECT, { sources: [source('ada')] })).rejects.toThrow(/401/);
    const destination = source('ada');
    const update = comunica.queryVoid('INSERT DATA { <urn:s> <urn:p> "no" }', { sources: [destination], destination });
    await expect(update).rejects.toThrow(/401/);
    await expect(values(SELECT, { sources: [source('nobody')], fetch: withToken })).rejects.toThrow(/400|404/);
  });
});
