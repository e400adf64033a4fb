import { describe, expect, it } from 'vitest';
import { expectError, expectNoContent } from './answer-shapes.ts';
import { ask } from './exchange.ts';
import { base64, ServiceFixture } from './service-fixture.ts';

const service = new ServiceFixture();
const { alice, freshWorld, data } = service;
const contentType = 'application/ld+json';
const DIRECTED = '{"@id":"urn:s","urn:p":{"@value":"x","@language":"ar","@direction":"rtl"}}';
const I18N = '<urn:s> <urn:p> "x"^^<https://www.w3.org/ns/i18n#ar_rtl> .\n';

describe('JSON-LD over HTTP', () => {
  it('is compacted with the context of the body', async () => {
    const slug = await freshWorld('<urn:s> <urn:p> "x" .\n');
    const context = { name: 'urn:p' };
    const answer = await alice('POST', `/worlds/${slug}/export`, { contentType, context });
    expect([answer.status, answer.mediaType]).toEqual([200, contentType]);
    expect(JSON.parse(answer.text)).toEqual({ '@context': context, '@graph': [{ '@id': 'urn:s', name: 'x' }] });
    // Another document of the same state has another tag.
    const etag = answer.headers.get('etag')!;
    const headers = { 'if-none-match': etag };
    expect((await alice('POST', `/worlds/${slug}/export`, { contentType, context }, { headers })).status).toBe(304);
    expect((await alice('POST', `/worlds/${slug}/export`, { contentType }, { headers })).status).toBe(200);
  });

  it('is framed with the frame of the body', async () => {
    const slug = await freshWorld('<urn:s> <urn:p> <urn:t> .\n<urn:t> <urn:q> "x" .\n');
    const context = { p: 'urn:p', q: 'urn:q' };
    const frame = { '@context': context, p: {} };
    const body = { contentType, frame };
    const answer = await alice('POST', `/worlds/${slug}/export`, body);
    expect([answer.status, answer.mediaType]).toEqual([200, contentType]);
    const node = { '@id': 'urn:s', p: { '@id': 'urn:t', q: 'x' } };
    expect(JSON.parse(answer.text)).toEqual({ '@context': context, ...node });
    const wrapped = await alice('POST', `/worlds/${slug}/export`, { ...body, framing: { omitGraph: false } });
    expect(JSON.parse(wrapped.text)).toEqual({ '@context': context, '@graph': [node] });
    expect(wrapped.headers.get('etag')).not.toBe(answer.headers.get('etag'));
  });

  it('rejects an invalid context, a remote one, and one for another format', async () => {
    const slug = await freshWorld('<urn:s> <urn:p> "x" .\n');
    for (const [body, message] of [
      [{ contentType, context: { p: 1 } }, 'invalid term definition'],
      [{ contentType, context: 'http://c.example/' }, 'is remote'],
      [{ contentType: 'text/turtle', context: {} }, 'only JSON-LD has a context'],
      [{ contentType, rdfDirection: 'up' }, 'rdfDirection'],
      [{ contentType, frame: { '@embed': 1 } }, 'invalid @embed value'],
      [{ contentType, frame: {}, framing: { embedd: true } }, 'embedd'],
      [{ contentType: 'text/turtle', frame: {} }, 'only JSON-LD has a frame'],
    ] as const) {
      const answer = await alice('POST', `/worlds/${slug}/export`, body);
      expectError(answer, 400);
      expect(answer.text).toContain(message);
    }
  });

  it('represents directions as rdfDirection specifies', async () => {
    const rdfDirection = 'i18n-datatype';
    const slug = await freshWorld();
    const body = { data: base64(DIRECTED), contentType, rdfDirection };
    expectNoContent(await alice('POST', `/worlds/${slug}/import`, body));
    expect(await data(`alpha/${slug}`)).toBe(I18N);

    const raw = await freshWorld();
    const post = (query: string) => {
      const path = `/worlds/${raw}/import${query}`;
      const headers = { 'content-type': contentType };
      return ask(service.server, { method: 'POST', path, as: 'alice', body: DIRECTED, headers });
    };
    expectError(await post('?rdfDirection=up'), 400);
    expectError(await post(`?rdfDirection=${rdfDirection}&rdfDirection=${rdfDirection}`), 400);
    expectNoContent(await post(`?rdfDirection=${rdfDirection}`));
    expect(await data(`alpha/${raw}`)).toBe(I18N);

    const { text } = await alice('POST', `/worlds/${raw}/export`, { contentType, rdfDirection });
    expect(JSON.parse(text)).toEqual([{ '@id': 'urn:s', 'urn:p': [JSON.parse(DIRECTED)['urn:p']] }]);
  });
});
