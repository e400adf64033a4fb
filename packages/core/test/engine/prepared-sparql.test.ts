import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataFactory, sparql, WorldsEngine } from '../../src/index.ts';

const { namedNode } = dataFactory;
let engine: WorldsEngine;
beforeAll(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'w' });
  await engine.createWorld({ slug: 'other' });
  await engine.update({ sources: ['w'], query: 'INSERT DATA { <urn:a> <urn:p> 1 . <urn:b> <urn:p> 2 }' });
});
afterAll(() => engine.close());

describe('a prepared text', () => {
  it.each([
    ['SELECT * { ?s ?p ?o }', 'select'],
    ['ASK { ?s ?p ?o }', 'ask'],
    ['CONSTRUCT WHERE { ?s ?p ?o }', 'construct'],
    ['DESCRIBE <urn:a>', 'describe'],
    ['# SELECT\nPREFIX select: <urn:> INSERT DATA { select:a select:b 1 }', 'update'],
    ['PREFIX ex: <urn:>', 'update'],
  ] as const)('has its form: %s', async (query, form) => {
    const prepared = await engine.prepare({ query });
    expect([prepared.form, prepared.isUpdate]).toEqual([form, form === 'update']);
    expect(String(prepared)).toBe(query);
  });

  it('runs as often as it is asked to, with other values and over other worlds', async () => {
    const prepared = await engine.prepare({ query: 'PREFIX ex: <urn:> SELECT ?o { ?s ex:p ?o }' });
    const valuesOf = async (name: string, source = 'w') => {
      const result = await prepared.select({ sources: [source], bindings: { s: namedNode(`urn:${name}`) } });
      return result.objects();
    };
    expect(await valuesOf('a')).toEqual([{ o: 1 }]);
    expect(await valuesOf('b')).toEqual([{ o: 2 }]);
    expect(await valuesOf('b', 'other')).toEqual([]);
    expect(prepared.prefixes).toEqual({ ex: 'urn:' });
  });

  it('runs every form as the method of the engine does', async () => {
    const sources = ['w'];
    const ask = await engine.prepare({ query: 'ASK { <a> ?p ?o }', baseIri: 'urn:x' });
    expect(await ask.ask({ sources })).toBe(
      await engine.ask({ sources, query: 'ASK { <a> ?p ?o }', baseIri: 'urn:x' }),
    );
    const construct = await engine.prepare({ query: sparql`CONSTRUCT WHERE { ${namedNode('urn:a')} ?p ?o }` });
    expect(await (await construct.construct({ sources })).array()).toHaveLength(1);
    const update = await engine.prepare({ query: 'INSERT DATA { <urn:c> <urn:p> 3 }' });
    expect(await update.update({ sources: ['other'] })).toMatchObject({ inserted: 1 });
    expect(await update.update({ sources: ['other'] })).toMatchObject({ inserted: 0 });
    expect(await update.sparql({ sources: ['other'] })).toBe(null);
    expect((await ask.run({ sources })).type).toBe('boolean');
  });

  it('is checked when it is prepared, and so is each run', async () => {
    await expect(engine.prepare({ query: 'SELECT * {' })).rejects.toMatchObject({ code: 'INVALID_SPARQL' });
    await expect(engine.prepare({ text: 'ASK {}' } as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const prepared = await engine.prepare({ query: 'ASK {}' });
    await expect(prepared.select()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(prepared.ask({ query: 'ASK {}' } as object)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(prepared.ask({ source: 'w' } as object)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(prepared.ask({ sources: ['nowhere'] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
