import { expect, it } from 'vitest';
import { WorldsEngine } from '../../src/index.ts';

const GRAPH = 'http://example.org/graph';
const quad = (n: number) => `<http://example.org/${n}> <http://example.org/p> "${n}" <${GRAPH}> .\n`;
/** Few quads in the graph, so that nothing merges as soon as it is dropped. */
const EARLIER = Array.from({ length: 3000 }, (_, n) => (n < 20 ? quad(n) : quad(n).replace(GRAPH, 'urn:other'))).join(
  '',
);
const LATER = Array.from({ length: 3000 }, (_, n) => quad(10_000 + n)).join('');

/** Data whose second half comes after something else has happened. */
async function* interrupted(event: () => Promise<unknown>): AsyncGenerator<string> {
  yield LATER.slice(0, 1000);
  await event();
  yield LATER.slice(1000);
}

it.each(['merge', 'replace'] as const)(
  'an import (%s) keeps its quads if their graph is dropped while it reads, whatever merges follow',
  async (mode) => {
    await using engine = await WorldsEngine.open();
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data: EARLIER, contentType: 'application/n-quads' });
    await engine.import({
      source: 'w',
      mode,
      contentType: 'application/n-quads',
      data: interrupted(() => engine.deleteGraph({ source: 'w', graph: GRAPH })),
    });
    await engine.compact();
    const rows = await engine.select({
      query: `SELECT (COUNT(*) AS ?n) { GRAPH <${GRAPH}> { ?s ?p ?o } }`,
      sources: ['w'],
    });
    expect((await rows.array())[0]!.get('n')!.value).toBe('3000');
  },
);
