import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { LONG, type PostgresStore } from './postgres-store.ts';

/** Size of a part. Some databases limit a value, or a message, to a few megabytes. */
const PART_BYTES = 2 ** 20;
/** Parts of one blob that are written at the same time, each over a connection of its own. */
const PARTS_IN_FLIGHT = 3;
const PARTS_A_PAGE = 8;

/** What a blob holds, which decides when it is deleted. */
export type BlobKind = 'segment' | 'records';

/** A blob to be written. */
export interface NewBlob {
  readonly incarnation: string;
  readonly kind: BlobKind;
  /**
   * Of a segment: the number of the newest checkpoint when writing began. Of records: the position
   * of the last. See `deleteBlobs`.
   */
  readonly base: number;
}

/** A written blob. */
export interface WrittenBlob {
  readonly blob: string;
  readonly byteLength: number;
}

/**
 * Values of any size, in parts. A blob means nothing until a row of records or a checkpoint names
 * it, so an interrupted writer leaves only parts that are deleted later.
 */
export class BlobStore {
  readonly #store: PostgresStore;

  constructor(store: PostgresStore) {
    this.#store = store;
  }

  /** Writes a blob. Deletes it again, as far as possible, if that fails. */
  async write(
    what: string,
    { incarnation, kind, base }: NewBlob,
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<WrittenBlob> {
    const blob = randomBytes(16).toString('hex');
    const { namespaces, blobs, parts } = this.#store.tables;
    // Only while the incarnation exists: nothing would delete the blob of one that was dropped.
    await this.#store.run(
      what,
      `INSERT INTO ${blobs} (incarnation, blob, kind, base)
       SELECT incarnation, $2::text, $3::text, $4::bigint FROM ${namespaces} WHERE incarnation = $1
       ON CONFLICT DO NOTHING`,
      [incarnation, blob, kind, base],
    );
    const flying: Promise<unknown>[] = [];
    let part = 0;
    let byteLength = 0;
    const send = async (data: Buffer): Promise<void> => {
      const sent = this.#store.run(
        what,
        `INSERT INTO ${parts} (incarnation, blob, part, checksum, data)
         SELECT incarnation, blob, $3::integer, $4::bigint, $5::bytea FROM ${blobs} WHERE incarnation = $1 AND blob = $2
         ON CONFLICT DO NOTHING`,
        [incarnation, blob, part++, crc32(data), data],
        { weight: LONG },
      );
      sent.catch(() => undefined); // Awaited below.
      flying.push(sent);
      byteLength += data.byteLength;
      if (flying.length >= PARTS_IN_FLIGHT) await flying.shift();
    };
    try {
      for await (const data of partsOf(chunks)) await send(data);
      await Promise.all(flying);
    } catch (error) {
      await Promise.allSettled(flying);
      await this.delete(what, incarnation, [blob]).catch(() => undefined); // The caller needs the first failure.
      throw error;
    }
    return { blob, byteLength };
  }

  /**
   * Reads a blob into memory of its own. Returns undefined if a part is missing, `'damaged'` if one
   * is not as it was written.
   */
  async read(
    what: string,
    incarnation: string,
    { blob, byteLength }: WrittenBlob,
    check: () => void,
  ): Promise<Uint8Array | 'damaged' | undefined> {
    const { parts } = this.#store.tables;
    const bytes = new Uint8Array(byteLength);
    let at = 0;
    for (let part = 0; at < byteLength; ) {
      const rows = await this.#store.run(
        what,
        `SELECT part, checksum, encode(data, 'base64') AS data FROM ${parts}
         WHERE incarnation = $1 AND blob = $2 AND part >= $3 ORDER BY part LIMIT ${PARTS_A_PAGE}`,
        [incarnation, blob, part],
        { weight: LONG },
      );
      check();
      if (rows.length === 0) return undefined;
      for (const row of rows) {
        if (Number(row.part) !== part++) return undefined;
        const data = Buffer.from(String(row.data), 'base64');
        if (crc32(data) !== Number(row.checksum) || at + data.byteLength > byteLength) return 'damaged';
        bytes.set(data, at);
        at += data.byteLength;
      }
    }
    return bytes;
  }

  /** Deletes blobs: first their parts, so that an interrupted deletion is found again. */
  async delete(what: string, incarnation: string, deleted: readonly string[]): Promise<void> {
    const { blobs, parts } = this.#store.tables;
    for (const blob of deleted) {
      for (const table of [parts, blobs])
        await this.#store.run(what, `DELETE FROM ${table} WHERE incarnation = $1 AND blob = $2`, [incarnation, blob], {
          weight: LONG,
        });
    }
  }

  /** Returns the blobs of a kind whose base is at most `base`. */
  async upTo(what: string, incarnation: string, kind: BlobKind, base: number): Promise<string[]> {
    const rows = await this.#store.run(
      what,
      `SELECT blob FROM ${this.#store.tables.blobs} WHERE incarnation = $1 AND kind = $2 AND base <= $3`,
      [incarnation, kind, base],
    );
    return rows.map((row) => String(row.blob));
  }
}

/** Joins and cuts chunks to parts, each in memory of its own. */
async function* partsOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Buffer> {
  let part = Buffer.allocUnsafe(PART_BYTES);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength; ) {
      const taken = chunk.subarray(at, at + PART_BYTES - filled);
      part.set(taken, filled);
      filled += taken.byteLength;
      at += taken.byteLength;
      if (filled < PART_BYTES) continue;
      yield part;
      part = Buffer.allocUnsafe(PART_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}
