import { readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { WorldsEngine } from '@rdf-worlds/core';
import { fileStorage } from '@rdf-worlds/storage-file';
import { academicDocument } from '../academic-data.ts';
import { type Lap, Stopwatch } from '../stopwatch.ts';

export interface ImportWork {
  readonly task: 'import';
  /** A file of uncompressed N-Triples or N-Quads. */
  readonly document: string;
  readonly contentType: string;
  /** The directory to import into; null for memory. */
  readonly path: string | null;
}

export interface ImportLap {
  readonly quads: number;
  readonly import: Lap;
  /** Null in memory. */
  readonly checkpoint: Lap | null;
}

const WARM_QUADS = 20_000;
const SOURCE = 'loaded';
const NO_TEXT = { textIndex: null };

const warmDocument = () => academicDocument({ seed: 0, quads: WARM_QUADS });

/**
 * Imports into memory or a new directory and writes a checkpoint, in a fresh process that has been
 * warmed up with a small import.
 */
export async function measureImport({ document, contentType, path }: ImportWork): Promise<ImportLap> {
  const data = readFileSync(document);
  const warm = await WorldsEngine.open(NO_TEXT);
  await warm.createWorld({ slug: SOURCE });
  await warm.import({ source: SOURCE, data: warmDocument(), contentType: 'application/n-triples' });
  await warm.close();

  const engine = await WorldsEngine.open({ ...NO_TEXT, ...(path !== null && { storage: fileStorage({ path }) }) });
  await engine.createWorld({ slug: SOURCE });
  const watch = new Stopwatch();
  await engine.import({ source: SOURCE, data, contentType });
  const imported = watch.lap();
  let checkpoint: Lap | null = null;
  if (path !== null) {
    const second = new Stopwatch();
    await engine.checkpoint();
    checkpoint = second.lap();
  }
  const { quads } = await engine.stats();
  await engine.close();
  return { quads, import: imported, checkpoint };
}

export interface OxigraphWork {
  readonly task: 'oxigraph';
  readonly document: string;
  readonly contentType: string;
}

/** Loads the document into Oxigraph's in-memory store, as an application must at each start. */
export async function measureOxigraph({ document, contentType }: OxigraphWork): Promise<{ quads: number; load: Lap }> {
  // Imported lazily, because the other processes do not need it and their memory is measured.
  const { default: oxigraph } = await import('oxigraph');
  const data = readFileSync(document);
  new oxigraph.Store().load(warmDocument(), { format: 'application/n-triples' });
  const store = new oxigraph.Store();
  const watch = new Stopwatch();
  store.load(data, { format: contentType });
  return { load: watch.lap(), quads: store.size };
}

export interface ReopenWork {
  readonly task: 'reopen';
  readonly path: string;
  /** A word to search for; null for no text index. */
  readonly search: string | null;
}

export interface ReopenLap {
  readonly quads: number;
  /** Opening the engine, up to the first answer. */
  readonly open: Lap;
  /** The first search, which builds the text index, and a second one. */
  readonly searches: readonly [first: Lap, next: Lap] | null;
}

/** Opens a directory in a fresh process, counts the quads, and optionally searches for a word. */
export async function measureReopening({ path, search }: ReopenWork): Promise<ReopenLap> {
  const watch = new Stopwatch();
  const engine = await WorldsEngine.open({
    storage: fileStorage({ path }),
    ...(search === null && NO_TEXT),
  });
  const counted = await engine.select({ query: 'SELECT (COUNT(*) AS ?quads) { ?s ?p ?o }', sources: [SOURCE] });
  const [row] = await counted.array();
  const open = watch.lap();
  const timed = async (query: string): Promise<Lap> => {
    const lap = new Stopwatch();
    await engine.search({ query });
    return lap.lap();
  };
  const searches = search === null ? null : ([await timed(search), await timed(search)] as const);
  const quads = Number(row.get('quads')?.value);
  await engine.close();
  return { quads, open, searches };
}

/** Returns the total size of all files below a directory, in bytes. */
export async function bytesBelow(path: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    bytes += entry.isDirectory() ? await bytesBelow(inner) : (await stat(inner)).size;
  }
  return bytes;
}
