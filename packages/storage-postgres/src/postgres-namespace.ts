import { randomBytes } from 'node:crypto';
import { WorldsError } from '@rdf-worlds/core';
import {
  type Checkpoint,
  checkLogRecords,
  type Head,
  type LogRecord,
  type NamespaceStorage,
  type NamespaceStorageStats,
  NO_HEAD,
  type Segment,
  type StoredRecord,
  sameHead,
  storageErrors,
  throwIfAborted,
} from '@rdf-worlds/core/plugin';
import { AppendQueue } from './append-queue.ts';
import { BlobStore } from './blob-store.ts';
import { type CheckpointRow, checkpointRow, type SegmentRow } from './checkpoint-row.ts';
import { writeCheckpoint } from './checkpoint-writer.ts';
import { appendBatch } from './log-append.ts';
import { logPages } from './log-pages.ts';
import { escapedName, namespaceKey } from './namespace-key.ts';
import { headOf, NAMESPACE_COLUMNS, type NamespaceRow, namespaceRow } from './namespace-row.ts';
import { corrupt, databaseError } from './postgres-errors.ts';
import type { PostgresStore } from './postgres-store.ts';
import { settleDoubt } from './settle-doubt.ts';
import { sweepIncarnation } from './sweep.ts';

/** What one storage gives its namespaces. */
export interface StorageCalls {
  /** Throws if the storage is not open. */
  check(): void;
  /** Runs a call that `close` waits for. */
  counted<T>(call: () => Promise<T>): Promise<T>;
}

/** A handle of a namespace, valid until its storage is closed. */
export class PostgresNamespace implements NamespaceStorage {
  readonly name: string;
  readonly key: string;
  /** For messages. */
  readonly where: string;
  readonly store: PostgresStore;
  readonly blobs: BlobStore;
  readonly calls: StorageCalls;
  readonly #appends: AppendQueue;
  /**
   * The row when this handle first read the content of the incarnation. A checkpoint that another
   * process wrote since may omit terms that the owner of the handle still uses (decision 0008), so
   * appends are then refused.
   */
  #seen: NamespaceRow | undefined;

  constructor(name: string, store: PostgresStore, calls: StorageCalls) {
    this.name = name;
    this.key = namespaceKey(name);
    this.where = `namespace ${JSON.stringify(name)}`;
    this.store = store;
    this.blobs = new BlobStore(store);
    this.calls = calls;
    this.#appends = new AppendQueue((batch) => appendBatch(this, batch));
  }

  async head(): Promise<Head> {
    this.calls.check();
    return this.calls.counted(async () => {
      await settleDoubt(this);
      return headOf(await this.row(`Reading the head of ${this.where}`));
    });
  }

  async append(expected: Head, records: readonly LogRecord[]): Promise<Head> {
    this.calls.check();
    checkLogRecords(records);
    return this.calls.counted(() => this.#appends.append(expected, records));
  }

  async *read(after: Head, signal?: AbortSignal): AsyncIterable<StoredRecord> {
    this.calls.check();
    throwIfAborted(signal);
    const row = await this.calls.counted(() => this.see(`Reading the log of ${this.where}`));
    const head = headOf(row);
    const from = sameHead(after, NO_HEAD) ? { ...head, position: 0 } : after;
    const logStart = { ...head, position: row?.logStart ?? 0 };
    const truncated = () => storageErrors.truncated(this.name, after, logStart, head);
    if (from.incarnation !== head.incarnation || from.position < logStart.position || from.position > head.position)
      throw truncated();
    let { position } = from;
    for await (const batch of logPages(this, head.incarnation, position, head.position)) {
      for (const [at, { id, data }] of batch.records.entries()) {
        const end = batch.start + at + 1;
        // An append may begin before `after`, and end after the head.
        if (end <= position) continue;
        this.calls.check();
        throwIfAborted(signal);
        position = end;
        yield { id, head: { incarnation: head.incarnation, position }, data };
      }
    }
    this.calls.check();
    throwIfAborted(signal);
    if (position === head.position) return;
    const now = await this.calls.counted(() => this.row(`Reading the log of ${this.where}`));
    if (now?.incarnation !== head.incarnation || now.logStart > position)
      throw storageErrors.truncated(
        this.name,
        { ...head, position },
        { ...headOf(now), position: now?.logStart ?? 0 },
        headOf(now),
      );
    throw corrupt(
      this.where,
      `the log has no record after position ${position}, although its head is at ${head.position}.`,
    );
  }

  async checkpoint(): Promise<Checkpoint | undefined> {
    this.calls.check();
    return this.calls.counted(async () => {
      const { row, newest } = await this.newest(`Reading the checkpoint of ${this.where}`);
      if (!row || !newest) return undefined;
      const { incarnation } = row;
      const segments = newest.segments.map((segment) => ({
        name: segment.name,
        byteLength: segment.byteLength,
        read: async () => {
          this.calls.check();
          return this.calls.counted(() => this.#readSegment(incarnation, newest.number, segment));
        },
      }));
      return { at: { incarnation, position: newest.position }, segments };
    });
  }

  async #readSegment(incarnation: string, checkpoint: number, segment: SegmentRow): Promise<Uint8Array> {
    const what = `Reading segment ${segment.name} of ${this.where}`;
    const bytes = await this.blobs.read(what, incarnation, segment, () => this.calls.check());
    const row = bytes instanceof Uint8Array && bytes.byteLength > 0 ? undefined : await this.row(what);
    if (row === undefined && bytes instanceof Uint8Array && bytes.byteLength > 0) return bytes;
    if (row?.incarnation !== incarnation || row.checkpoints > checkpoint + 1)
      throw storageErrors.segmentGone(this.name, segment.name);
    if (bytes instanceof Uint8Array) return bytes;
    throw corrupt(this.where, `segment ${JSON.stringify(segment.name)} is ${bytes ?? 'missing'}.`);
  }

  async writeCheckpoint(at: Head, segments: AsyncIterable<Segment> | Iterable<Segment>): Promise<void> {
    this.calls.check();
    return this.calls.counted(() => writeCheckpoint(this, at, segments));
  }

  async truncate(upTo: Head): Promise<void> {
    this.calls.check();
    return this.calls.counted(async () => {
      const what = `Truncating the log of ${this.where}`;
      const { namespaces, records } = this.store.tables;
      const moved = await this.store.run(
        what,
        `UPDATE ${namespaces} SET log_start = CASE WHEN log_start > $3::bigint THEN log_start ELSE $3::bigint END
         WHERE namespace = $1 AND incarnation = $2 AND position > 0
           AND (log_start >= $3::bigint OR (checkpoints > 0 AND checkpoint_position >= $3::bigint))
         RETURNING log_start`,
        [this.key, upTo.incarnation, upTo.position],
      );
      if (moved.length === 0) {
        const row = await this.row(what);
        const head = headOf(row);
        if (head.incarnation !== upTo.incarnation) throw storageErrors.otherIncarnation(this.name);
        if (!row || head.position === 0) return;
        const newest = row.checkpoints > 0 ? { ...head, position: row.checkpointPosition } : undefined;
        throw storageErrors.notCheckpointed(this.name, upTo, newest);
      }
      // From here on the records are truncated. Rows that a failure leaves are deleted next time.
      const logStart = Number(moved[0].log_start);
      try {
        await this.store.run(what, `DELETE FROM ${records} WHERE incarnation = $1 AND position <= $2`, [
          upTo.incarnation,
          logStart,
        ]);
        await this.blobs.delete(
          what,
          upTo.incarnation,
          await this.blobs.upTo(what, upTo.incarnation, 'records', logStart),
        );
      } catch (error) {
        this.store.report(databaseError(error, what));
      }
    });
  }

  async stats(): Promise<NamespaceStorageStats> {
    this.calls.check();
    return this.calls.counted(async () => {
      const what = `Measuring ${this.where}`;
      const { records, checkpoints } = this.store.tables;
      const row = await this.row(what);
      if (!row || row.position === 0) return { logBytes: 0, logRecords: 0, segmentBytes: 0, segments: 0 };
      const [log] = await this.store.run(
        what,
        `SELECT coalesce(sum(byte_length), 0) AS bytes FROM ${records} WHERE incarnation = $1 AND position > $2`,
        [row.incarnation, row.logStart],
      );
      const kept = await this.store.run(
        what,
        `SELECT checkpoint, position, segments FROM ${checkpoints} WHERE incarnation = $1 AND checkpoint > $2`,
        [row.incarnation, row.checkpoints - 2],
      );
      const segments = new Map(
        kept
          .flatMap((each) => checkpointRow(each, this.where).segments)
          .map(({ blob, byteLength }) => [blob, byteLength]),
      );
      return {
        logBytes: Number(log.bytes),
        logRecords: row.position - row.logStart,
        segmentBytes: [...segments.values()].reduce((sum, bytes) => sum + bytes, 0),
        segments: segments.size,
      };
    });
  }

  async drop(): Promise<void> {
    this.calls.check();
    return this.calls.counted(async () => {
      const what = `Dropping ${this.where}`;
      const { namespaces, dropped } = this.store.tables;
      const row = await this.row(what);
      if (!row || row.position === 0) return;
      await this.store.run(
        what,
        `WITH gone AS (
           UPDATE ${namespaces}
           SET incarnation = $3::text, position = 0, log_start = 0, checkpoints = 0, checkpoint_position = 0,
             appender = '', appender_since = 0, fence = fence + 1
           WHERE namespace = $1 AND incarnation = $2::text
           RETURNING namespace
         )
         INSERT INTO ${dropped} (incarnation) SELECT $2::text FROM gone ON CONFLICT DO NOTHING`,
        [this.key, row.incarnation, newIncarnation()],
      );
      this.store.forget(row.incarnation);
      // From here on it is dropped. Rows that a failure leaves are deleted when the storage is
      // opened.
      await sweepIncarnation(this.store, row.incarnation).catch((error: unknown) =>
        this.store.report(databaseError(error, what)),
      );
    });
  }

  watch(signal: AbortSignal): AsyncIterable<Head> {
    this.calls.check();
    return this.store.watch.watch(this.key, signal, () => this.calls.check());
  }

  row(what: string): Promise<NamespaceRow | undefined> {
    return this.store.row(this.key, what);
  }

  /** Reads the row, as a caller does that continues with the content of the namespace. */
  async see(what: string): Promise<NamespaceRow | undefined> {
    return this.#noted(await this.row(what));
  }

  #noted(row: NamespaceRow | undefined): NamespaceRow | undefined {
    if (row && this.#seen?.incarnation !== row.incarnation) this.#seen = row;
    return row;
  }

  /** Returns the row that this handle saw first, of an incarnation; reads it if there is none. */
  async seen(incarnation: string, what: string): Promise<NamespaceRow | undefined> {
    if (this.#seen?.incarnation !== incarnation) await this.see(what);
    return this.#seen?.incarnation === incarnation ? this.#seen : undefined;
  }

  /** Reads the row and the newest checkpoint, both of one moment. */
  async newest(what: string): Promise<{ row?: NamespaceRow; newest?: CheckpointRow }> {
    const { namespaces, checkpoints } = this.store.tables;
    const columns = NAMESPACE_COLUMNS.split(', ').map((column) => `n.${column}`);
    const [found] = await this.store.run(
      what,
      `SELECT ${columns.join(', ')}, c.checkpoint, c.segments
       FROM ${namespaces} AS n
       LEFT JOIN ${checkpoints} AS c ON c.incarnation = n.incarnation AND c.checkpoint = n.checkpoints
       WHERE n.namespace = $1`,
      [this.key],
    );
    if (!found) return {};
    const row = namespaceRow(found);
    this.#noted(row);
    if (row.checkpoints === 0) return { row };
    if (found.checkpoint === null) throw corrupt(this.where, `its checkpoint ${row.checkpoints} is missing.`);
    return { row, newest: checkpointRow({ ...found, position: row.checkpointPosition }, this.where) };
  }

  /** Makes the row of a namespace that has none, without a head, and returns it. */
  async ensureRow(what: string): Promise<NamespaceRow> {
    await this.store.run(
      what,
      `INSERT INTO ${this.store.tables.namespaces} (namespace, name, incarnation, position, log_start, checkpoints,
         checkpoint_position, appender, appender_since, fence)
       VALUES ($1, $2, $3, 0, 0, 0, 0, '', 0, 0) ON CONFLICT DO NOTHING`,
      [this.key, escapedName(this.name), newIncarnation()],
    );
    const row = await this.see(what);
    if (!row)
      throw new WorldsError('CORRUPT', `The row of ${this.where} disappeared: something else deletes rows there.`);
    return row;
  }
}

function newIncarnation(): string {
  return randomBytes(16).toString('hex');
}
