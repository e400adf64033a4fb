import type * as RDF from '@rdfjs/types';
import { findFormat, RDF_FORMATS } from '../formats/rdf-formats.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { importDelta } from '../quads/import-delta.ts';
import { Overlay } from '../quads/overlay.ts';
import { QuadCollector } from '../quads/quad-collector.ts';
import { Slicer } from '../storage/slicer.ts';
import type { Catalog, OpenSource } from './catalog.ts';
import { commitData } from './commit.ts';
import type { WorldsEngineOptions } from './engine-options.ts';
import { openInput } from './import-data.ts';
import { withWorldLocked } from './write-world.ts';

export interface ImportProgress {
  /** Quads read so far, duplicates included. */
  readonly quads: number;
  /** Bytes read so far; 0 for quads that came as objects. */
  readonly bytes: number;
}

export interface ImportResult {
  /** Quads in the document, duplicates included. */
  readonly quads: number;
  /** Quads that the world did not have. */
  readonly inserted: number;
  /** The world's revision afterwards. */
  readonly revision: number;
}

export interface ImportWork {
  readonly data: unknown;
  readonly contentType?: string;
  readonly baseIri?: string;
  readonly context?: unknown;
  readonly ifRevision?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
}

/**
 * Reads a document or quads into a private overlay without any lock, sorts them there, and commits them as one: until
 * the last step nothing of it is visible, and a failure leaves nothing behind.
 */
export async function importWorld(
  catalog: Catalog,
  opened: OpenSource,
  work: ImportWork,
  documentLoader: WorldsEngineOptions['documentLoader'],
): Promise<ImportResult> {
  const { signal, ifRevision } = work;
  throwIfAborted(signal);
  const { store } = opened.home;
  const { graphs } = opened.state;
  const overlay = new Overlay(store.dictionary, { world: graphs.world, scope: catalog.newScope });
  const collector = new QuadCollector(overlay, (graph) => {
    const context = graphs.contextOf(graph);
    return context < 0 ? store.allocateContext() : context;
  });
  const slicer = new Slicer(signal);
  await read(collector, work, slicer, documentLoader);
  const run = await slicer.run(collector.finish());

  return withWorldLocked(opened, { ifRevision, signal }, async (state, home, lockedSlicer) => {
    await home.store.keepUp();
    const change = await lockedSlicer.run(
      importDelta(overlay, run, collector.graphs, state.graphs, home.store.snapshot),
    );
    const changed = commitData(home, state, change, catalog.clock());
    return { quads: collector.length, inserted: change.delta.inserted.length, revision: changed.record.revision };
  });
}

async function read(
  collector: QuadCollector,
  { data, contentType = 'application/n-quads', baseIri, context, signal, onProgress }: ImportWork,
  slicer: Slicer,
  documentLoader: WorldsEngineOptions['documentLoader'],
): Promise<void> {
  const format = findFormat(contentType);
  if (!format?.read) throw unsupportedFormat(contentType);
  const input = await openInput(data, 'import: data', signal);
  let bytes = 0;
  const report = () => onProgress?.({ quads: collector.length, bytes });

  if (input.kind === 'quads') {
    await collect(input.quads, collector, slicer, report);
  } else {
    const finishBlocks = async () => {
      report();
      if (collector.blockIsFull) await slicer.run(collector.finishBlock());
    };
    const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        for (let start = 0; start < chunk.length; start += READ_BYTES) {
          const piece = chunk.subarray(start, start + READ_BYTES);
          yield piece;
          bytes += piece.length;
          await finishBlocks();
        }
      }
    };
    await format.read(counted(input.chunks), collector, { baseIri, context, documentLoader, slicer, signal });
  }
  report();
}

/** A large chunk is handed to the reader in pieces, so that blocks and progress come as it goes. */
const READ_BYTES = 1 << 20;
/** Quads as objects between two looks at the clock. */
const STRIDE = 256;

async function collect(
  quads: Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>,
  collector: QuadCollector,
  slicer: Slicer,
  report: () => void,
): Promise<void> {
  const rest = async () => {
    report();
    if (collector.blockIsFull) await slicer.run(collector.finishBlock());
    if (slicer.due) await slicer.pause();
  };
  if (Symbol.asyncIterator in quads) {
    for await (const quad of quads) {
      collector.addQuad(quad);
      if (collector.length % STRIDE === 0) await rest();
    }
  } else {
    for (const quad of quads) {
      collector.addQuad(quad);
      if (collector.length % STRIDE === 0) await rest();
    }
  }
}

export function unsupportedFormat(contentType: string): WorldsError {
  const known = RDF_FORMATS.map(({ mediaType }) => mediaType).join(', ');
  return new WorldsError(
    'UNSUPPORTED',
    `The content type ${JSON.stringify(contentType)} is not supported; use one of ${known}.`,
  );
}
