import type * as RDF from '@rdfjs/types';
import { Buffer } from '#platform';
import type { QuadSink } from '../contracts/quad-sink.ts';
import type { Slicer } from '../contracts/slicer.ts';
import type { RdfDirection } from '../formats/rdf-direction.ts';
import type { RdfFormat } from '../formats/rdf-format.ts';
import { findFormat, RDF_FORMATS } from '../formats/rdf-formats.ts';
import type { RequestLimits } from '../model/request-limits.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { Overlay } from '../quads/overlay.ts';
import type { WorldsEngineOptions } from './engine-options.ts';
import { fileChunks } from './file-chunks.ts';
import { gunzipped } from './gunzip.ts';
import { openInput } from './import-data.ts';
import { advice, type InputType, importInput, inputType } from './import-input.ts';

/**
 * Chunks are passed to the reader in pieces of at most this many bytes, so that memory is claimed,
 * blocks are sorted and progress is reported regularly.
 */
const READ_BYTES = 1 << 18;
/** Number of RDF/JS quads between two checks of the clock. */
const STRIDE = 256;

/** How much an import has read. Its commit follows at the end. */
export interface ImportProgress {
  /** Quads read so far, including duplicates. */
  readonly quads: number;
  /** Bytes read so far; 0 for RDF/JS quads. */
  readonly bytes: number;
}

/** One document as passed by the caller. */
export interface DocumentToRead {
  readonly data: unknown;
  readonly contentType?: string;
  readonly baseIri?: string;
  readonly context?: unknown;
  readonly rdfDirection?: RdfDirection;
  readonly decompress?: boolean;
}

export interface ReadingWork {
  /** Name of the engine's method, for messages. */
  readonly operation: string;
  readonly documents: readonly DocumentToRead[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** Collects the quads of an import. */
export interface DocumentCollector extends QuadSink {
  /** Whether {@link finishBlock} must be called. */
  readonly blockIsFull?: boolean;
  finishBlock?(): Generator<void, void, void>;
}

/** Target of the quads of an import, and the context for readers. */
export interface ReadingPlace {
  readonly collector: DocumentCollector;
  readonly overlay: Overlay;
  readonly slicer: Slicer;
  readonly documentLoader: WorldsEngineOptions['documentLoader'];
  /** Limits of a single document. Default: the default limits. */
  readonly limits?: RequestLimits;
  /**
   * Called regularly as quads arrive, with the bytes that the reader of the current document holds
   * in addition to them. If it returns a promise, reading waits for it. Errors abort the import.
   */
  readonly onGrowth?: (readerBytes: number) => Promise<void> | undefined;
  /** Called and awaited like {@link onGrowth}. Errors abort the import. */
  readonly onRows?: () => Promise<void> | undefined;
}

/**
 * Reads documents one after the other, each with its own blank nodes. Returns notes on assumptions
 * and oddities. Throws errors in the documents and their types.
 */
export async function readDocuments(
  { operation, documents, signal, onProgress }: ReadingWork,
  { collector, overlay, slicer, documentLoader, limits, onGrowth, onRows }: ReadingPlace,
): Promise<readonly string[]> {
  let bytes = 0;
  let readerBytes = 0;
  const report = async () => {
    onProgress?.({ quads: collector.length, bytes });
    const waiting = onGrowth?.(readerBytes);
    if (waiting) await waiting;
  };
  const finishBlocks = async () => {
    await report();
    const checking = onRows?.();
    if (checking) await checking;
    if (collector.blockIsFull) await slicer.run(collector.finishBlock!());
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
  const reserve = (bytes: number) => {
    readerBytes = bytes;
    return onGrowth?.(readerBytes);
  };
  const notes: string[] = [];
  for (const [i, document] of documents.entries()) {
    const field = operation === 'importAll' ? `${operation}: documents[${i}].data` : `${operation}: data`;
    const { baseIri, context, rdfDirection, decompress = true } = document;
    const passed = importInput(document.data, field, document, fileChunks);
    const { contentType, note } = inputType(passed, document.contentType, field);
    const format = findFormat(contentType);
    if (!format?.read) throw unsupportedFormat(contentType);
    overlay.beginDocument();
    const input = await openInput(passed.data, field, signal);
    if (input.kind === 'quads') await collect(input.quads, collector, slicer, finishBlocks);
    else {
      const noteOddity = (text: string) => {
        notes.push(`${field}: ${text}`);
      };
      const reading = { baseIri, context, rdfDirection, documentLoader, limits };
      const options = { ...reading, note: noteOddity, reserve, slicer, signal };
      const before = collector.length;
      const plain = decompress ? gunzipped(input.chunks, field, limits) : input.chunks;
      if (note !== undefined) notes.push(note);
      const argumentsFor = (chunks: typeof plain) => [counted(chunks), collector, options] as const;
      await readAdvised(format.read, plain, argumentsFor, { contentType: format.mediaType, note });
      readerBytes = 0;
      if (collector.length === before && format.mediaType === 'application/ld+json') notes.push(`${field}: ${NOTHING}`);
    }
    if (slicer.due) await slicer.pause();
    const languages = overlay.takeLongLanguages();
    if (languages.size > 0) notes.push(`${field}: ${longLanguagesNote(languages)}`);
  }
  await report();
  return notes;
}

/**
 * Tags such as `zh-classical` are accepted, because real data has them, but not all tools read
 * them: docs/decisions/0016.
 */
function longLanguagesNote(languages: ReadonlySet<string>): string {
  const [first] = languages;
  const example = JSON.stringify(first.length > 40 ? `${first.slice(0, 40)}...` : first);
  const subject =
    languages.size === 1
      ? `the language tag ${example} has`
      : `${languages.size} language tags, such as ${example}, have`;
  return `${subject} a subtag of more than 8 characters, which RFC 5646 does not allow: other tools may refuse it.`;
}

/** Whether one of the documents is an RDF Patch. */
export function holdPatch({ operation, documents }: ReadingWork): boolean {
  return documents.some((document) => {
    if (document.contentType !== undefined) return findFormat(document.contentType)?.mediaType === RDF_PATCH;
    const field = `${operation}: data`;
    return (
      inputType(importInput(document.data, field, document, fileChunks), undefined, field).contentType === RDF_PATCH
    );
  });
}

const RDF_PATCH = 'application/rdf-patch';

/** JSON-LD silently ignores keys without an IRI. */
const NOTHING =
  'the JSON-LD document contains no triples: keys without an IRI are ignored. Give it a @context, or pass context.';

const BEGINNING_CHARACTERS = 256;

/**
 * Reads a document. If it is not well-formed, adds to the error the type that was assumed, if it
 * was, and what the document looks like.
 */
async function readAdvised(
  read: NonNullable<RdfFormat['read']>,
  chunks: AsyncIterable<Uint8Array>,
  argumentsFor: (chunks: AsyncIterable<Uint8Array>) => Readonly<Parameters<typeof read>>,
  { contentType, note }: InputType,
): Promise<void> {
  let beginning = '';
  const watched = async function* () {
    for await (const chunk of chunks) {
      if (beginning.length < BEGINNING_CHARACTERS) {
        beginning += Buffer.from(chunk.subarray(0, BEGINNING_CHARACTERS)).toString('utf8');
      }
      yield chunk;
    }
  };
  try {
    await read(...argumentsFor(watched()));
  } catch (cause) {
    if (cause instanceof WorldsError && cause.code === 'INVALID_RDF') {
      const assumed = note === undefined ? undefined : `(${note})`;
      cause.message = [cause.message, assumed, advice(beginning, contentType)].filter(Boolean).join(' ');
    }
    throw cause;
  }
}

async function collect(
  quads: Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>,
  collector: QuadSink,
  slicer: Slicer,
  finishBlocks: () => Promise<void>,
): Promise<void> {
  const rest = async () => {
    await finishBlocks();
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
  const meant = meantType(contentType);
  return new WorldsError(
    'UNSUPPORTED',
    `The content type ${JSON.stringify(contentType)} is not supported; ${meant ? `did you mean ${meant}? Otherwise ` : ''}use one of ${known}.`,
  );
}

/** Media types that documents of an RDF format often have, too. */
const GENERAL_TYPES: ReadonlyMap<string, string> = new Map([
  ['application/json', 'application/ld+json'],
  ['application/xml', 'application/rdf+xml'],
  ['text/xml', 'application/rdf+xml'],
]);

/** Returns the media type that a caller means by a name or an extension, such as `.ttl`. */
function meantType(contentType: string): string | undefined {
  const name = contentType.trim().toLowerCase();
  const extension = name.replace(/^\./, '');
  const format = RDF_FORMATS.find((one) => one.name.toLowerCase() === name || one.extensions.includes(extension));
  return format?.mediaType ?? GENERAL_TYPES.get(name.split(';')[0].trim());
}
