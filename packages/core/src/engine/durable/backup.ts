import { WorldsError } from '../../model/worlds-error.ts';
import type { Checkpoint, Segment, StoredSegment } from '../../storage/storage.ts';
import { NO_HEAD } from '../../storage/storage-arguments.ts';
import type { Namespace } from '../namespace.ts';
import { takeContents } from './checkpoint-contents.ts';
import { lengthOf } from './sealed-bytes.ts';

/**
 * A backup is a stream: magic and version, then entries, each with its kind, a name and bytes. A namespace is an entry with its name, and then the segments of
 * a checkpoint of it, which are sealed each; the last entry says that nothing is missing.
 */
const MAGIC = 0x42575752;
const VERSION = 1;
const HEADER_BYTES = 8;
const ENTRY_BYTES = 16;
const ENTRY = { namespace: 1, segment: 2, end: 3 } as const;

const encoder = new TextEncoder();

/** The header of a backup. */
export function backupHeader(): Uint8Array {
  return new Uint8Array(Uint32Array.of(MAGIC, VERSION).buffer);
}

/** The entries of one namespace as it is now; `newId` gives 128 random bits as text. */
export function backupEntries(
  namespace: Namespace,
  timeMs: number,
  newId: () => string,
): AsyncGenerator<Uint8Array, void, void> {
  const termCount = namespace.journal?.state.terms ?? namespace.store.dictionary.table.size;
  const { segments } = takeContents(namespace, { termCount, timeMs, marks: [], newId });
  return entriesOf(namespace.name, segments);
}

async function* entriesOf(name: string, segments: readonly Segment[]): AsyncGenerator<Uint8Array, void, void> {
  yield entry(ENTRY.namespace, name, 0);
  for (const segment of segments) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of segment.write()) chunks.push(chunk);
    yield entry(ENTRY.segment, segment.name, lengthOf(chunks));
    yield* chunks;
  }
}

export function backupEnd(): Uint8Array {
  return entry(ENTRY.end, '', 0);
}

function entry(kind: number, name: string, byteLength: number): Uint8Array {
  const text = encoder.encode(name);
  const bytes = new Uint8Array(ENTRY_BYTES + text.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, kind, true);
  view.setUint32(4, text.length, true);
  view.setFloat64(8, byteLength, true);
  bytes.set(text, ENTRY_BYTES);
  return bytes;
}

/** A namespace of a backup, as a checkpoint that lies in memory. */
export interface BackedUpNamespace {
  readonly name: string;
  readonly checkpoint: Checkpoint;
}

/** Reads a backup, one namespace at a time. Throws INVALID_ARGUMENT for what is no backup, CORRUPT when it ends too early, UNSUPPORTED when it is newer. */
export async function* readBackup(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<BackedUpNamespace, void, void> {
  const source = new ChunkReader(chunks);
  const [magic, version] = new Uint32Array((await source.take(HEADER_BYTES)).buffer);
  if (magic !== MAGIC) throw new WorldsError('INVALID_ARGUMENT', 'This is no backup of RDF worlds.');
  if (version > VERSION) {
    throw new WorldsError(
      'UNSUPPORTED',
      `The backup has format version ${version}; this library reads up to ${VERSION}. Restore it with a newer version of the library.`,
    );
  }
  let current: { name: string; segments: StoredSegment[] } | undefined;
  for (;;) {
    const fixed = new DataView((await source.take(ENTRY_BYTES)).buffer);
    const kind = fixed.getUint32(0, true);
    const name = new TextDecoder().decode(await source.take(fixed.getUint32(4, true)));
    if (kind === ENTRY.segment && current) {
      const data = await source.take(fixed.getFloat64(8, true));
      current.segments.push({ name, byteLength: data.length, read: async () => data });
      continue;
    }
    if (current) yield { name: current.name, checkpoint: { at: NO_HEAD, segments: current.segments } };
    if (kind === ENTRY.end) return;
    if (kind !== ENTRY.namespace) throw damaged();
    current = { name, segments: [] };
  }
}

function damaged(): WorldsError {
  return new WorldsError('CORRUPT', 'The backup is damaged or ends too early; use another one.');
}

/** Takes pieces of a given length from a stream; each in memory of its own. */
class ChunkReader {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private rest: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Uint8Array<ArrayBuffer>> {
    // A length that damage made must not take all memory: what is not there is not asked for.
    const parts: Uint8Array[] = [];
    let missing = length;
    while (missing > 0) {
      if (this.rest.length === 0) {
        const next = await this.chunks.next();
        if (next.done) throw damaged();
        this.rest = next.value;
      }
      const part = this.rest.subarray(0, missing);
      this.rest = this.rest.subarray(part.length);
      parts.push(part);
      missing -= part.length;
    }
    const taken = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      taken.set(part, at);
      at += part.length;
    }
    return taken;
  }
}
