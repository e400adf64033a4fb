import { Slicer } from '../contracts/slicer.ts';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import { turns } from '../contracts/turns.ts';
import type { DocumentLoader } from '../formats/jsonld/load-context.ts';
import type { RdfFormat } from '../formats/rdf-format.ts';
import { findFormat } from '../formats/rdf-formats.ts';
import { RequestBudget } from '../model/request-budget.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { DatasetView } from '../quads/dataset-view.ts';
import { canonicalChunks } from './canonical-dataset.ts';
import type { Catalog } from './catalog.ts';
import { requireGraph } from './graph-name.ts';
import { heldItems } from './held-stream.ts';
import type { OpenSource } from './open-source.ts';
import { unsupportedFormat } from './read-documents.ts';
import { readingOverlay } from './reading-overlay.ts';
import type * as z from './request-schema.ts';
import type { exportRequest } from './requests.ts';

const DEFAULT_CONTENT_TYPE = 'application/n-quads';
const JSON_LD = 'application/ld+json';

type Export = z.Output<typeof exportRequest>;
type Write = NonNullable<RdfFormat['write']>;

/**
 * Returns the writer for an export. Throws UNSUPPORTED for a format that cannot be written,
 * INVALID_ARGUMENT for options that do not apply to it.
 */
export function exportWriter({ contentType = DEFAULT_CONTENT_TYPE, context, frame, framing }: Export): Write {
  const format = findFormat(contentType);
  if (!format?.write) throw unsupportedFormat(contentType);
  const option = context !== undefined ? 'context' : frame !== undefined ? 'frame' : undefined;
  if (option && format.mediaType !== JSON_LD)
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `export: ${option}: only JSON-LD has a ${option}, and this export is ${format.mediaType}; pass contentType "${JSON_LD}", or omit the ${option}.`,
    );
  if (framing !== undefined && frame === undefined)
    throw new WorldsError('INVALID_ARGUMENT', 'export: framing: these are flags for a frame; pass frame, too.');
  return format.write;
}

/**
 * Serializes a world, or one graph of it, in chunks. Throws NOT_FOUND if the graph does not exist.
 */
export function exportChunks(
  catalog: Catalog,
  opened: OpenSource,
  write: Write,
  { graph, prefixes, rdfDirection, context, frame, framing, canonicalOrder, signal }: Export,
  documentLoader: DocumentLoader | undefined,
): AsyncGenerator<Uint8Array> {
  const { home, state, snapshot, dictionary } = opened;
  const overlay = readingOverlay(dictionary);
  const world = home.store.view(overlay, [state.graphs], snapshot);
  const view = graph === undefined ? world : world.dataset([requireGraph(graph, overlay, state.graphs, opened)], []);
  const slicer = new Slicer(signal);
  const pool = catalog.memoryPool;
  const memory = new RequestBudget(pool);
  const { limits } = catalog;
  const jsonLd = { rdfDirection, context, frame, framing, documentLoader };
  const options = { prefixes, ...jsonLd, limits, memory, slicer, signal };
  const written = (source: Parameters<Write>[0], terms: TermBytesSource) => write(source, terms, options);
  const chunks = canonicalOrder
    ? canonicalChunks(home, view, (copy: DatasetView) => written(copy, copy.terms), { slicer, signal, pool })
    : written(view, overlay);
  return heldItems([home], admitted(released(chunks, memory), signal));
}

/**
 * Waits until the caller may start work, so that many exports of one caller do not start at once.
 */
async function* admitted(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const turn = turns.begin(signal);
  if (turn) await turn;
  yield* chunks;
}

/** Returns the memory of a writer to the pool when its chunks end. */
async function* released(chunks: AsyncIterable<Uint8Array>, memory: RequestBudget): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } finally {
    memory.release();
  }
}
