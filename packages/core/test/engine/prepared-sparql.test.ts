import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assignCaller, turns } from '../../src/contracts/turns.ts';
import { dataFactory, nativeEngine, sparql, WorldsEngine } from '../../src/index.ts';
import type { PreparedQuery, PrepareOptions, SparqlEngine } from '../../src/plugin.ts';

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
    // SPARQL 1.1 section 19.2: code point escapes may stand anywhere, also in a keyword.
    ['\\u0049NSERT DATA {}', 'update'],
    ['\\u0053ELECT * {}', 'select'],
    ['VERSION "1.2" SELECT * {}', 'select'],
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

  it.each([
    ['SELECT * FROM <urn:g> {}', true, false],
    ['INSERT { ?s ?p ?o } USING <urn:g> WHERE { ?s ?p ?o }', true, false],
    ['INSERT DATA { <urn:USING> <urn:p> "USING" }', false, true],
    ['DELETE WHERE { ?s ?p ?o }', false, false],
  ])('tells whether it names its dataset and whether it is blind: %s', async (query, namesDataset, isBlind) => {
    expect(await engine.prepare({ query })).toMatchObject({ namesDataset, isBlind });
  });

  it('is parsed once, however long it is and whatever its bindings', async () => {
    const native = nativeEngine();
    let prepares = 0;
    const prepare: SparqlEngine['prepare'] = (text, options) => {
      prepares++;
      return native.prepare(text, options);
    };
    await using counting = await WorldsEngine.open({ textIndex: null, sparql: { name: 'counting', prepare } });
    await counting.createWorld({ slug: 'w' });
    const filler = `# ${'long '.repeat(20_000)}\n`;
    const update = await counting.prepare({ query: `${filler}INSERT DATA { <urn:a> <urn:p> 1 }` });
    await update.update();
    const query = await counting.prepare({ query: `${filler}SELECT ?o { ?s <urn:p> ?o }` });
    for (const s of ['urn:a', 'urn:b']) await (await query.select({ bindings: { s: namedNode(s) } })).array();
    await (await query.select()).array();
    expect(prepares).toBe(2);
  });

  it('of an engine that cannot bind is prepared again for bindings', async () => {
    const native = nativeEngine();
    const prepare = async (text: string, options: PrepareOptions) => {
      const prepared = (await native.prepare(text, options)) as PreparedQuery;
      return { type: prepared.type, form: prepared.form, evaluate: prepared.evaluate.bind(prepared) };
    };
    await using other = await WorldsEngine.open({ textIndex: null, sparql: { name: 'other', prepare } });
    const query = await other.prepare({ query: 'SELECT ?x {}' });
    expect(query.namesDataset).toBe(undefined);
    expect(await (await query.select({ bindings: { x: 1 } })).objects()).toEqual([{ x: 1 }]);
    expect(await (await query.select()).objects()).toEqual([{}]);
  });

  it('is subject to the limits, the signal and the turns of its caller', async () => {
    await using limited = await WorldsEngine.open({ textIndex: null, limits: { maxIriLength: 100 } });
    const long = `ASK { <urn:${'a'.repeat(200)}> ?p ?o }`;
    await expect(limited.prepare({ query: long })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    const signal = AbortSignal.abort();
    await expect(engine.prepare({ query: 'ASK {}', signal })).rejects.toMatchObject({ code: 'ABORTED' });

    const controller = new AbortController();
    assignCaller(controller.signal, { name: 'busy' });
    // While the caller has waiting work, preparing waits behind it.
    const order: string[] = [];
    const waiting = turns.wait(controller.signal, 0).then(() => order.push('waiting'));
    const prepared = engine.prepare({ query: 'ASK {}', signal: controller.signal }).then(() => order.push('prepared'));
    await Promise.all([waiting, prepared]);
    expect(order).toEqual(['waiting', 'prepared']);
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
