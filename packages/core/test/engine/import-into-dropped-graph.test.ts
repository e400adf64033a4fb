import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { WorldsEngine } from '../../src/index.ts';
import { FaultyStorage } from './durable/faulty-storage.ts';
import { Pending } from './pending.ts';

const GRAPH = 'http://example.org/graph';
const quad = (n: number) => `<http://example.org/${n}> <http://example.org/p> "${n}" <${GRAPH}> .\n`;
/** Few quads in the graph, so that nothing merges as soon as it is dropped. */
const EARLIER = Array.from({ length: 3000 }, (_, n) => (n < 20 ? quad(n) : quad(n).replace(GRAPH, 'urn:other'))).join(
  '',
);
const LATER = Array.from({ length: 3000 }, (_, n) => quad(10_000 + n)).join('');

/** Kinds of imports, with what they write before each quad. */
const KINDS = [
  ['merge', { mode: 'merge', contentType: 'application/n-quads' }, ''],
  ['replace', { mode: 'replace', contentType: 'application/n-quads' }, ''],
  ['patch', { contentType: 'application/rdf-patch' }, 'A '],
] as const;

/** Data whose second half comes after something else has happened. */
async function* interrupted(prefix: string, event: () => Promise<unknown>): AsyncGenerator<string> {
  const data = LATER.replace(/^(?=.)/gm, prefix);
  yield data.slice(0, 1000);
  await event();
  yield data.slice(1000);
}

it.each(KINDS)(
  'an import (%s) keeps its quads if their graph is dropped while it reads, whatever merges follow',
  async (_kind, options, prefix) => {
    await using engine = await WorldsEngine.open();
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data: EARLIER, contentType: 'application/n-quads' });
    await engine.import({
      source: 'w',
      ...options,
      data: interrupted(prefix, () => engine.deleteGraph({ source: 'w', graph: GRAPH })),
    });
    await engine.compact();
    expect(await quadsOfGraph(engine)).toBe('3000');
  },
);

it.each(KINDS)(
  'an import (%s) keeps its quads if it ends before its graph is durably dropped',
  async (_kind, options, prefix) => {
    const storage = new FaultyStorage();
    await using engine = await WorldsEngine.open({ storage });
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data: EARLIER, contentType: 'application/n-quads' });
    const gate = new Pending();
    storage.delay = () => gate.promise;
    let dropped: Promise<unknown> | undefined;
    const imported = engine.import({
      source: 'w',
      ...options,
      data: interrupted(prefix, async () => {
        dropped = engine.deleteGraph({ source: 'w', graph: GRAPH });
      }),
    });
    // Until both commits wait for the storage: the import has made the dropped graph again.
    await setTimeout(100);
    gate.resolve();
    await Promise.all([imported, dropped]);
    await engine.compact();
    expect(await quadsOfGraph(engine)).toBe('3000');
  },
);

async function quadsOfGraph(engine: WorldsEngine): Promise<string> {
  const query = `SELECT (COUNT(*) AS ?n) { GRAPH <${GRAPH}> { ?s ?p ?o } }`;
  const rows = await engine.select({ query, sources: ['w'] });
  return (await rows.array())[0]!.get('n')!.value;
}
