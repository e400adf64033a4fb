import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ExplainRequest, nativeEngine, WorldsEngine } from '../../src/index.ts';
import type { SparqlEngine } from '../../src/plugin.ts';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  for (const slug of ['one', 'two']) {
    await engine.createWorld({ slug });
    await engine.import({ source: slug, data: `<urn:${slug}> <urn:p> "${slug}" .` });
  }
});
afterEach(() => engine.close());

const query = 'SELECT * { ?s <urn:p> ?o }';

describe('explain', () => {
  it('is over the worlds of the request', async () => {
    const rows = async (request: Omit<ExplainRequest, 'query'>) =>
      (await engine.explain({ query, analyze: true, ...request })).plan.actualRows;
    expect(await rows({})).toBe(2);
    expect(await rows({ sources: ['one'] })).toBe(1);
    expect(await rows({ namespace: 'nobody' })).toBe(0);
    expect(await rows({ defaultGraphUris: ['urn:g'] })).toBe(0);
    const { plan } = await engine.world('two').explain({ query, analyze: true });
    expect(plan.actualRows).toBe(1);
  });

  it('gives estimates alone unless it is asked to run the query', async () => {
    const { plan } = await engine.explain({ query });
    expect(plan).not.toHaveProperty('actualRows');
    expect(plan.estimatedRows).toBe(2);
  });

  it('leaves revisions and data as they are', async () => {
    const before = await engine.getWorld({ source: 'one' });
    await engine.explain({ query: 'DELETE WHERE { ?s ?p ?o }', sources: ['one'] });
    await expect(
      engine.explain({ query: 'DELETE WHERE { ?s ?p ?o }', sources: ['one'], analyze: true }),
    ).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await engine.getWorld({ source: 'one' })).toEqual(before);
    expect(await engine.ask({ query: 'ASK { ?s ?p ?o }', sources: ['one'] })).toBe(true);
  });

  it.each<[Record<string, unknown>, string, string]>([
    [{ query: 1 }, 'INVALID_ARGUMENT', 'explain: query'],
    [{ query, analyze: 'yes' }, 'INVALID_ARGUMENT', 'explain: analyze'],
    [{ query, sources: ['three'] }, 'NOT_FOUND', 'three'],
    [{ query: 'SELECT * {' }, 'INVALID_SPARQL', 'line 1'],
    [{ query: 'SELECT * { SERVICE <urn:x> {} }' }, 'UNSUPPORTED', 'SERVICE'],
  ])('refuses %j', async (request, code, message) => {
    await expect(engine.explain(request as unknown as ExplainRequest)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it('is UNSUPPORTED with an engine that cannot tell', async () => {
    const native = nativeEngine();
    const silent: SparqlEngine = {
      name: 'silent',
      async prepare(text, options) {
        const prepared = await native.prepare(text, options);
        if (prepared.type === 'update') return { type: 'update', execute: (...all) => prepared.execute(...all) };
        return { type: 'query', form: prepared.form, evaluate: (...all) => prepared.evaluate(...all) };
      },
    };
    await using other = await WorldsEngine.open({ sparql: silent });
    await other.createWorld({ slug: 'w' });
    expect(await other.ask({ query: 'ASK {}' })).toBe(true);
    for (const text of [query, 'CLEAR ALL']) {
      await expect(other.explain({ query: text, sources: ['w'] })).rejects.toMatchObject({
        code: 'UNSUPPORTED',
        message: expect.stringContaining('"silent"'),
      });
    }
  });
});
