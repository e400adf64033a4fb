import { expect, it } from 'vitest';
import type { Embedder } from '../../src/embedders.ts';
import { WorldsEngine } from '../../src/index.ts';

/** Embeds when it is told to. */
function slowEmbedder() {
  let call!: () => void;
  let answer!: () => void;
  const called = new Promise<void>((resolve) => (call = resolve));
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const embedder: Embedder = {
    id: 'slow',
    dimensions: 2,
    async embed(texts) {
      call();
      await answered;
      return texts.map((text) => Float32Array.of(text.length, 1));
    },
  };
  return { embedder, called, answer };
}

async function engineOf(embedder: Embedder): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open({ embedder });
  for (const slug of ['a', 'b']) {
    await engine.createWorld({ slug, namespace: slug });
    await engine.import({ source: `${slug}/${slug}`, data: '<urn:s> <urn:p> "a lantern" .' });
  }
  return engine;
}

it('a flush neither waits for namespaces deleted meanwhile nor fails because of them', async () => {
  const { embedder, called, answer } = slowEmbedder();
  const engine = await engineOf(embedder);
  const flushed = engine.flush();
  await called;
  // The last world of its namespace, which goes with it.
  await engine.deleteWorld({ source: 'a/a' });
  answer();
  await flushed;
  expect(await engine.search({ query: 'lantern', namespace: 'b' })).toMatchObject([{ vecRank: 1, ftsRank: 1 }]);
  expect(await engine.search({ query: 'lantern', namespace: 'a' })).toEqual([]);
  await engine.close();
});

it('closing ends a flush, and searches that wait for the embedder find by text', async () => {
  const { embedder, called } = slowEmbedder();
  const engine = await engineOf(embedder);
  const flushed = engine.flush().catch((error) => error);
  await called;
  const found = engine.search({ query: 'lantern', namespace: 'b' });
  await engine.close();
  // A namespace that the flush has not reached yet says that the engine is closed.
  expect(['ABORTED', 'INVALID_ARGUMENT']).toContain((await flushed).code);
  expect(await found.catch((error) => error)).toSatisfy(
    (outcome) => Array.isArray(outcome) || ['ABORTED', 'INVALID_ARGUMENT'].includes(outcome.code),
  );
});

it('a flush of many namespaces reports the failure of an embedder, with its name', async () => {
  const engine = await engineOf({
    id: 'broken',
    dimensions: 2,
    embed: () => {
      throw new Error('no more credit');
    },
  });
  await expect(engine.flush()).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringMatching(/"broken".*no more credit/),
  });
  await engine.close();
});
