import { type SearchRequest, WorldsEngine } from '@rdf-worlds/core';
import { lsaEmbedder } from '@rdf-worlds/core/embedders';
import { figure } from '../figure.ts';
import type { Table } from '../table.ts';
import type { JudgedCollection } from './collections/judged-collection.ts';
import { ndcgAt10, recallAt10 } from './relevance.ts';

/** Relevance of one setting on one collection: means over the queries. */
export interface Relevance {
  readonly setting: string;
  readonly ndcg: number;
  readonly recall: number;
  /** Compared with words alone, query by query. */
  readonly ndcgGain: Gain;
  readonly recallGain: Gain;
}

/** A mean difference, and its standard error: a difference below twice that is noise. */
interface Gain {
  readonly mean: number;
  readonly error: number;
}

export interface CollectionRelevance {
  readonly collection: string;
  readonly seed: number;
  readonly quads: number;
  readonly queries: number;
  readonly settings: readonly Relevance[];
}

/** Hits asked for: several may be of one subject. */
const LIMIT = 30;
/** Fewer than by default, because test collections are small. */
const MIN_TEXTS = 500;

/** Settings from words alone to all together. */
const SETTINGS: readonly {
  readonly name: string;
  readonly hasVectors?: boolean;
  readonly search?: Pick<SearchRequest, 'fields' | 'feedback' | 'fusion'>;
}[] = [
  { name: 'words' },
  { name: 'fields', search: { fields: true } },
  { name: 'feedback', search: { feedback: true } },
  { name: 'vectors', hasVectors: true },
  { name: 'vectors, rrf', hasVectors: true, search: { fusion: 'rrf' } },
  { name: 'all', hasVectors: true, search: { fields: true, feedback: true } },
];

/** Measures each setting of the search on a collection. */
export async function measureRelevance(
  { name, quads, queries }: JudgedCollection,
  seed: number,
  progress: (message: string) => void,
): Promise<CollectionRelevance> {
  const settings: Relevance[] = [];
  const byWords: { readonly ndcg: number[]; readonly recall: number[] } = { ndcg: [], recall: [] };
  for (const withVectors of [false, true]) {
    const embedder = withVectors ? lsaEmbedder({ minTexts: MIN_TEXTS }) : undefined;
    const engine = await WorldsEngine.open({ fields: true, embedder });
    await engine.createWorld({ slug: 'judged' });
    await engine.write({ source: 'judged', insert: quads });
    await engine.search({ query: queries[0].text, limit: 1 });
    await engine.flush();
    for (const { name: setting, hasVectors = false, search = {} } of SETTINGS) {
      if (hasVectors !== withVectors) continue;
      progress(`relevance: ${name}, seed ${seed}, ${setting}`);
      const [ndcg, recall]: number[][] = [[], []];
      for (const { text: query, gains } of queries) {
        const hits = await engine.search({ query, limit: LIMIT, fields: false, ...search });
        const subjects = [...new Set(hits.map(({ subject }) => subject))];
        ndcg.push(ndcgAt10(gains, subjects));
        recall.push(recallAt10(gains, subjects));
      }
      if (settings.length === 0) {
        byWords.ndcg.push(...ndcg);
        byWords.recall.push(...recall);
      }
      settings.push({
        setting,
        ndcg: mean(ndcg),
        recall: mean(recall),
        ndcgGain: gainOver(ndcg, byWords.ndcg),
        recallGain: gainOver(recall, byWords.recall),
      });
    }
    await engine.close();
  }
  return { collection: name, seed, quads: quads.length, queries: queries.length, settings };
}

/** Means over the seeds of each collection. */
export function relevanceTable(found: readonly CollectionRelevance[]): Table {
  return {
    title: 'Relevance: nDCG@10 (recall@10), by subject; means over the seeds',
    columns: ['', 'seeds', 'quads', 'queries', ...SETTINGS.map(({ name }) => name)],
    rows: byCollection(found).map((seeds) => [
      seeds[0].collection,
      figure(seeds.length),
      figure(seeds[0].quads),
      figure(seeds[0].queries),
      ...SETTINGS.map((_, at) => {
        const ndcg = mean(seeds.map(({ settings }) => settings[at].ndcg));
        const recall = mean(seeds.map(({ settings }) => settings[at].recall));
        return `${figure(ndcg, 3)} (${figure(recall, 3)})`;
      }),
    ]),
  };
}

/** The seed of each collection on which a setting does worst, compared with words alone. */
export function worstGainTable(found: readonly CollectionRelevance[]): Table {
  const worst = (gains: readonly Gain[]) => {
    const { mean: least, error } = gains.reduce((one, other) => (other.mean < one.mean ? other : one));
    return `${signed(least)} ± ${figure(error, 3)}`;
  };
  return {
    title: 'The worst seed: nDCG@10; recall@10, less those of words alone, with their standard errors',
    columns: ['', ...SETTINGS.slice(1).map(({ name }) => name)],
    rows: byCollection(found).map((seeds) => [
      seeds[0].collection,
      ...SETTINGS.slice(1).map((_, at) => {
        const of = (kind: 'ndcgGain' | 'recallGain') => worst(seeds.map(({ settings }) => settings[at + 1][kind]));
        return `${of('ndcgGain')}; ${of('recallGain')}`;
      }),
    ]),
  };
}

function byCollection(found: readonly CollectionRelevance[]): CollectionRelevance[][] {
  const groups = new Map<string, CollectionRelevance[]>();
  for (const one of found) groups.set(one.collection, [...(groups.get(one.collection) ?? []), one]);
  return [...groups.values()];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function gainOver(values: readonly number[], base: readonly number[]): Gain {
  const gains = values.map((value, at) => value - base[at]);
  const average = mean(gains);
  return { mean: average, error: Math.sqrt(mean(gains.map((gain) => (gain - average) ** 2)) / gains.length) };
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${figure(value, 3)}`;
}
