import type { Benchmark } from './benchmark.ts';
import { collectionBenchmark } from './collection.ts';
import { durableBenchmark } from './durable/durable.ts';
import { firstAnswersBenchmark } from './first-answers/first-answers.ts';
import { httpBenchmark } from './http-load.ts';
import { importCostBenchmark } from './import-cost.ts';
import { loadBenchmark } from './load.ts';
import { searchBenchmark } from './search/search.ts';
import { sharedBenchmark } from './shared/shared.ts';
import { sparqlBenchmark } from './sparql/sparql.ts';
import { streamBenchmark } from './stream.ts';
import { timeBenchmark } from './time.ts';
import { worldsBenchmark } from './worlds.ts';

/** All benchmarks. To add one, add a row. */
export const BENCHMARKS: readonly Benchmark[] = [
  loadBenchmark,
  streamBenchmark,
  worldsBenchmark,
  collectionBenchmark,
  importCostBenchmark,
  sparqlBenchmark,
  searchBenchmark,
  httpBenchmark,
  durableBenchmark,
  firstAnswersBenchmark,
  timeBenchmark,
  sharedBenchmark,
];
