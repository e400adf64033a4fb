import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/arguments.ts';
import { collectBeforeMeasuring } from '../../src/idle.ts';
import { chatTurns } from '../../src/search/collections/chat-turns.ts';
import { knownItems } from '../../src/search/collections/known-items.ts';
import { languageLabels } from '../../src/search/collections/language-labels.ts';
import { productRecords } from '../../src/search/collections/product-records.ts';
import { corpusTriples, generateCorpus, openCorpus } from '../../src/search/corpus.ts';
import { openCranfield } from '../../src/search/cranfield.ts';
import { generatedTexts } from '../../src/search/generated-texts.ts';
import { latencyRatio, measureLatencies, medianLatency } from '../../src/search/latency.ts';
import { measureDocuments } from '../../src/search/measure-documents.ts';
import { measureImport } from '../../src/search/measure-import.ts';
import { measureRelevance } from '../../src/search/measure-relevance.ts';
import { measureTexts } from '../../src/search/measure-texts.ts';
import { measureVectors } from '../../src/search/measure-vectors.ts';
import { measureManyWorlds } from '../../src/search/measure-worlds.ts';
import { OWN_TEXT } from '../../src/search/own-text.ts';
import { ndcgAt10, recallAt10 } from '../../src/search/relevance.ts';
import { countWords, plainWordCounts, QUERY_CLASSES, textQueries } from '../../src/search/text-queries.ts';
import type { TextSystemKind } from '../../src/search/text-system.ts';
import { nearestRows, vectorData } from '../../src/search/vector-data.ts';
import { OWN_VECTORS } from '../../src/search/vector-system.ts';

const quiet = () => undefined;
const lengths = { rounds: 2, budgetMs: 1000, warmMs: 0, queries: 3, seed: 4 };

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('texts', () => {
  it('are identical for the same seed', () => {
    const texts = generatedTexts(50, 3);
    expect(generatedTexts(50, 3)).toEqual(texts);
    expect(generatedTexts(50, 4)).not.toEqual(texts);
    expect(texts[0]).toMatch(/^[a-z]+( [a-z]+)*$/);
  });

  it('are read from a plain or compressed file, and written as triples', () =>
    inFolder(async (folder) => {
      const lines = '0\t7\t1\t3\tone "two"\n1\t8\t2\t3\tback\\slash\n2\t9\t2\t3\tthird';
      writeFileSync(join(folder, 'plain.tsv'), lines);
      writeFileSync(join(folder, 'packed.tsv.gz'), gzipSync(lines));
      for (const name of ['plain.tsv', 'packed.tsv.gz']) {
        const corpus = await openCorpus({ texts: join(folder, name), documents: 2, seed: 1 });
        expect(corpus.texts).toEqual(['one "two"', 'back\\slash']);
        expect([...corpusTriples(corpus, 1, 2)]).toEqual([
          '<http://data.example/s/8> <http://data.example/p/2> "back\\\\slash" .\n',
        ]);
      }
      writeFileSync(join(folder, 'short.tsv'), 'a\tb');
      for (const name of ['short.tsv', 'absent.tsv'])
        await expect(openCorpus({ texts: join(folder, name), documents: 0, seed: 1 })).rejects.toThrow(UsageError);
    }));

  it('yield queries of every class', () => {
    const texts = generatedTexts(500, 1);
    const counts = countWords(texts);
    const sets = textQueries(texts, counts, 5, 1);
    expect(sets.map(({ name }) => name)).toEqual([...QUERY_CLASSES]);
    const [three, common, prefix, unknown] = sets.map(({ queries }) => queries);
    for (const query of three) expect(query.split(' ')).toHaveLength(3);
    for (const query of common) expect(counts.get(query)).toBeGreaterThan(1);
    for (const query of prefix) expect([...counts.keys()].some((word) => word.startsWith(query))).toBe(true);
    for (const query of unknown) expect(counts.has(query)).toBe(false);
  });

  it('contain words that every tokenizer splits the same way', () => {
    const texts = ["plain don't caf\u00e9 twice", 'plain, twice-told cafe', 'plain twice'];
    expect(plainWordCounts(texts, 10)).toEqual(new Map([['plain', 3]]));
  });
});

describe('text indexes', () => {
  const corpus = generateCorpus(400, 2);
  const settings = { ...lengths, updates: 20, countedWords: 10, countedDocuments: 200 };

  it('are built, searched and changed', async () => {
    const { costs, classes } = await measureTexts([OWN_TEXT], corpus, settings, quiet);
    expect(costs.map(({ name, removals, additions }) => [name, removals.length, additions.length])).toEqual([
      ['RDF Worlds', 2, 2],
    ]);
    expect(costs[0].bytes).toBeGreaterThan(0);
    expect(classes.map(({ name }) => name)).toEqual([...QUERY_CLASSES]);
    for (const { latencies } of classes) expect(latencies[0].laps.map((laps) => laps.length)).toEqual([2, 2, 2]);
  });

  it('must find the same number of documents', async () => {
    const wrong: TextSystemKind = {
      name: 'wrong',
      open: async (options) => ({ ...(await OWN_TEXT.open(options)), count: async () => 1_000_000 }),
    };
    await expect(measureTexts([OWN_TEXT, wrong], corpus, settings, quiet)).rejects.toThrow(
      /^wrong counts 1000000 documents/,
    );
  });

  it('report the memory that searching in an engine needs', async () => {
    // Garbage of the import that is collected during the search would make the growth negative.
    collectBeforeMeasuring(true);
    const { documents, indexBytes, documentBytes } = await measureDocuments(generateCorpus(3000, 2)).finally(() =>
      collectBeforeMeasuring(false),
    );
    expect(documents).toBeLessThanOrEqual(3000);
    expect(indexBytes).toBeGreaterThan(documents);
    expect(documentBytes).toBeGreaterThan(documents);
  });

  it('search one of many worlds, and all of them', async () => {
    const work = { ...lengths, worlds: 100, textsPerWorld: 20 };
    const found = await measureManyWorlds(generateCorpus(90, 2), work, quiet);
    expect(found.worlds).toBe(5);
    expect(found.documents).toBe(90);
    expect(found.allWorlds.laps).toHaveLength(3);
    expect(found.storeBytes).toBeGreaterThan(0);
  });
});

describe('latencies', () => {
  it('stop a round that takes too long, and compare the queries that both systems answered', async () => {
    const spin = () => {
      for (const start = process.cpuUsage().user; process.cpuUsage().user - start < 5000; );
    };
    const asked: number[] = [];
    const answerers = [
      { name: 'quick', ask: (query: number) => asked.push(query) },
      { name: 'slow', ask: spin },
    ];
    const queries = [0, 1, 2, 3, 4, 5, 6, 7];
    const [quick, slow] = await measureLatencies(answerers, queries, { rounds: 1, budgetMs: 1, warmMs: 0 });
    expect(asked).toEqual([...queries, ...queries]);
    expect(slow.laps.map((laps) => laps.length)).toEqual([1, 1, 1, 1, 1, 0, 0, 0]);
    expect(latencyRatio(slow, quick, 'wallMs')).toBe(
      medianLatency(slow, 'wallMs') / medianLatency(quick, 'wallMs', slow),
    );
  });
});

describe('vectors', () => {
  it('are identical for the same seed, and their nearest neighbours are found exhaustively', () => {
    const data = vectorData(50, 8, 2, 1);
    expect(vectorData(50, 8, 2, 1)).toEqual(data);
    const own = data.vectors.slice(8 * 17, 8 * 18);
    expect(nearestRows(data, own, 3, undefined)[0]).toBe(17);
    const isAllowed = new Uint8Array(50).fill(1);
    isAllowed[17] = 0;
    expect(nearestRows(data, own, 3, isAllowed)).not.toContain(17);
  });

  it('are found with and without filters', async () => {
    const work = { ...lengths, vectors: 1000, dimensions: 16 };
    const { costs, classes } = await measureVectors([OWN_VECTORS], work, quiet);
    expect(costs).toHaveLength(1);
    expect(classes.map(({ share, recall }) => [share, recall])).toEqual([
      [1, [1]],
      [0.1, [1]],
      [0.01, [1]],
      [0.001, [1]],
    ]);
  });
});

describe('relevance', () => {
  it('is 1 for the ideal order and less for any other', () => {
    const gains = new Map([
      ['a', 4],
      ['b', 1],
    ]);
    expect(ndcgAt10(gains, ['a', 'b', 'c'])).toBe(1);
    expect(ndcgAt10(gains, ['c', 'b', 'a'])).toBeLessThan(1);
    expect(ndcgAt10(new Map(), ['a'])).toBe(0);
    expect(recallAt10(gains, ['c', 'b'])).toBe(0.5);
    expect(recallAt10(new Map(), ['a'])).toBe(0);
  });

  it('has generated collections whose questions have answers', async () => {
    const texts = generatedTexts(30_000, 1);
    for (const { name, quads, queries } of [
      chatTurns(1),
      productRecords(1),
      languageLabels(1),
      knownItems([...texts, 'one text of ten words is long enough to ask for'], 1),
    ]) {
      const subjects = new Set(quads.map(({ subject }) => subject.value));
      expect(queries.length, name).toBeGreaterThan(0);
      for (const { text, gains } of queries) {
        expect(text, name).not.toMatch(/[{}]|undefined/);
        expect(gains.size, `${name}: ${text}`).toBeGreaterThan(0);
        for (const subject of gains.keys()) expect(subjects.has(subject), `${name}: ${subject}`).toBe(true);
      }
    }
  });

  it('is measured on a collection in a directory', () =>
    inFolder(async (folder) => {
      const lines = [
        { kind: 'doc', id: 1, title: 'wings', text: 'lift of a wing' },
        { kind: 'doc', id: 2, title: 'heat', text: 'heat of a plate' },
        { kind: 'doc', id: 3, title: 'empty', text: '' },
        { kind: 'query', id: 77, text: 'wing lift' },
      ];
      writeFileSync(join(folder, 'cranfield.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
      writeFileSync(join(folder, 'cranqrel'), '1 1 2\n1 2 -1\n');
      const collection = await openCranfield(folder);
      expect(collection?.quads.map(({ subject }) => subject.value.at(-1))).toEqual(['1', '2']);
      expect(collection?.queries).toEqual([
        { text: 'wing lift', gains: new Map([[collection!.quads[0]!.subject.value, 3]]) },
      ]);
      const found = await measureRelevance(collection!, 1, quiet);
      expect(found.settings.map(({ ndcg }) => ndcg)).toEqual([1, 1, 1, 1, 1, 1]);
      expect(found.settings.map(({ ndcgGain }) => ndcgGain)).toEqual(Array(6).fill({ mean: 0, error: 0 }));
      await expect(openCranfield(join(folder, 'absent'))).rejects.toThrow(UsageError);
    }));
});

it('imports the same quads with and without an index, and into Oxigraph', async () => {
  const bytes = Buffer.from([...corpusTriples(generateCorpus(200, 2), 0, 200)].join(''));
  const found = await measureImport({ name: 'texts', bytes, contentType: 'application/n-triples' }, 1, quiet);
  const { quads } = found[0];
  expect(quads).toBeGreaterThan(150);
  expect(found.map((each) => [each.quads, each.laps.length])).toEqual([
    [quads, 1],
    [quads, 1],
    [quads, 1],
  ]);
});
