import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { lsaEmbedder } from '../../src/embedders.ts';
import { dataFactory, WorldsEngine } from '../../src/index.ts';

const CHECKOUT = fileURLToPath(new URL('../../../..', import.meta.url));
const FOLDER = join(process.env['RDF_WORLDS_SHARED'] || join(CHECKOUT, '../shared'), 'bench/search/cranfield');
const IS_THERE = existsSync(join(FOLDER, 'cranqrel'));
if (!IS_THERE) console.warn(`There is no Cranfield collection in ${FOLDER}: relevance is not measured.`);

interface Line {
  readonly kind: 'doc' | 'query';
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

/** Cranfield: 1,400 abstracts on aerodynamics and 225 questions, judged by Cleverdon. */
function collection() {
  const lines = readFileSync(join(FOLDER, 'cranfield.jsonl'), 'utf8').trim().split('\n');
  const all = lines.map((line) => JSON.parse(line) as Line);
  const gains = new Map<number, Map<number, number>>();
  for (const line of readFileSync(join(FOLDER, 'cranqrel'), 'utf8').trim().split('\n')) {
    const [query, document, grade] = line.trim().split(/\s+/).map(Number);
    // 1 is a complete answer, 4 of minimum interest; the readme of the judgements does not say what
    // -1 is.
    if (grade! < 1) continue;
    const known = gains.get(query!) ?? new Map<number, number>();
    gains.set(query!, known.set(document!, 5 - grade!));
  }
  return {
    documents: all.filter(({ kind, text }) => kind === 'doc' && text.trim() !== ''),
    queries: all.filter(({ kind }) => kind === 'query'),
    gains,
  };
}

/** Normalised discounted cumulative gain of the first ten (Järvelin, Kekäläinen, ACM TOIS 2002). */
function ndcg(gains: ReadonlyMap<number, number>, ranked: readonly number[]): number {
  const discounted = (values: readonly number[]) =>
    values.slice(0, 10).reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
  const ideal = discounted([...gains.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : discounted(ranked.map((document) => gains.get(document) ?? 0)) / ideal;
}

describe.skipIf(!IS_THERE)('nDCG@10 on Cranfield', () => {
  it('is .37 by text, .39 with feedback, .39 with the offline embedder, .40 with both', async () => {
    const { documents, queries, gains } = collection();
    const predicate = dataFactory.namedNode('urn:text');
    const embedder = lsaEmbedder({ minTexts: 1000, worker: false });
    const text = await WorldsEngine.open();
    const hybrid = await WorldsEngine.open({ embedder });
    for (const engine of [text, hybrid]) {
      await engine.createWorld({ slug: 'cranfield' });
      const insert = documents.map((one) =>
        dataFactory.quad(
          dataFactory.namedNode(`urn:doc:${one.id}`),
          predicate,
          dataFactory.literal(`${one.title} ${one.text}`),
        ),
      );
      await engine.write({ source: 'cranfield', insert });
      await engine.flush();
    }
    const measure = async (engine: WorldsEngine, options: { feedback?: boolean } = {}) => {
      let sum = 0;
      for (const { id, text: query } of queries) {
        const hits = await engine.search({ query, limit: 10, ...options });
        sum += ndcg(
          gains.get(id) ?? new Map(),
          hits.map(({ subject }) => Number(subject.slice(8))),
        );
      }
      return sum / queries.length;
    };
    expect(await measure(text)).toBeGreaterThanOrEqual(0.37);
    expect(await measure(text, { feedback: true })).toBeGreaterThanOrEqual(0.39);
    expect(await measure(hybrid)).toBeGreaterThanOrEqual(0.39);
    expect(await measure(hybrid, { feedback: true })).toBeGreaterThanOrEqual(0.4);
    await text.close();
    await hybrid.close();
  });
});
