import { figure } from '../figure.ts';
import { RandomNumbers } from '../random-numbers.ts';
import type { Table } from '../table.ts';
import { FILTERED_EVERY, type FilteredCorpus } from './filtered-corpus.ts';
import type { FilteredBy, FilteredQuery, FilteredSystem } from './filtered-system.ts';
import { type Latencies, type LatencySettings, latencyRatio, measureLatencies, medianLatency } from './latency.ts';
import { plainWordCounts, plainWords } from './text-queries.ts';
import { short } from './text-report.ts';
import { HITS } from './text-system.ts';

export interface FilteredSettings extends LatencySettings {
  readonly queries: number;
  readonly seed: number;
}

export interface FilteredResult {
  readonly filter: string;
  /** Hits of the first system to all queries. */
  readonly hits: number;
  readonly latencies: readonly Latencies[];
}

const SUBJECTS = [100, 1000, 10_000];
const WORLDS = [1, 10, 100];
const WORDS = 60;

/**
 * Searches with filters that let through few documents or many. Throws if a hit is not allowed, or
 * a system gives fewer hits than there are documents with the word. The queries have one word:
 * LanceDB 0.22 misses documents of several words where a filter is set.
 */
export async function measureFiltered(
  systems: readonly FilteredSystem[],
  corpus: FilteredCorpus,
  settings: FilteredSettings,
  progress: (message: string) => void,
): Promise<readonly FilteredResult[]> {
  const random = new RandomNumbers(settings.seed);
  const words = [...plainWordCounts(corpus.texts.slice(0, 20_000), WORDS).keys()];
  const rowsOf = rowsWithWords(corpus.texts, new Set(words));
  const [subjects, worlds] = [corpus.subjects, corpus.worlds].map((column) => [...new Set(column)]);
  const only = (by: FilteredBy, values: readonly number[]) => ({ only: { by, values } });
  const filters: { readonly filter: string; make(): Omit<FilteredQuery, 'word'> }[] = [
    { filter: 'none', make: () => ({}) },
    ...FILTERED_EVERY.map((every, number) => ({
      filter: `a predicate of ${100 / every} % of the documents`,
      make: () => only('predicate', [number]),
    })),
    ...FILTERED_EVERY.map((every, number) => ({
      filter: `a type of ${100 / every} % of the subjects`,
      make: () => only('type', [number]),
    })),
    ...SUBJECTS.filter((count) => count < subjects.length).map((count) => ({
      filter: `${figure(count)} subjects`,
      make: () => only('subject', random.sample(subjects, count)),
    })),
    ...WORLDS.filter((count) => count < worlds.length).map((count) => ({
      filter: `${figure(count)} of ${figure(worlds.length)} worlds`,
      make: () => only('world', random.sample(worlds, count)),
    })),
  ];
  const results: FilteredResult[] = [];
  for (const { filter, make } of filters) {
    progress(`filtered search: ${filter}`);
    const queries = Array.from({ length: settings.queries }, () => ({
      word: random.pick(words),
      ...make(),
    }));
    const hits = await checkHits(systems, queries, filter, (query) => countMatches(corpus, rowsOf, query));
    const prepared = queries.map((query) => systems.map((system) => system.prepare(query)));
    const latencies = await measureLatencies(
      systems.map(({ name }, at) => ({ name, ask: (run: (typeof prepared)[number]) => run[at]() })),
      prepared,
      settings,
    );
    results.push({ filter, hits, latencies });
  }
  return results;
}

async function checkHits(
  systems: readonly FilteredSystem[],
  queries: readonly FilteredQuery[],
  filter: string,
  count: (query: FilteredQuery) => number,
): Promise<number> {
  let total = 0;
  for (const query of queries) {
    const allowed = new Set(query.only?.values);
    const least = Math.min(HITS, count(query));
    for (const system of systems) {
      const hits = await system.hits(query);
      const isWrong = hits.some((hit) => query.only && !allowed.has(hit[query.only.by]));
      if (isWrong) throw new Error(`${system.name} finds what the filter excludes (${filter}): "${query.word}".`);
      // More if a system also finds words that are nearly the same.
      if (hits.length < least) {
        throw new Error(`${system.name} finds ${hits.length} documents of ${least} (${filter}): "${query.word}".`);
      }
      if (system === systems[0]) total += hits.length;
    }
  }
  return total;
}

/** Returns the rows of the texts that have each word. */
function rowsWithWords(texts: readonly string[], words: ReadonlySet<string>): ReadonlyMap<string, number[]> {
  const rows = new Map([...words].map((word): [string, number[]] => [word, []]));
  for (const [row, text] of texts.entries()) for (const word of new Set(plainWords(text))) rows.get(word)?.push(row);
  return rows;
}

/** Counts the documents that the filter lets through and that have one of the words. */
function countMatches(
  { subjects, predicates, worlds, typeOf }: FilteredCorpus,
  rowsOf: ReadonlyMap<string, readonly number[]>,
  { word, only }: FilteredQuery,
): number {
  const rows = rowsOf.get(word)!;
  if (!only) return rows.length;
  const allowed = new Set(only.values);
  const value = {
    subject: (row: number) => subjects[row],
    predicate: (row: number) => predicates[row],
    type: (row: number) => typeOf(subjects[row]),
    world: (row: number) => worlds[row],
  }[only.by];
  return rows.filter((row) => allowed.has(value(row))).length;
}

export function filteredTable(results: readonly FilteredResult[], documents: number): Table {
  const [{ latencies }] = results;
  return {
    title: `Filtered searches in ${figure(documents)} texts, one word, the best ten: p50, ms`,
    columns: [
      'filter',
      'hits',
      ...latencies.flatMap(({ name }, at) => [`${name}, CPU`, 'wall', ...(at > 0 ? ['CPU ratio'] : [])]),
    ],
    rows: results.map(({ filter, hits, latencies }) => [
      filter,
      figure(hits),
      ...latencies.flatMap((found, at) => {
        const times = [short(medianLatency(found, 'cpuMs')), short(medianLatency(found, 'wallMs'))];
        return at === 0 ? times : [...times, figure(latencyRatio(found, latencies[0], 'cpuMs'), 2)];
      }),
    ]),
  };
}
