import { WorldsEngine } from '@rdf-worlds/core';
import { figure } from '../figure.ts';
import { RandomNumbers } from '../random-numbers.ts';
import type { Table } from '../table.ts';
import { type Corpus, corpusTriples } from './corpus.ts';
import { type Latencies, type LatencySettings, measureLatencies, medianLatency } from './latency.ts';
import { arrayBytes } from './measure-documents.ts';
import { countWords, textQueries } from './text-queries.ts';
import { short } from './text-report.ts';

export interface ManyWorldsSettings extends LatencySettings {
  readonly worlds: number;
  readonly textsPerWorld: number;
  readonly queries: number;
  readonly seed: number;
}

export interface ManyWorldsResult {
  readonly worlds: number;
  readonly documents: number;
  /** Growth of the process's arrays from before the engine was opened to the last search. */
  readonly arrayBytes: number;
  /** The part of it that holds quads and terms, by the engine's own count. */
  readonly storeBytes: number;
  readonly oneWorld: Latencies;
  readonly allWorlds: Latencies;
  /** Number of hits of the queries in one world; all are from that world. */
  readonly hitsInOneWorld: number;
}

interface WorldQuery {
  readonly query: string;
  readonly slug: string;
}

/**
 * Searches one world, and all worlds of a namespace, through the engine. Throws if a hit is from a
 * world that was not searched.
 */
export async function measureManyWorlds(
  corpus: Corpus,
  settings: ManyWorldsSettings,
  progress: (message: string) => void,
): Promise<ManyWorldsResult> {
  const { textsPerWorld, queries, seed } = settings;
  const worlds = Math.min(settings.worlds, Math.ceil(corpus.texts.length / textsPerWorld));
  const { texts } = corpus;
  const [three] = textQueries(texts, countWords(texts), queries, seed);
  const before = await arrayBytes();
  const engine = await WorldsEngine.open();
  progress(`importing into ${worlds} worlds`);
  for (let world = 0; world < worlds; world++) {
    const source = `w${world}`;
    await engine.createWorld({ slug: source });
    const end = Math.min(texts.length, (world + 1) * textsPerWorld);
    const data = [...corpusTriples(corpus, world * textsPerWorld, end)].join('');
    await engine.import({ source, data, contentType: 'application/n-triples' });
  }
  await engine.settle();
  progress('indexing');
  await engine.search({ query: 'nothing', limit: 1 });
  const random = new RandomNumbers(seed);
  const asked = three.queries.map((query): WorldQuery => ({ query, slug: `w${random.below(worlds)}` }));
  let hitsInOneWorld = 0;
  for (const { query, slug } of asked) {
    const hits = await engine.search({ query, sources: [slug], limit: 10 });
    if (hits.some(({ world }) => world.slug !== slug))
      throw new Error(`A search in the world ${slug} gave a hit of another.`);
    hitsInOneWorld += hits.length;
  }
  const [oneWorld, allWorlds] = await measureLatencies<WorldQuery>(
    [
      { name: 'one world', ask: ({ query, slug }) => engine.search({ query, sources: [slug], limit: 10 }) },
      { name: 'all worlds', ask: ({ query }) => engine.search({ query, limit: 10 }) },
    ],
    asked,
    settings,
  );
  const after = await arrayBytes();
  const { quads, bytes } = await engine.stats();
  await engine.close();
  return {
    worlds,
    documents: quads,
    arrayBytes: after - before,
    storeBytes: bytes,
    oneWorld,
    allWorlds,
    hitsInOneWorld,
  };
}

export function manyWorldsTable({ worlds, documents, oneWorld, allWorlds, ...bytes }: ManyWorldsResult): Table {
  const megabytes = (count: number) => figure(count / 1e6, 1);
  return {
    title: `${figure(worlds)} worlds, ${figure(documents)} documents, through the engine: p50, ms; memory, MB`,
    columns: ['', 'CPU', 'wall', 'own arrays', 'of these quads and terms'],
    rows: [oneWorld, allWorlds].map((latencies, at) => [
      latencies.name,
      short(medianLatency(latencies, 'cpuMs')),
      short(medianLatency(latencies, 'wallMs')),
      at === 0 ? megabytes(bytes.arrayBytes) : '',
      at === 0 ? megabytes(bytes.storeBytes) : '',
    ]),
  };
}
