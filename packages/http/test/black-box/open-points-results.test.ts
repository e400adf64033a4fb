import { describe, expect, it } from 'vitest';
import { expectAskResults, expectQuadsResults, expectSelectResults } from './answer-shapes.ts';
import { bearer } from './callers.ts';
import { FAMILIES } from './operations.ts';
import { rawExchange } from './raw-exchange.ts';
import { PUBLIC_URL } from './running-server.ts';
import { ALL, objects, ServiceFixture } from './service-fixture.ts';

// Behaviour that the operations and schemas alone do not determine: one describe per decision, with
// the decision as its title.

const service = new ServiceFixture();
const { alice, freshWorld } = service;

describe('result shapes: `head.vars` always (`[]` for ASK and quads), no `link`; the default graph is `{type: "default", value: ""}`; no `datatype` on plain and language strings', () => {
  it('terms', async () => {
    const slug = await freshWorld();
    const query = `SELECT * {
      BIND(<urn:i> AS ?iri) BIND("plain" AS ?plain) BIND("hallo"@de AS ?lang) BIND("01"^^<http://www.w3.org/2001/XMLSchema#integer> AS ?typed)
      BIND("x"^^<http://www.w3.org/2001/XMLSchema#string> AS ?xsdString) }`;
    for (const family of FAMILIES) {
      const { vars, bindings } = expectSelectResults(
        await alice('POST', `${family.worlds('alpha')}/${slug}/sparql`, { query }),
      );
      expect([...vars].sort()).toEqual(['iri', 'lang', 'plain', 'typed', 'xsdString']);
      expect(bindings).toEqual([
        {
          iri: { type: 'uri', value: 'urn:i' },
          plain: { type: 'literal', value: 'plain' },
          lang: { type: 'literal', value: 'hallo', 'xml:lang': 'de' },
          typed: { type: 'literal', value: '01', datatype: 'http://www.w3.org/2001/XMLSchema#integer' },
          xsdString: { type: 'literal', value: 'x' },
        },
      ]);
    }
  });

  it('unbound variables are absent, blank nodes are bnodes, an empty answer has its variables', async () => {
    const slug = await freshWorld('_:b <urn:p> "o" .\n');
    const path = `/worlds/${slug}/sparql`;
    const { vars, bindings } = expectSelectResults(
      await alice('POST', path, { query: 'SELECT ?s ?none { ?s <urn:p> ?o }' }),
    );
    expect(vars).toEqual(['s', 'none']);
    expect(bindings).toEqual([{ s: { type: 'bnode', value: expect.any(String) } }]);
    expect(expectSelectResults(await alice('POST', path, { query: 'SELECT ?a ?b { ?a <urn:nope> ?b }' }))).toEqual({
      vars: ['a', 'b'],
      bindings: [],
    });
    expect(expectAskResults(await alice('POST', path, { query: 'ASK { ?s <urn:nope> ?o }' }))).toBe(false);
    expect(expectQuadsResults(await alice('POST', path, { query: 'CONSTRUCT WHERE { ?s <urn:nope> ?o }' }))).toEqual(
      [],
    );
  });

  it('variables named like JavaScript properties', async () => {
    const slug = await freshWorld();
    const { vars, bindings } = expectSelectResults(
      await alice('POST', `/worlds/${slug}/sparql`, {
        query: 'SELECT ?__proto__ ?constructor { BIND(1 AS ?__proto__) BIND(2 AS ?constructor) }',
      }),
    );
    expect(vars).toEqual(['__proto__', 'constructor']);
    expect(JSON.stringify(bindings)).toContain('"__proto__"');
  });

  it('triple terms', async () => {
    const slug = await freshWorld();
    const query = 'SELECT ?t { BIND(TRIPLE(<urn:s>, <urn:p>, "o"@en) AS ?t) }';
    const answer = await alice('POST', `/worlds/${slug}/sparql`, { query });
    expect(expectSelectResults(answer).bindings).toEqual([
      {
        t: {
          type: 'triple',
          value: {
            subject: { type: 'uri', value: 'urn:s' },
            predicate: { type: 'uri', value: 'urn:p' },
            object: { type: 'literal', value: 'o', 'xml:lang': 'en' },
          },
        },
      },
    ]);
  });

  it('defaultGraphUris and namedGraphUris define the dataset and override FROM', async () => {
    const slug = await freshWorld(
      '<urn:s> <urn:p> "d" .\n<urn:s> <urn:p> "1" <urn:g1> .\n<urn:s> <urn:p> "2" <urn:g2> .\n',
    );
    const path = `/worlds/${slug}/sparql`;
    expect(objects(await alice('POST', path, { query: ALL }))).toEqual(['d']);
    expect(objects(await alice('POST', path, { query: ALL, defaultGraphUris: ['urn:g1', 'urn:g2'] }))).toEqual([
      '1',
      '2',
    ]);
    const named = 'SELECT ?o { GRAPH ?g { ?s ?p ?o } }';
    expect(objects(await alice('POST', path, { query: named }))).toEqual(['1', '2']);
    expect(objects(await alice('POST', path, { query: named, namedGraphUris: ['urn:g2'] }))).toEqual(['2']);
    const from = 'SELECT ?o FROM <urn:g1> { ?s ?p ?o }';
    expect(objects(await alice('POST', path, { query: from }))).toEqual(['1']);
    expect(objects(await alice('POST', path, { query: from, defaultGraphUris: ['urn:g2'] }))).toEqual(['2']);
  });
});

describe("base IRI of queries: the endpoint's public URL from configuration, never the Host header", () => {
  it.each(['evil.example', 'evil.example:80', '127.0.0.1'])('Host: %s', async (host) => {
    const slug = await freshWorld();
    for (const family of FAMILIES) {
      const body = JSON.stringify({ query: 'SELECT (IRI("x") AS ?o) {}' });
      const lines = [
        `POST ${family.worlds('alpha')}/${slug}/sparql HTTP/1.1`,
        `Host: ${host}`,
        `X-Forwarded-Host: ${host}`,
        `Forwarded: host=${host}`,
        `Authorization: ${bearer('alice')}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ];
      const [iri] = objects(await rawExchange(service.server.port, `${lines.join('\r\n')}\r\n\r\n${body}`));
      expect(iri.startsWith(`${PUBLIC_URL}/`), iri).toBe(true);
      expect(iri.endsWith(`/worlds/${slug}/x`), iri).toBe(true);
    }
  });
});
