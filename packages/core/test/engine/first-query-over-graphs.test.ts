import { afterEach, describe, expect, it, vi } from 'vitest';
import { WorldsEngine } from '../../src/index.ts';
import { Snapshot } from '../../src/quads/snapshot.ts';

const GRAPHS = 100;
const DATA = Array.from({ length: GRAPHS }, (_, n) => `<urn:s> <urn:p> <urn:o${n}> <urn:g${n}> .\n`).join('');

async function opened(): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'w' });
  await engine.import({ source: 'w', data: `${DATA}<urn:s> <urn:p> <urn:o> .\n`, contentType: 'application/n-quads' });
  return engine;
}

/** Queries over a world of many graphs, with their number of rows. */
const DEFAULT_GRAPH: readonly (readonly [string, number])[] = [
  ['SELECT * { ?s ?p ?o }', 1],
  ['SELECT * { ?s <urn:p>+ ?o OPTIONAL { ?o <urn:p> ?x } }', 1],
  ['SELECT * { GRAPH <urn:g7> { ?s ?p ?o } }', 1],
];
const NAMED_GRAPHS: readonly (readonly [string, number])[] = [
  ['SELECT * { GRAPH ?g { ?s ?p ?o } }', GRAPHS],
  ['SELECT * { ?s ?p ?o FILTER EXISTS { { SELECT ?o { GRAPH ?g { ?s ?p ?o } } } } }', 0],
  [`SELECT * ${Array.from({ length: 20 }, (_, n) => `FROM <urn:g${n}>`).join(' ')} { ?s ?p ?o }`, 20],
];

describe('the permutations over all graphs of a world', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each(DEFAULT_GRAPH)('are not built for %s', async (query, rows) => {
    await using engine = await opened();
    const build = vi.spyOn(Snapshot.prototype, 'buildCollection');
    expect(await (await engine.select({ query, sources: ['w'] })).array()).toHaveLength(rows);
    expect(build).not.toHaveBeenCalled();
  });

  it.each(NAMED_GRAPHS)('are built for %s', async (query, rows) => {
    await using engine = await opened();
    const build = vi.spyOn(Snapshot.prototype, 'buildCollection');
    expect(await (await engine.select({ query, sources: ['w'] })).array()).toHaveLength(rows);
    expect(build).toHaveBeenCalled();
  });

  it.each([
    ['INSERT { GRAPH <urn:new> { ?s ?p ?o } } WHERE { ?s ?p ?o }', false, 1],
    ['WITH <urn:g7> DELETE { ?s ?p ?o } INSERT { ?o ?p ?s } WHERE { ?s ?p ?o }', false, 2],
    ['DELETE WHERE { GRAPH ?g { ?s ?p ?o } }', true, GRAPHS],
    ['INSERT DATA { <urn:a> <urn:b> 1 } ; DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o } }', true, 101],
  ])('are built for updates that read all graphs: %s', async (query, isBuilt, changes) => {
    await using engine = await opened();
    const build = vi.spyOn(Snapshot.prototype, 'buildCollection');
    const { inserted, deleted } = await engine.update({ query, sources: ['w'] });
    expect(inserted + deleted).toBe(changes);
    expect(build.mock.calls.length > 0).toBe(isBuilt);
  });

  it('are built for a request that selects the default graph', async () => {
    await using engine = await opened();
    const build = vi.spyOn(Snapshot.prototype, 'buildCollection');
    const defaultGraphUris = Array.from({ length: 20 }, (_, n) => `urn:g${n}`);
    const rows = await engine.select({ query: 'SELECT * { ?s ?p ?o }', sources: ['w'], defaultGraphUris });
    expect(await rows.array()).toHaveLength(20);
    expect(build).toHaveBeenCalled();
  });

  it('are built for the default graph of many worlds', async () => {
    await using engine = await WorldsEngine.open({ textIndex: null });
    for (let n = 0; n < 70; n++) {
      await engine.createWorld({ slug: `w${n}` });
      await engine.import({ source: `w${n}`, data: `<urn:s> <urn:p> ${n} .`, contentType: 'text/turtle' });
    }
    const build = vi.spyOn(Snapshot.prototype, 'buildCollection');
    expect(await (await engine.select({ query: 'SELECT * { ?s ?p ?o }' })).array()).toHaveLength(70);
    expect(build).toHaveBeenCalled();
  });
});
