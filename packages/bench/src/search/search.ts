import type { Benchmark } from '../benchmark.ts';
import { figure } from '../figure.ts';
import { chooseLoadInput, openLoadInput } from '../load-input.ts';
import { SEED_OPTION } from '../option.ts';
import type { Table } from '../table.ts';
import { COLLECTION_NAMES, COLLECTIONS } from './collections/collections.ts';
import { openCorpus } from './corpus.ts';
import { filteredCorpus } from './filtered-corpus.ts';
import { type LanceModule, lanceFiltered, ownFiltered } from './filtered-system.ts';
import { fts5Text, type SqliteModule } from './fts5-text.ts';
import { installedPeer, peersLine } from './installed-peer.ts';
import { measureDocuments } from './measure-documents.ts';
import { filteredTable, measureFiltered } from './measure-filtered.ts';
import { importTable, measureImport } from './measure-import.ts';
import { type CollectionRelevance, measureRelevance, relevanceTable, worstGainTable } from './measure-relevance.ts';
import { measureTexts } from './measure-texts.ts';
import { measureVectors } from './measure-vectors.ts';
import { manyWorldsTable, measureManyWorlds } from './measure-worlds.ts';
import { type MiniSearchModule, minisearchText } from './minisearch-text.ts';
import { OWN_TEXT } from './own-text.ts';
import { documentTable, textTables } from './text-report.ts';
import { vectorTables } from './vector-report.ts';
import { HNSW, type HnswModule, hnswVectors, OWN_VECTORS } from './vector-system.ts';

const PARTS = ['texts', 'filtered', 'documents', 'worlds', 'vectors', 'relevance', 'import'] as const;
const PEERS = ['minisearch', 'fts5', 'hnswlib', 'lancedb'] as const;

const OPTIONS = {
  parts: { kind: 'choices', choices: PARTS, default: PARTS.join(','), meaning: 'what is measured' },
  peers: { kind: 'choices', choices: PEERS, default: PEERS.join(','), meaning: 'compared with, where installed' },
  'peers-from': { kind: 'file', meaning: 'folder with a node_modules that has the peers; else packages/bench/peers' },
  texts: {
    kind: 'file',
    meaning: 'texts with tabs between columns, also .gz; else the shared file, or generated texts',
  },
  documents: { kind: 'integer', default: 0, min: 0, meaning: 'texts at most; 0: all, or a million generated' },
  collections: {
    kind: 'choices',
    choices: COLLECTION_NAMES,
    default: COLLECTION_NAMES.join(','),
    meaning: 'test collections of the part relevance',
  },
  'relevance-seeds': { kind: 'integer', default: 1, min: 1, meaning: 'generated collections of each kind' },
  cranfield: { kind: 'file', meaning: 'folder of the Cranfield collection; else the shared one' },
  worlds: { kind: 'integer', default: 5000, min: 1, meaning: 'worlds of one namespace' },
  'world-texts': { kind: 'integer', default: 200, min: 1, meaning: 'texts in each of them' },
  vectors: { kind: 'integer', default: 100_000, min: 1, meaning: 'vectors' },
  dimensions: { kind: 'integer', default: 384, min: 1, meaning: 'components of each' },
  quads: { kind: 'integer', default: 0, min: 0, meaning: 'import so many generated quads; 0: the shared LUBM file' },
  queries: { kind: 'integer', default: 200, min: 1, meaning: 'queries of each class' },
  updates: { kind: 'integer', default: 20_000, min: 1, meaning: 'texts removed and added again in a round' },
  rounds: { kind: 'integer', default: 5, min: 1, meaning: 'measured rounds, when all are warm' },
  budget: { kind: 'integer', default: 2000, min: 1, meaning: 'CPU ms after which a round of a class of queries ends' },
  warm: { kind: 'integer', default: 500, min: 0, meaning: 'CPU ms for which each is asked before it is measured' },
  seed: SEED_OPTION,
} as const;

export const searchBenchmark: Benchmark<typeof OPTIONS> = {
  name: 'search',
  summary:
    'text and vector indexes, many worlds, relevance, searchable imports, against peers where these are installed',
  options: OPTIONS,
  async run(options, progress) {
    const { parts, peers, seed, queries, rounds, documents, vectors, dimensions, quads, updates } = options;
    const from = options['peers-from'];
    const lengths = { rounds, budgetMs: options.budget, warmMs: options.warm, queries, seed };
    const minisearch = peers.includes('minisearch')
      ? await installedPeer<MiniSearchModule>('minisearch', from)
      : undefined;
    const sqlite = peers.includes('fts5') ? await installedPeer<SqliteModule>('better-sqlite3', from) : undefined;
    const hnswlib = peers.includes('hnswlib') ? await installedPeer<HnswModule>('hnswlib-node', from) : undefined;
    const lancedb = peers.includes('lancedb') ? await installedPeer<LanceModule>('@lancedb/lancedb', from) : undefined;
    const settings = [
      `peers: ${peersLine([minisearch, sqlite, hnswlib, lancedb].filter((peer) => peer !== undefined)) || 'none'}`,
      `${rounds} rounds after ${figure(options.warm)} ms of warming up, ${figure(queries)} queries of each class, seed ${seed}; one that is slow ends a round after ${figure(options.budget)} ms CPU`,
    ];
    const tables: Table[] = [];

    if (parts.some((part) => part === 'texts' || part === 'filtered' || part === 'documents' || part === 'worlds')) {
      progress('reading texts');
      const corpus = await openCorpus({ texts: options.texts, documents, seed });
      settings.push(corpus.name);
      if (parts.includes('documents')) {
        progress('documents of an engine');
        tables.push(documentTable(await measureDocuments(corpus)));
      }
      if (parts.includes('worlds')) {
        const work = { ...lengths, worlds: options.worlds, textsPerWorld: options['world-texts'] };
        tables.push(manyWorldsTable(await measureManyWorlds(corpus, work, progress)));
      }
      if (parts.includes('filtered')) {
        const filtered = filteredCorpus(corpus);
        progress('loading the engine');
        const systems = [await ownFiltered(filtered)];
        if (lancedb?.isThere) {
          progress('loading LanceDB');
          systems.push(await lanceFiltered(lancedb.module, filtered));
        }
        const results = await measureFiltered(systems, filtered, lengths, progress);
        for (const system of systems) await system.close();
        tables.push(filteredTable(results, filtered.texts.length));
      }
      if (parts.includes('texts')) {
        const kinds = [OWN_TEXT];
        if (sqlite?.isThere) kinds.push(fts5Text(sqlite.module));
        if (minisearch?.isThere) kinds.push(minisearchText(minisearch.module));
        const work = { ...lengths, updates, countedWords: 40, countedDocuments: 20_000 };
        tables.push(...textTables(await measureTexts(kinds, corpus, work, progress), corpus.texts.length));
      }
    }
    if (parts.includes('vectors')) {
      const kinds = [OWN_VECTORS];
      if (hnswlib?.isThere) {
        kinds.push(hnswVectors(hnswlib.module));
        settings.push(`hnswlib-node: M ${HNSW.m}, efConstruction ${HNSW.efConstruction}, ef ${HNSW.ef}`);
      }
      settings.push(`${figure(vectors)} generated vectors of ${figure(dimensions)} dimensions`);
      tables.push(...vectorTables(await measureVectors(kinds, { ...lengths, vectors, dimensions }, progress), vectors));
    }
    if (parts.includes('relevance')) {
      const found: CollectionRelevance[] = [];
      for (const name of options.collections) {
        // Nothing of Cranfield is generated.
        const seeds = name === 'cranfield' ? 1 : options['relevance-seeds'];
        for (let at = 0; at < seeds; at++) {
          const collection = await COLLECTIONS[name]({ ...options, seed: seed + at });
          if (collection) found.push(await measureRelevance(collection, seed + at, progress));
          else settings.push(`${name}: not available`);
        }
      }
      tables.push(relevanceTable(found), worstGainTable(found));
    }
    if (parts.includes('import')) {
      const input = await openLoadInput(chooseLoadInput({ file: undefined, quads, seed }));
      settings.push(`imported: ${input.name}`);
      tables.push(importTable(await measureImport(input, rounds, progress)));
    }
    return {
      settings,
      tables,
      notes: [
        'CPU is user and system time of all threads. p50: the median over the queries of the median of the rounds. Ratios are a peer over RDF Worlds, of medians, over the queries that the peer had time for.',
        'In 20,000 of the texts, words that any way of splitting finds are counted by all, and must be in as many documents.',
      ],
    };
  },
};
