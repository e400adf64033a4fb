import { beforeAll, describe, expect, it } from 'vitest';
import {
  expectAskResults,
  expectError,
  expectNoContent,
  expectQuadsResults,
  expectSelectResults,
} from './answer-shapes.ts';
import { bearer } from './callers.ts';
import type { Answered } from './exchange.ts';
import { FAMILIES } from './operations.ts';
import { rawExchange } from './raw-exchange.ts';
import { ALL, base64, ServiceFixture } from './service-fixture.ts';

// Behaviour that the operations and schemas alone do not determine: one describe per decision, with
// the decision as its title.

const service = new ServiceFixture();
const { alice, freshWorld, data } = service;

describe('triples-only formats on export: the default graph; named graphs need n-quads, trig or ld+json', () => {
  const DATASET = '<urn:s> <urn:p> "in the default graph" .\n<urn:s> <urn:p> "in a named graph" <urn:g> .\n';
  it.each([
    ['text/turtle', false],
    ['application/n-triples', false],
    ['text/n3', false],
    ['application/n-quads', true],
    ['application/trig', true],
    ['application/ld+json', true],
  ])('%s holds named graphs: %s', async (contentType, holdsGraphs) => {
    const slug = await freshWorld(DATASET);
    for (const family of FAMILIES) {
      const path = `${family.worlds('alpha')}/${slug}/export`;
      for (const answer of [
        await alice('POST', path, { contentType }),
        await alice('POST', path, undefined, { accept: contentType }),
        await alice('POST', path, {}, { accept: contentType }),
      ]) {
        expect([answer.status, answer.mediaType]).toEqual([200, contentType]);
        expect(answer.text).toContain('in the default graph');
        expect(answer.text.includes('in a named graph')).toBe(holdsGraphs);
      }
    }
  });

  it('an export can be imported again, in every format', async () => {
    const slug = await freshWorld('<urn:s> <urn:p> "the same"@en .\n');
    const original = await data(`alpha/${slug}`);
    for (const contentType of [
      'text/turtle',
      'application/n-quads',
      'application/n-triples',
      'text/n3',
      'application/trig',
      'application/ld+json',
    ]) {
      const copy = await freshWorld();
      const { bytes } = await alice('POST', `/worlds/${slug}/export`, { contentType });
      expectNoContent(await alice('POST', `/worlds/${copy}/import`, { data: base64(bytes), contentType }));
      expect(await data(`alpha/${copy}`), contentType).toBe(original);
    }
  });
});

describe('Accept: missing, `*/*` or unsatisfiable: never 406; media types compare case-insensitively, parameters ignored', () => {
  const answers = async (path: string, json: unknown, accept: string | undefined): Promise<Answered> => {
    if (accept !== undefined) return alice('POST', path, json, { accept });
    const body = JSON.stringify(json);
    const lines = [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      `Authorization: ${bearer('alice')}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    return rawExchange(service.server.port, `${lines.join('\r\n')}\r\n\r\n${body}`);
  };
  const FALLBACKS = [
    undefined,
    '*/*',
    '',
    'image/png',
    'text/turtle;q=0',
    'nonsense',
    ',;,',
    '*/*;q=0',
    'image/*;q=0.5',
  ];

  it.each(FALLBACKS)('Accept: %s', async (accept) => {
    const slug = await freshWorld('<urn:s> <urn:p> "o" .\n');
    const path = `/worlds/${slug}`;
    const found = {
      export: await answers(`${path}/export`, {}, accept),
      description: await answers(`${path}/sparql`, {}, accept),
      select: await answers(`${path}/sparql`, { query: ALL }, accept),
      ask: await answers(`${path}/sparql`, { query: 'ASK {}' }, accept),
    };
    expect(found.export.status).toBe(200);
    expect(found.export.mediaType).toBe('application/n-quads');
    expect(found.description.status).toBe(200);
    if (accept !== 'text/turtle;q=0') expect(found.description.mediaType).toBe('text/turtle');
    expectSelectResults(found.select);
    expectAskResults(found.ask);
  });

  it.each([
    ['TEXT/Turtle', 'text/turtle'],
    ['text/turtle; charset=utf-8', 'text/turtle'],
    ['text/turtle;profile="x,y";q=0.9, application/trig;q=0.8', 'text/turtle'],
    ['text/turtle;q=0.1, application/trig;q=0.2', 'application/trig'],
    ['text/turtle;q=0.1, */*;q=0.2', 'application/n-quads'],
    ['text/*', ['text/turtle', 'text/n3']],
    ['application/n-triples, image/png', 'application/n-triples'],
    ['application/n-quads;q=0, application/ld+json', 'application/ld+json'],
    ['image/png, application/trig;q=0.01', 'application/trig'],
  ])('export with Accept: %s', async (accept, expected) => {
    const slug = await freshWorld('<urn:s> <urn:p> "o" .\n');
    const answer = await alice('POST', `/worlds/${slug}/export`, {}, { accept });
    expect([expected].flat()).toContain(answer.mediaType);
  });

  it('contentType in the body takes precedence over Accept, in any letter case and with parameters', async () => {
    const slug = await freshWorld('<urn:s> <urn:p> "o" .\n');
    for (const contentType of ['text/turtle', 'Text/TURTLE', 'text/turtle; charset=utf-8']) {
      const answer = await alice('POST', `/worlds/${slug}/export`, { contentType }, { accept: 'application/trig' });
      expect([answer.status, answer.mediaType]).toEqual([200, 'text/turtle']);
    }
    for (const contentType of ['N-Quads', 'application/N-QUADS;charset=UTF-8'])
      expect((await alice('POST', `/worlds/${slug}/import`, { data: '', contentType })).status).toBe(
        contentType === 'N-Quads' ? 400 : 204,
      );
  });

  it.each(['image/png', 'application/json', '', 'turtle'])(
    'a contentType that is not an RDF format, %j, is 400',
    async (contentType) => {
      const slug = await freshWorld('<urn:s> <urn:p> "o" .\n');
      expect(expectError(await alice('POST', `/worlds/${slug}/export`, { contentType }), 400)).toContain('contentType');
      expectError(await alice('POST', `/worlds/${slug}/import`, { data: '', contentType }), 400);
    },
  );

  it.each(['text/turtle', 'application/rdf+xml', 'application/trig', 'application/ld+json'])(
    'service description as %s',
    async (accept) => {
      const slug = await freshWorld();
      for (const family of FAMILIES)
        for (const path of [`${family.worlds('alpha')}/${slug}/sparql`, `${family.worlds('alpha')}/sparql`]) {
          const answer = await alice('POST', path, {}, { accept });
          expect([answer.status, answer.mediaType]).toEqual([200, accept]);
          expect(answer.text).toContain('http://www.w3.org/ns/sparql-service-description#');
        }
    },
  );
});

describe('CONSTRUCT/DESCRIBE: with a JSON body `results.quads` unless an RDF type has strictly higher quality; SPARQL Protocol forms: Turtle by default. SELECT/ASK also as XML, CSV, TSV', () => {
  const CONSTRUCT = 'CONSTRUCT { ?s <urn:q> ?o } WHERE { ?s ?p ?o }';
  let path: string;
  beforeAll(async () => {
    path = `/worlds/${await freshWorld('<urn:s> <urn:p> "o" .\n')}/sparql`;
  });

  it.each([
    '*/*',
    'application/sparql-results+json',
    'application/sparql-results+json, text/turtle',
    'text/turtle, application/sparql-results+json',
    'text/turtle;q=0.5, application/sparql-results+json;q=0.5',
    'text/turtle;q=0.5, */*',
    'image/png',
  ])('JSON body, Accept: %s gives results.quads', async (accept) => {
    for (const query of [CONSTRUCT, 'DESCRIBE <urn:s>']) {
      const quads = expectQuadsResults(await alice('POST', path, { query }, { accept }));
      expect(quads).toHaveLength(1);
      expect(quads[0].graph).toEqual({ type: 'default', value: '' });
    }
  });

  it.each([
    ['text/turtle', 'text/turtle'],
    ['application/n-triples', 'application/n-triples'],
    ['text/turtle, application/sparql-results+json;q=0.9', 'text/turtle'],
    ['application/ld+json, */*;q=0.1', 'application/ld+json'],
    ['application/rdf+xml;q=0.9, application/trig', 'application/trig'],
  ])('JSON body, Accept: %s gives %s', async (accept, expected) => {
    const answer = await alice('POST', path, { query: CONSTRUCT }, { accept });
    expect([answer.status, answer.mediaType]).toEqual([200, expected]);
    expect(answer.text).toContain('urn:q');
  });

  it('SPARQL Protocol forms: Turtle by default', async () => {
    const get = `${path}?query=${encodeURIComponent(CONSTRUCT)}`;
    const direct = { body: CONSTRUCT, headers: { 'content-type': 'application/sparql-query' } };
    const form = { body: new URLSearchParams({ query: CONSTRUCT }) };
    for (const answer of [
      await alice('GET', get),
      await alice('POST', path, undefined, direct),
      await alice('POST', path, undefined, form),
    ]) {
      expect([answer.status, answer.mediaType]).toEqual([200, 'text/turtle']);
      expect(answer.text).toContain('urn:q');
    }
    for (const accept of ['application/n-triples', 'application/ld+json', 'application/n-quads', 'application/trig'])
      expect((await alice('GET', get, undefined, { accept })).mediaType).toBe(accept);
  });

  it.each([
    ['application/sparql-results+xml', /<sparql[\s\S]*<binding name="o">\s*<literal>o<\/literal>/],
    ['text/csv', /^s,o\r\nurn:s,o\r\n$/],
    ['text/tab-separated-values', /^\?s\t\?o\n<urn:s>\t"o"\n$/],
    ['application/sparql-results+json', /"vars"/],
  ])('SELECT as %s', async (accept, expected) => {
    const query = 'SELECT ?s ?o { ?s ?p ?o }';
    for (const answer of [
      await alice('POST', path, { query }, { accept }),
      await alice('GET', `${path}?query=${encodeURIComponent(query)}`, undefined, { accept }),
    ]) {
      expect([answer.status, answer.mediaType]).toEqual([200, accept]);
      expect(answer.text).toMatch(expected);
    }
  });

  it('ASK as XML', async () => {
    const answer = await alice('POST', path, { query: 'ASK {}' }, { accept: 'application/sparql-results+xml' });
    expect([answer.status, answer.mediaType]).toEqual([200, 'application/sparql-results+xml']);
    expect(answer.text).toMatch(/<boolean>true<\/boolean>/);
  });
});
