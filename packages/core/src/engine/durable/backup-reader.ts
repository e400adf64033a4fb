import { createHash } from '#platform';
import type { StoredSegment } from '../../contracts/storage.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import {
  BACKUP_HEADER_BYTES,
  BACKUP_MAGIC,
  BACKUP_VERSION,
  type BackupHead,
  type BackupLog,
  type BackupPlace,
  DIGEST_BYTES,
  damagedBackup,
  ENTRY,
  ENTRY_BYTES,
  isBackupHead,
  isBackupLog,
  isBackupPlace,
} from './backup-format.ts';
import { ChunkReader } from './chunk-reader.ts';

/** A part of a namespace in a backup. */
export type BackupPart =
  | { readonly kind: 'full'; readonly place: BackupPlace | undefined; readonly segments: readonly StoredSegment[] }
  | { readonly kind: 'log'; readonly log: BackupLog; readonly records: AsyncIterable<Uint8Array> }
  | { readonly kind: 'unchanged'; readonly place: BackupPlace }
  | { readonly kind: 'gone' };

interface EntryHeader {
  readonly kind: number;
  readonly name: string;
  readonly byteLength: number;
}

const DECODER = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads one backup sequentially: its head, then the parts of each namespace, then its digest. Every
 * method throws CORRUPT for damage, and errors of the stream.
 */
export class BackupReader {
  /** Undefined for version 1. */
  head: BackupHead | undefined;
  /** SHA-256 in hexadecimal digits. Set by `finish`; undefined for version 1. */
  digest: string | undefined;
  private readonly label: string;
  private readonly source: ChunkReader;
  private readonly hash = createHash('sha256');
  private entry: EntryHeader = { kind: ENTRY.end, name: '', byteLength: 0 };

  private constructor(chunks: AsyncIterable<Uint8Array>, label: string) {
    this.source = new ChunkReader(chunks, this.hash);
    this.label = label;
  }

  /**
   * Reads the head. Throws INVALID_ARGUMENT if it is not a backup, UNSUPPORTED if its version is
   * newer.
   *
   * @param label identifies the backup in messages: "The backup" or "Backup 2 of 3"
   */
  static async open(chunks: AsyncIterable<Uint8Array>, label: string): Promise<BackupReader> {
    const reader = new BackupReader(chunks, label);
    try {
      await reader.begin();
      return reader;
    } catch (cause) {
      await reader.close();
      throw cause;
    }
  }

  /** Name of the next namespace; undefined after the last one. */
  get name(): string | undefined {
    return this.entry.kind === ENTRY.end ? undefined : this.entry.name;
  }

  /** Yields the parts of the next namespace. The caller must read every part to its end. */
  async *parts(): AsyncGenerator<BackupPart, void, void> {
    const { name } = this;
    do yield await this.part();
    while (this.name !== undefined && this.name === name);
    // Chains are read in parallel and rely on this order. Version 1 does not guarantee it.
    if (this.head && this.name !== undefined && this.name < name!) throw this.damaged();
  }

  /** Verifies the digest after the last namespace, and closes the stream. */
  async finish(): Promise<void> {
    if (this.head) {
      const expected = this.hash.copy().digest();
      const digest = await this.take(DIGEST_BYTES);
      if (this.entry.byteLength !== DIGEST_BYTES || !expected.equals(digest)) throw this.damaged();
      if (!(await this.source.isAtEnd())) throw this.damaged();
      this.digest = expected.toString('hex');
    }
    await this.close();
  }

  /** Closes the stream, whether or not it was read to the end. */
  async close(): Promise<void> {
    await this.source.close();
  }

  damaged(cause?: unknown): WorldsError {
    return damagedBackup(this.label, cause);
  }

  private async begin(): Promise<void> {
    const [magic, version] = new Uint32Array((await this.take(BACKUP_HEADER_BYTES)).buffer);
    if (magic !== BACKUP_MAGIC)
      throw new WorldsError('INVALID_ARGUMENT', `${this.label} is not a backup of RDF Worlds.`);
    if (version > BACKUP_VERSION) {
      throw new WorldsError(
        'UNSUPPORTED',
        `${this.label} has format version ${version}; this library reads up to ${BACKUP_VERSION}. Restore it with a newer version of the library.`,
      );
    }
    await this.advance();
    if (version === 1) return;
    if (version < 1 || this.entry.kind !== ENTRY.head) throw this.damaged();
    this.head = await this.json(isBackupHead);
    await this.advance();
  }

  private async part(): Promise<BackupPart> {
    const { kind } = this.entry;
    if (kind === ENTRY.namespace) {
      // Version 1 has no places.
      const place = this.head && (await this.json(isBackupPlace));
      if (!this.head) await this.take(this.entry.byteLength);
      await this.advance();
      return { kind: 'full', place, segments: await this.segments() };
    }
    if (!this.head) throw this.damaged();
    if (kind === ENTRY.log) {
      const log = await this.json(isBackupLog);
      await this.advance();
      return { kind: 'log', log, records: this.records() };
    }
    if (kind === ENTRY.unchanged) {
      const place = await this.json(isBackupPlace);
      await this.advance();
      return { kind: 'unchanged', place };
    }
    if (kind !== ENTRY.gone || this.entry.byteLength !== 0) throw this.damaged();
    await this.advance();
    return { kind: 'gone' };
  }

  private async segments(): Promise<StoredSegment[]> {
    const segments: StoredSegment[] = [];
    while (this.entry.kind === ENTRY.segment) {
      const { name } = this.entry;
      const data = await this.take(this.entry.byteLength);
      segments.push({ name, byteLength: data.length, read: async () => data });
      await this.advance();
    }
    return segments;
  }

  private async *records(): AsyncGenerator<Uint8Array, void, void> {
    while (this.entry.kind === ENTRY.record) {
      const data = await this.take(this.entry.byteLength);
      await this.advance();
      yield data;
    }
  }

  private async advance(): Promise<void> {
    const fixed = new DataView((await this.take(ENTRY_BYTES)).buffer);
    const text = await this.take(fixed.getUint32(4, true));
    const byteLength = fixed.getFloat64(8, true);
    if (!Number.isSafeInteger(byteLength) || byteLength < 0) throw this.damaged();
    try {
      this.entry = { kind: fixed.getUint32(0, true), name: DECODER.decode(text), byteLength };
    } catch (cause) {
      throw this.damaged(cause);
    }
  }

  private async json<Value>(isValue: (value: unknown) => value is Value): Promise<Value> {
    const data = await this.take(this.entry.byteLength);
    let value: unknown;
    try {
      value = JSON.parse(DECODER.decode(data));
    } catch (cause) {
      throw this.damaged(cause);
    }
    if (!isValue(value)) throw this.damaged();
    return value;
  }

  private async take(length: number): Promise<Uint8Array<ArrayBuffer>> {
    const taken = await this.source.take(length);
    if (!taken) throw this.damaged();
    return taken;
  }
}
