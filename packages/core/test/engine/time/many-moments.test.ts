import { afterEach, expect, it, vi } from 'vitest';
import { History } from '../../../src/engine/history/history.ts';
import { WorldsEngine, type WorldsError } from '../../../src/index.ts';

afterEach(() => vi.restoreAllMocks());

const COMMITS = 6;
const ROWS = 20_000;

it('adds up the commits since many moments one after the other', async () => {
  await using engine = await WorldsEngine.open({ textIndex: null, history: { keepRevisions: 100 } });
  await engine.createWorld({ slug: 'w' });
  const revisions: number[] = [];
  for (let commit = 0; commit < COMMITS; commit++) {
    revisions.push((await engine.getWorld({ source: 'w' }))!.revision);
    const data = Array.from({ length: ROWS }, (_, i) => `<urn:s${i}> <urn:p> "${commit}" .\n`).join('');
    await engine.import({ source: 'w', data });
  }
  let running = 0;
  let most = 0;
  const { sumSince } = History.prototype;
  vi.spyOn(History.prototype, 'sumSince').mockImplementation(function* (this: History, position: number) {
    most = Math.max(most, ++running);
    try {
      // A pause at the start, as after a long step.
      yield;
      return yield* sumSince.call(this, position);
    } finally {
      running--;
    }
  });
  const counts = await Promise.all(
    revisions.map(async (at) => {
      const query = 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }';
      const [{ n }] = await (await engine.select({ query, sources: ['w'], at })).objects();
      return Number(n);
    }),
  );
  expect(counts).toEqual(revisions.map((_, commit) => commit * ROWS));
  expect(most).toBe(1);
});

it('gives up waiting when the request is aborted', async () => {
  await using engine = await WorldsEngine.open({ textIndex: null, history: { keepRevisions: 100 } });
  await engine.createWorld({ slug: 'w' });
  const { revision: at } = (await engine.getWorld({ source: 'w' }))!;
  const data = Array.from({ length: ROWS }, (_, i) => `<urn:s${i}> <urn:p> "x" .\n`).join('');
  await engine.import({ source: 'w', data });
  const controller = new AbortController();
  const { sumSince } = History.prototype;
  vi.spyOn(History.prototype, 'sumSince').mockImplementation(function* (this: History, position: number) {
    controller.abort();
    return yield* sumSince.call(this, position);
  });
  const first = engine.diff({ source: 'w', from: at });
  await expect(engine.diff({ source: 'w', from: at, signal: controller.signal })).rejects.toMatchObject({
    code: 'ABORTED',
  });
  expect((await first).inserted.length).toBe(ROWS);
});

it('reserves the memory of adding up, and refuses what the limit does not allow', async () => {
  const imports = 40;
  const read = async (maxMemoryBytes: number) => {
    await using engine = await WorldsEngine.open({ textIndex: null, history: { keepRevisions: 100 }, maxMemoryBytes });
    await engine.createWorld({ slug: 'w' });
    const { revision: at } = (await engine.getWorld({ source: 'w' }))!;
    // Each needs less memory than adding up what all of them did.
    for (let i = 0; i < imports; i++) {
      const rows = Array.from({ length: ROWS / imports }, (_, row) => `<urn:s${row}> <urn:p> "${i}" .\n`);
      await engine.import({ source: 'w', data: rows.join('') });
    }
    const { terms, quads, records } = engine.metrics().memoryBytes;
    const answer = await engine.select({ query: 'SELECT * { ?s ?p ?o }', sources: ['w'], at }).then(
      async (result) => (await result.objects()).length,
      (error: WorldsError) => error.code,
    );
    // The reservation has ended.
    await engine.import({ source: 'w', data: '<urn:s> <urn:p> "last" .' });
    return { bytes: terms + quads + records, answer };
  };
  const { bytes, answer } = await read(1 << 30);
  expect(answer).toBe(0);
  expect(await read(bytes + ROWS * 40)).toMatchObject({ answer: 'LIMIT_EXCEEDED' });
});
