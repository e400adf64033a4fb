import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Benchmark } from '../benchmark.ts';
import { runChild } from '../child-run.ts';
import { figure, significantDigits, spread } from '../figure.ts';
import { fromUserFolder } from '../load-input.ts';
import { SEED_OPTION } from '../option.ts';
import { installedPeer } from '../search/installed-peer.ts';
import { quantile, statistics } from '../statistics.ts';
import type { Lap } from '../stopwatch.ts';
import { type Dataset, entityPrefix, vocabularyPrefix } from '../workloads/entity.ts';
import { GENERATED_WORKLOADS } from '../workloads/workloads.ts';
import { FIRST_ANSWER_KINDS, type FirstAnswerKind, type FirstAnswerName, type Lookup } from './first-answer-store.ts';
import type { FirstAnswers, FirstAnswerWork } from './measure-first-answers.ts';

const NAMES = Object.keys(FIRST_ANSWER_KINDS) as FirstAnswerName[];
const PEERS = NAMES.slice(1);
/** Properties of the products that are looked up. */
const PROPERTIES = ['label', 'weight', 'feature', 'comment'];
const PRODUCTS = 50;
const WORD = 'waterproof';

const OPTIONS = {
  percent: { kind: 'integer', default: 100, min: 1, meaning: 'size of the commerce workload' },
  peers: { kind: 'choices', choices: PEERS, default: PEERS.join(','), meaning: 'compared with, where installed' },
  'peers-from': { kind: 'file', meaning: 'folder with a node_modules that has the peers; else packages/bench/peers' },
  rounds: { kind: 'integer', default: 5, min: 1, meaning: 'fresh processes of each' },
  warm: {
    kind: 'integer',
    default: 500,
    min: 0,
    meaning: 'CPU ms of lookups before they are measured, and while they are',
  },
  directory: { kind: 'file', meaning: 'where the data are; default: the directory for temporary files' },
  markdown: { kind: 'flag', meaning: 'tables in Markdown' },
  seed: SEED_OPTION,
} as const;

export const firstAnswersBenchmark: Benchmark<typeof OPTIONS> = {
  name: 'first-answers',
  summary: 'a fresh process opens data on disk: its first query, its first search, lookups, against SQLite and DuckDB',
  options: OPTIONS,
  async run({ percent, peers, rounds, warm, directory, markdown, seed, ...options }, progress) {
    const from = options['peers-from'];
    const dataset = GENERATED_WORKLOADS.commerce.dataset({ seed, scale: percent / 100 });
    const folder = mkdtempSync(join(directory ? fromUserFolder(directory) : tmpdir(), 'rdf-worlds-bench-'));
    const settings = [`commerce, ${percent} % of its size, seed ${seed}; ${rounds} processes each, in turn`];
    try {
      const products: FirstAnswerName[] = [];
      for (const name of NAMES.filter((name, at) => at === 0 || peers.includes(name))) {
        const kind: FirstAnswerKind = FIRST_ANSWER_KINDS[name];
        if (kind.optionalPackage !== undefined && !(await installedPeer(kind.optionalPackage, from)).isThere) {
          settings.push(`${kind.name}: ${kind.optionalPackage} is not installed (npm run bench:peers)`);
          continue;
        }
        progress(`building ${kind.name}`);
        await kind.build(dataset, join(folder, name), from);
        products.push(name);
      }
      const results = new Map<FirstAnswerName, FirstAnswers[]>(products.map((name) => [name, []]));
      const lookups = lookupsOf(dataset);
      for (let round = 0; round < rounds; round++) {
        progress(`round ${round + 1} of ${rounds}`);
        for (const product of products) {
          const work: FirstAnswerWork = {
            product,
            folder: join(folder, product),
            from,
            lookups,
            word: WORD,
            warmMs: warm,
          };
          results.get(product)!.push(await runChild<FirstAnswers>('first-answer-child', work));
        }
      }
      checkValues(results);
      return { settings, ...tables(results), isMarkdown: markdown };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function lookupsOf({ name }: Dataset): Lookup[] {
  return Array.from({ length: PRODUCTS }, (_, product) =>
    PROPERTIES.map((property) => ({
      subject: `${entityPrefix(name)}product/${product}`,
      property: vocabularyPrefix(name) + property,
    })),
  ).flat();
}

function checkValues(results: ReadonlyMap<FirstAnswerName, readonly FirstAnswers[]>): void {
  const [[, [reference]]] = results;
  for (const [product, laps] of results) {
    for (const { values, hits } of laps) {
      if (values.join('\n') !== reference.values.join('\n')) {
        throw new Error(`${product} looks up ${values.length} values that differ from ${reference.values.length}.`);
      }
      if (hits === 0) throw new Error(`${product} finds no text with the word "${WORD}".`);
    }
  }
}

const MEASURES: readonly { readonly name: string; readonly of: (answers: FirstAnswers) => Lap | undefined }[] = [
  { name: 'opened', of: ({ opened }) => opened },
  { name: 'opened and first query', of: ({ answered }) => answered },
  { name: 'opened and first search', of: ({ searched }) => searched },
  { name: 'a lookup in a warm process', of: ({ lookup }) => lookup },
  { name: 'the same in a text of its own', of: ({ lookupByText }) => lookupByText },
];

function tables(results: ReadonlyMap<FirstAnswerName, readonly FirstAnswers[]>) {
  const products = [...results.keys()];
  const cellsOf = (of: (typeof MEASURES)[number]['of'], measure: keyof Lap) => {
    const values = products.map((product) =>
      results.get(product)!.flatMap((answers) => {
        const lap = of(answers);
        return lap ? [lap[measure]] : [];
      }),
    );
    return values.flatMap((own, at) => {
      const cell = own.length === 0 ? '-' : spread(statistics(own), significantDigits(quantile(own, 0.5)));
      if (at === 0) return [cell];
      return [cell, own.length === 0 ? '-' : figure(quantile(own, 0.5) / quantile(values[0], 0.5), 2)];
    });
  };
  const columns = products.flatMap((product, at) => [FIRST_ANSWER_KINDS[product].name, ...(at > 0 ? ['ratio'] : [])]);
  const table = (title: string, measure: keyof Lap) => ({
    title,
    columns: ['', ...columns],
    rows: MEASURES.map(({ name, of }) => [name, ...cellsOf(of, measure)]),
  });
  return {
    tables: [
      table('A fresh process: CPU, ms, from its start', 'cpuMs'),
      table('A fresh process: wall, ms, from its start', 'wallMs'),
      {
        title: 'RSS after the first query, MiB',
        columns: products.map((product) => FIRST_ANSWER_KINDS[product].name),
        rows: [
          products.map((product) =>
            figure(
              quantile(
                results.get(product)!.map((each) => each.rssBytes),
                0.5,
              ) /
                2 ** 20,
            ),
          ),
        ],
      },
    ],
    notes: [
      'Median (least-most). From the start of the process, so Node itself and the loading of modules are included. A ratio is a peer over RDF Worlds: above 1 the peer is slower.',
      'All look up the same values. SQLite: terms and triples with indexes, statements prepared once, an FTS5 table of the literals. DuckDB: the layout `ids` in a file, without a text index. RDF Worlds: a prepared query with bindings; DuckDB: a text for each lookup.',
    ],
  };
}
