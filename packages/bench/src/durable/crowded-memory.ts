import { WorldsEngine } from '@rdf-worlds/core';
import type { NamespaceStorage, Storage } from '@rdf-worlds/core/plugin';
import { fileStorage } from '@rdf-worlds/storage-file';
import { academicDocument } from '../academic-data.ts';
import { noteQuad } from '../note-quad.ts';
import { RandomNumbers } from '../random-numbers.ts';

/** Many non-trivial namespaces in one directory. */
export interface Crowd {
  readonly path: string;
  readonly namespaces: number;
  /** Per namespace. */
  readonly quads: number;
  readonly seed: number;
}

export interface FillWork extends Crowd {
  readonly task: 'fill';
}

export interface CrowdWork extends Crowd {
  readonly task: 'crowd';
  readonly capMiB: number;
  readonly operations: number;
}

/** The results of one run with random access, in bytes and milliseconds. */
export interface CrowdMemory {
  readonly operations: number;
  readonly searches: number;
  readonly writes: number;
  /** RSS of the process after an in-memory engine has answered a query, a search and a write. */
  readonly emptyRss: number;
  readonly peakRss: number;
  /** Number of times a namespace was loaded into memory. */
  readonly loads: number;
  /** Number of these loads that followed an eviction. */
  readonly returns: number;
  /** Latencies of the operations that waited for a namespace to load, and of the others. */
  readonly loadingMs: readonly number[];
  readonly presentMs: readonly number[];
}

const SLUG = 'world';
const IRIS = 'https://data.example/';
const COUNT = 'SELECT (COUNT(*) AS ?quads) { ?s ?p ?o }';
/** A word of the generated texts. */
const WORD = 'university';

const PREFIX = 'tenant-';
const nameOf = (namespace: number) => `${PREFIX}${namespace}`;

/** Imports a distinct document into each namespace. */
export async function fillNamespaces({ path, namespaces, quads, seed }: FillWork): Promise<{ quads: number }> {
  const engine = await WorldsEngine.open({ storage: fileStorage({ path }), textIndex: null, maxMemoryBytes: 2 ** 28 });
  let total = 0;
  for (let namespace = 0; namespace < namespaces; namespace++) {
    const source = { slug: SLUG, namespace: nameOf(namespace) };
    await engine.createWorld(source);
    const data = academicDocument({ seed: seed + namespace, quads, base: `${IRIS}${namespace}/` });
    total += (await engine.import({ source, data, contentType: 'application/n-triples' })).inserted;
  }
  await engine.close();
  return { quads: total };
}

/**
 * Accesses random namespaces: 80% of the operations are queries, 10% searches, 10% writes. Throws
 * if an answer is wrong.
 */
export async function measureCrowd(work: CrowdWork): Promise<CrowdMemory> {
  await warmUp();
  const emptyRss = process.resourceUsage().maxRSS * 1024;
  const loads = new Map<string, number>();
  let loadCount = 0;
  const storage = watched(fileStorage({ path: work.path }), (name) => {
    loads.set(name, (loads.get(name) ?? 0) + 1);
    loadCount++;
  });
  const engine = await WorldsEngine.open({ storage, maxMemoryBytes: work.capMiB * 2 ** 20 });
  const random = new RandomNumbers(work.seed);
  const quadsOf = new Map<number, number>();
  const counts = { searches: 0, writes: 0 };
  const loadingMs: number[] = [];
  const presentMs: number[] = [];
  for (let operation = 0; operation < work.operations; operation++) {
    const number = random.below(work.namespaces);
    const namespace = nameOf(number);
    const kind = random.below(10);
    const known = quadsOf.get(number) ?? work.quads;
    const loadsBefore = loadCount;
    const startMs = performance.now();
    if (kind === 0) {
      counts.searches++;
      const hits = await engine.search({ namespace, query: WORD, limit: 5 });
      if (hits.length === 0) throw new Error(`A search of ${namespace} finds nothing.`);
    } else if (kind === 1) {
      counts.writes++;
      const source = { slug: SLUG, namespace };
      const { inserted } = await engine.write({ source, insert: [noteQuad(operation)] });
      quadsOf.set(number, known + inserted);
    } else {
      const [row] = await (await engine.select({ namespace, query: COUNT })).array();
      const found = Number(row.get('quads')?.value);
      if (found !== known) throw new Error(`A query of ${namespace} counts ${found} quads; there are ${known}.`);
    }
    (loadCount > loadsBefore ? loadingMs : presentMs).push(performance.now() - startMs);
  }
  const peakRss = process.resourceUsage().maxRSS * 1024;
  await engine.close();
  const { operations } = work;
  return {
    operations,
    ...counts,
    emptyRss,
    peakRss,
    loads: loadCount,
    returns: loadCount - loads.size,
    loadingMs,
    presentMs,
  };
}

/** Loads the code, so that it is not counted. */
async function warmUp(): Promise<void> {
  const engine = await WorldsEngine.open();
  await engine.createWorld({ slug: SLUG });
  await engine.write({ source: SLUG, insert: [noteQuad(1)] });
  await (await engine.select({ query: COUNT })).array();
  await engine.search({ query: WORD });
  await engine.close();
}

/** Wraps a storage and reports when a namespace is loaded. */
function watched(storage: Storage, onLoad: (name: string) => void): Storage {
  return {
    capabilities: storage.capabilities,
    open: () => storage.open(),
    close: () => storage.close(),
    namespaces: () => storage.namespaces(),
    namespace: (name) => {
      const real = storage.namespace(name);
      const seen: NamespaceStorage = {
        head: () => real.head(),
        append: (expected, records) => real.append(expected, records),
        read: (after, signal) => real.read(after, signal),
        checkpoint: () => {
          // Other names are the engine's own.
          if (name.startsWith(PREFIX)) onLoad(name);
          return real.checkpoint();
        },
        writeCheckpoint: (at, segments) => real.writeCheckpoint(at, segments),
        truncate: (upTo) => real.truncate(upTo),
        stats: () => real.stats(),
        drop: () => real.drop(),
      };
      return seen;
    },
  };
}
