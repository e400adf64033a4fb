import { describe, expect, it } from 'vitest';
import {
  expectError,
  expectNoContent,
  expectSearchResults,
  expectSelectResults,
  expectWorld,
} from './answer-shapes.ts';
import { ask } from './exchange.ts';
import { FAMILIES } from './operations.ts';
import { startServer } from './running-server.ts';
import { ALL, base64, ServiceFixture } from './service-fixture.ts';
import type { WireJson } from './wire-json.ts';

// Behaviour that the operations and schemas alone do not determine: one describe per decision, with
// the decision as its title.

const service = new ServiceFixture();
const { alice, freshName, freshWorld } = service;

describe('timestamps: milliseconds since the epoch; `updatedAt` moves with every change of record or data', () => {
  it('changes with PUT, import and update, but not with reads', async () => {
    const slug = freshName('t');
    const before = service.now;
    const created = (await alice('POST', '/worlds', { slug })).json();
    expect(created.createdAt).toBeGreaterThan(before);
    expect(created.createdAt).toBeLessThanOrEqual(service.now);
    expect(created.updatedAt).toBe(created.createdAt);
    let last = created.updatedAt;
    const changes: [string, string, unknown][] = [
      ['PUT', '', { label: 'L' }],
      ['POST', '/import', { data: base64('<urn:s> <urn:p> "1" .\n') }],
      ['POST', '/sparql', { query: 'INSERT DATA { <urn:s> <urn:p> 2 }' }],
    ];
    for (const [method, suffix, body] of changes) {
      expectNoContent(await alice(method, `/worlds/${slug}${suffix}`, body));
      const { createdAt, updatedAt } = (await alice('GET', `/worlds/${slug}`)).json();
      expect(createdAt).toBe(created.createdAt);
      expect(updatedAt, `${method} ${suffix}`).toBeGreaterThan(last);
      last = updatedAt;
    }
    await alice('POST', `/worlds/${slug}/export`);
    await alice('POST', `/worlds/${slug}/sparql`, { query: ALL });
    await alice('POST', `/worlds/${slug}/search`, { query: '1' });
    expect((await alice('GET', `/worlds/${slug}`)).json().updatedAt).toBe(last);
  });

  it('is the real time unless service.now is replaced', async () => {
    const other = await startServer();
    try {
      const before = Date.now();
      const { createdAt } = (
        await ask(other, { method: 'POST', path: '/worlds', as: 'alice', json: { slug: 'now' } })
      ).json();
      expect(createdAt).toBeGreaterThanOrEqual(before);
      expect(createdAt).toBeLessThanOrEqual(Date.now());
    } finally {
      await other.close();
    }
  });
});

describe('`deletedAt`: null or absent on a world that is served; delete removes data and record at once, the slug is free again', () => {
  it.each(FAMILIES)('$name', async (family) => {
    const slug = await freshWorld('<urn:s> <urn:p> "gone tomorrow" .\n');
    const path = `${family.worlds('alpha')}/${slug}`;
    expect((await alice('GET', path)).json().deletedAt ?? null).toBeNull();
    expectNoContent(await alice('DELETE', path));
    expectError(await alice('GET', path), 404);
    expectError(await alice('DELETE', path), 404);
    const listed = (await alice('GET', `${family.worlds('alpha')}?pageSize=100`)).json();
    expect(listed.map((world: WireJson) => world.slug)).not.toContain(slug);
    expect(expectSearchResults(await alice('POST', `${family.worlds('alpha')}/search`, { query: 'tomorrow' }))).toEqual(
      [],
    );
    expect((await alice('POST', family.worlds('alpha'), { slug })).status).toBe(201);
    expect((await alice('POST', `${path}/export`)).text).toBe('');
  });
});

describe('World shape: unset `label` and `description` are absent; `description: null` stays null; PUT is partial, `{}` is 204, `label: null` is 400; unknown fields are ignored', () => {
  it('unset fields are absent', async () => {
    const created = await alice('POST', '/worlds', { slug: freshName('s') });
    expectWorld(created.json());
    for (const field of ['label', 'description']) expect(created.json()).not.toHaveProperty(field);
  });

  it('description: null stays null', async () => {
    const slug = freshName('s');
    expect((await alice('POST', '/worlds', { slug, description: null })).json().description).toBeNull();
    expect((await alice('GET', `/worlds/${slug}`)).json().description).toBeNull();
  });

  it('PUT is partial', async () => {
    const slug = freshName('s');
    await alice('POST', '/worlds', { slug, label: 'L', description: 'D' });
    const fields = async () => {
      const { label, description } = (await alice('GET', `/worlds/${slug}`)).json();
      return [label, description];
    };
    const steps: [unknown, unknown[]][] = [
      [{ label: 'L2' }, ['L2', 'D']],
      [{ description: 'D2' }, ['L2', 'D2']],
      [{}, ['L2', 'D2']],
      [{ description: null }, ['L2', null]],
      [{ label: '', unheardOf: { deep: [1] } }, ['', null]],
    ];
    for (const [body, expected] of steps) {
      expectNoContent(await alice('PUT', `/worlds/${slug}`, body));
      expect(await fields()).toEqual(expected);
    }
    expect(expectError(await alice('PUT', `/worlds/${slug}`, { label: null }), 400)).toContain('label');
    expect(await fields()).toEqual(['', null]);
  });

  it('unknown fields are ignored everywhere, even those named like JavaScript properties', async () => {
    const slug = freshName('s');
    const more = { unheardOf: 1, constructor: 'x', toString: null };
    const sent = JSON.stringify({ slug, ...more }).replace('{', '{"__proto__":{"label":"polluted"},');
    const headers = { 'content-type': 'application/json' };
    const created = await alice('POST', '/worlds', undefined, { body: sent, headers });
    expect(created.status).toBe(201);
    expectWorld(created.json());
    expect(created.json()).not.toHaveProperty('label');
    expectNoContent(await alice('POST', `/worlds/${slug}/import`, { data: '', ...more }));
    expect((await alice('POST', `/worlds/${slug}/export`, more)).status).toBe(200);
    expectSelectResults(await alice('POST', `/worlds/${slug}/sparql`, { query: ALL, ...more }));
    expectSearchResults(await alice('POST', `/worlds/${slug}/search`, { query: 'x', ...more }));
    expectNoContent(await alice('DELETE', `/worlds/${slug}`, more));
  });
});
