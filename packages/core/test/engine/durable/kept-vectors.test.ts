import { fileStorage } from '@rdf-worlds/storage-file';
import { expect, it } from 'vitest';
import { SimulatedFileSystem } from '../../../../storage-file/test/power-cut/simulated-file-system.ts';
import type { Embedder } from '../../../src/embedders.ts';
import { dataFactory, type MemoryContents, MemoryStorage, WorldsEngine } from '../../../src/index.ts';

const { quad, namedNode, literal } = dataFactory;
const TEXTS = Array.from({ length: 300 }, (_, n) => `text number ${n} of ${n % 7} kinds`);

/** Vectors by the letters of a text; notes what it is asked for. */
class CountingEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions = 26;
  readonly batchSize = 32;
  documents: string[] = [];

  constructor(id = 'letters') {
    this.id = id;
  }

  async embed(texts: readonly string[], { kind }: { kind: 'query' | 'document' }): Promise<Float32Array[]> {
    if (kind === 'document') this.documents.push(...texts);
    return texts.map((text) => {
      const vector = new Float32Array(26).fill(0.01);
      for (const letter of text.toLowerCase()) {
        const at = letter.charCodeAt(0) - 97;
        if (at >= 0 && at < 26) vector[at]++;
      }
      return vector;
    });
  }
}

const opened = (embedder: Embedder, contents?: MemoryContents) => {
  const storage = new MemoryStorage(contents);
  return WorldsEngine.open({ storage, embedder, textIndex: null, onEmbedderFailure: 'fail' }).then((engine) => ({
    engine,
    contents: storage.contents,
  }));
};
const one = (n: number, text: string) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(text));
const hitsOf = async (engine: WorldsEngine) =>
  (await engine.search({ query: 'kinds of number', limit: 20 })).map(({ object, score }) => [object, score]);

it('vectors of an embedder are stored: reopening computes only new ones', async () => {
  const first = new CountingEmbedder();
  const { engine, contents } = await opened(first);
  await engine.createWorld({ slug: 'w' });
  await engine.write({ source: 'w', insert: TEXTS.map((text, n) => one(n, text)) });
  const hits = await hitsOf(engine);
  expect(hits).toHaveLength(20);
  expect(first.documents).toHaveLength(300);
  await engine.close();

  const second = new CountingEmbedder();
  const again = await opened(second, contents);
  expect(await hitsOf(again.engine)).toEqual(hits);
  expect(second.documents).toEqual([]);
  await again.engine.write({ source: 'w', insert: [one(1000, 'quite new')], delete: [one(3, TEXTS[3])] });
  await hitsOf(again.engine);
  expect(second.documents).toEqual(['quite new']);
  // Two checkpoints later the first vectors are still carried along.
  await again.engine.checkpoint();
  await again.engine.write({ source: 'w', insert: [one(1001, 'newer still')] });
  await again.engine.checkpoint();

  const third = new CountingEmbedder();
  const crashed = await opened(third, contents);
  await hitsOf(crashed.engine);
  // The engine before may have computed the vector of the newest text in time for its checkpoint.
  expect(third.documents.filter((text) => text !== 'newer still')).toEqual([]);

  const other = new CountingEmbedder('other letters');
  const changed = await opened(other, contents);
  await hitsOf(changed.engine);
  expect(other.documents).toHaveLength(301);
  await changed.engine.close();
  // Both are kept.
  for (const id of ['letters', 'other letters']) {
    const last = new CountingEmbedder(id);
    const { engine } = await opened(last, contents);
    await hitsOf(engine);
    expect(last.documents.length).toBeLessThanOrEqual(1);
  }
});

it('a crash before a checkpoint loses only the vectors computed since the previous one', async () => {
  const first = new CountingEmbedder();
  const { engine, contents } = await opened(first);
  await engine.createWorld({ slug: 'w' });
  await engine.write({ source: 'w', insert: TEXTS.map((text, n) => one(n, text)) });
  await engine.flush();
  await engine.checkpoint();
  const late = Array.from({ length: 40 }, (_, n) => `late text ${n}`);
  await engine.write({ source: 'w', insert: late.map((text, n) => one(1000 + n, text)), delete: [one(3, TEXTS[3])] });
  await engine.flush();
  const hits = await hitsOf(engine);
  expect(first.documents).toHaveLength(340);

  // Nobody closes it: what is not stored by now is lost.
  const second = new CountingEmbedder();
  const crashed = await opened(second, contents);
  await crashed.engine.flush();
  expect(second.documents.sort()).toEqual([...late].sort());
  expect(await hitsOf(crashed.engine)).toEqual(hits);

  const third = new CountingEmbedder();
  await crashed.engine.checkpoint();
  const again = await opened(third, contents);
  await again.engine.flush();
  expect(await hitsOf(again.engine)).toEqual(hits);
  expect(third.documents).toEqual([]);
});

it('two engines that share a storage each make checkpoints, whatever vectors the other has kept', async () => {
  const fileSystem = new SimulatedFileSystem(() => 0);
  const open = (embedder: Embedder) =>
    WorldsEngine.open({ storage: fileStorage({ path: '/data', fileSystem }), embedder, textIndex: null });
  const embedders = [new CountingEmbedder(), new CountingEmbedder()];
  const engines = [await open(embedders[0]), await open(embedders[1])];
  await engines[0].createWorld({ slug: 'w' });
  await engines[0].write({ source: 'w', insert: TEXTS.slice(0, 50).map((text, n) => one(n, text)) });
  for (let round = 0; round < 3; round++) {
    for (const engine of engines) {
      await hitsOf(engine);
      await engine.write({ source: 'w', insert: [one(100 * round, `quite new ${round}`)] });
      await hitsOf(engine);
      await engine.checkpoint();
    }
  }
  for (const engine of engines) {
    expect(engine.health().problems).toEqual([]);
    expect((await engine.check()).problems).toEqual([]);
  }
  const hits = await hitsOf(engines[0]);
  for (const engine of engines) await engine.close();
  const third = new CountingEmbedder();
  const again = await open(third);
  expect(await hitsOf(again)).toEqual(hits);
  // What one of the two had made may be made again, but not everything.
  expect(third.documents.length).toBeLessThan(50);
  await again.close();
});
