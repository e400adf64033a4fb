import {
  type Checkpoint,
  type CheckpointClaim,
  type ConfirmHead,
  checkLogRecords,
  type Head,
  type LogRecord,
  type NamespaceStorage,
  type NamespaceStorageStats,
  NO_HEAD,
  type Segment,
  type StoredRecord,
  sameHead,
  samePlace,
  storageErrors,
  throwIfAborted,
} from '@rdf-worlds/core/plugin';
import { AppendQueue } from './append-queue.ts';
import { checkpointRow, type SegmentRow } from './checkpoint-row.ts';
import { writeCheckpoint } from './checkpoint-writer.ts';
import { claimCheckpoint } from './claim-checkpoint.ts';
import { appendBatch } from './log-append.ts';
import { firstPage, logPages } from './log-pages.ts';
import { headAt, headOf, type NamespaceRow } from './namespace-row.ts';
import { NamespaceView } from './namespace-view.ts';
import { newIncarnation } from './new-incarnation.ts';
import { corrupt, databaseError } from './postgres-errors.ts';
import { LONG, type PostgresStore } from './postgres-store.ts';
import { reserve } from './reserve.ts';
import { settleDoubt } from './settle-doubt.ts';
import type { StorageCalls } from './storage-calls.ts';
import { sweepIncarnation } from './sweep.ts';

/** A handle of a namespace, valid until its storage is closed. */
export class PostgresNamespace implements NamespaceStorage {
  readonly #view: NamespaceView;
  readonly #appends: AppendQueue;

  constructor(name: string, store: PostgresStore, calls: StorageCalls) {
    const view = new NamespaceView(name, store, calls);
    this.#view = view;
    this.#appends = new AppendQueue((batch) => appendBatch(view, batch));
  }

  async head(): Promise<Head> {
    this.#view.calls.check();
    return this.#view.calls.counted(async () => {
      await settleDoubt(this.#view);
      return headOf(await this.#view.row(`Reading the head of ${this.#view.where}`));
    });
  }

  async append(expected: Head, records: readonly LogRecord[]): Promise<Head> {
    this.#view.calls.check();
    checkLogRecords(records);
    return this.#view.calls.counted(() => this.#appends.append(expected, records));
  }

  async *read(after: Head, signal?: AbortSignal): AsyncIterable<StoredRecord> {
    this.#view.calls.check();
    throwIfAborted(signal);
    const { row, page } = await this.#view.calls.counted(() => firstPage(this.#view, after));
    const head = headOf(row);
    const from = samePlace(after, NO_HEAD) ? { ...head, position: 0 } : after;
    const logStart = { ...head, position: row?.logStart ?? 0 };
    const truncated = () => storageErrors.truncated(this.#view.name, after, logStart, head);
    if (from.incarnation !== head.incarnation || from.position < logStart.position || from.position > head.position)
      throw truncated();
    let { position } = from;
    const pages = logPages(this.#view, head.incarnation, { start: position, end: head.position, page });
    for await (const batch of pages) {
      for (const [at, { id, data }] of batch.records.entries()) {
        const end = batch.start + at + 1;
        // An append may begin before `after`, and end after the head.
        if (end <= position) continue;
        this.#view.calls.check();
        throwIfAborted(signal);
        position = end;
        yield { id, head: { ...head, position }, data };
      }
    }
    this.#view.calls.check();
    throwIfAborted(signal);
    if (position === head.position) return;
    const now = await this.#view.calls.counted(() => this.#view.row(`Reading the log of ${this.#view.where}`));
    if (now?.incarnation !== head.incarnation || now.logStart > position)
      throw storageErrors.truncated(
        this.#view.name,
        { ...head, position },
        { ...headOf(now), position: now?.logStart ?? 0 },
        headOf(now),
      );
    throw corrupt(
      this.#view.where,
      `the log has no record after position ${position}, although its head is at ${head.position}.`,
    );
  }

  async checkpoint(): Promise<Checkpoint | undefined> {
    this.#view.calls.check();
    return this.#view.calls.counted(async () => {
      const { row, newest } = await this.#view.newest(`Reading the checkpoint of ${this.#view.where}`);
      if (!row || !newest) return undefined;
      const { incarnation } = row;
      const segments = newest.segments.map((segment) => ({
        name: segment.name,
        byteLength: segment.byteLength,
        read: async () => {
          this.#view.calls.check();
          return this.#view.calls.counted(() => this.#readSegment(incarnation, newest.number, segment));
        },
      }));
      return { at: headAt(row, newest.position), segments };
    });
  }

  async #readSegment(incarnation: string, checkpoint: number, segment: SegmentRow): Promise<Uint8Array> {
    const what = `Reading segment ${segment.name} of ${this.#view.where}`;
    const bytes = await this.#view.blobs.read(what, incarnation, segment, () => this.#view.calls.check());
    const row = bytes instanceof Uint8Array && bytes.byteLength > 0 ? undefined : await this.#view.row(what);
    if (row === undefined && bytes instanceof Uint8Array && bytes.byteLength > 0) return bytes;
    if (row?.incarnation !== incarnation || row.checkpoints > checkpoint + 1)
      throw storageErrors.segmentGone(this.#view.name, segment.name);
    if (bytes instanceof Uint8Array) return bytes;
    throw corrupt(this.#view.where, `segment ${JSON.stringify(segment.name)} is ${bytes ?? 'missing'}.`);
  }

  async writeCheckpoint(
    at: Head,
    segments: AsyncIterable<Segment> | Iterable<Segment>,
    confirm?: ConfirmHead,
  ): Promise<void> {
    this.#view.calls.check();
    return this.#view.calls.counted(() => writeCheckpoint(this.#view, at, segments, confirm));
  }

  async truncate(upTo: Head): Promise<void> {
    this.#view.calls.check();
    return this.#view.calls.counted(async () => {
      const what = `Truncating the log of ${this.#view.where}`;
      const { namespaces, records } = this.#view.store.tables;
      const moved = await this.#view.store.run(
        what,
        `UPDATE ${namespaces} SET log_start = CASE WHEN log_start > $3::bigint THEN log_start ELSE $3::bigint END
         WHERE namespace = $1 AND incarnation = $2 AND position > 0
           AND (log_start >= $3::bigint OR (checkpoints > 0 AND checkpoint_position >= $3::bigint))
         RETURNING log_start`,
        [this.#view.key, upTo.incarnation, upTo.position],
      );
      if (moved.length === 0) {
        const row = await this.#view.row(what);
        const head = headOf(row);
        if (head.incarnation !== upTo.incarnation) throw storageErrors.otherIncarnation(this.#view.name);
        if (!row || head.position === 0) return;
        const newest = row.checkpoints > 0 ? { ...head, position: row.checkpointPosition } : undefined;
        throw storageErrors.notCheckpointed(this.#view.name, upTo, newest);
      }
      // From here on the records are truncated. Rows that a failure leaves are deleted next time.
      const logStart = Number(moved[0].log_start);
      try {
        await this.#view.store.run(
          what,
          `DELETE FROM ${records} WHERE incarnation = $1 AND position <= $2`,
          [upTo.incarnation, logStart],
          { weight: LONG },
        );
        await this.#view.blobs.delete(
          what,
          upTo.incarnation,
          await this.#view.blobs.upTo(what, upTo.incarnation, 'records', logStart),
        );
      } catch (error) {
        this.#view.store.report(databaseError(error, what));
      }
    });
  }

  async stats(): Promise<NamespaceStorageStats> {
    this.#view.calls.check();
    return this.#view.calls.counted(async () => {
      const what = `Measuring ${this.#view.where}`;
      const { records, checkpoints } = this.#view.store.tables;
      const row = await this.#view.row(what);
      if (!row || row.position === 0) return { logBytes: 0, logRecords: 0, segmentBytes: 0, segments: 0 };
      const [log] = await this.#view.store.run(
        what,
        `SELECT coalesce(sum(byte_length), 0) AS bytes FROM ${records} WHERE incarnation = $1 AND position > $2`,
        [row.incarnation, row.logStart],
        { weight: LONG },
      );
      const kept = await this.#view.store.run(
        what,
        `SELECT checkpoint, position, segments FROM ${checkpoints} WHERE incarnation = $1 AND checkpoint > $2`,
        [row.incarnation, row.checkpoints - 2],
      );
      const segments = new Map(
        kept
          .flatMap((each) => checkpointRow(each, this.#view.where).segments)
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

  async drop(expected?: Head): Promise<void> {
    this.#view.calls.check();
    return this.#view.calls.counted(async () => {
      const what = `Dropping ${this.#view.where}`;
      const { namespaces, dropped } = this.#view.store.tables;
      const row = await this.#view.row(what);
      const conflict = (now: NamespaceRow | undefined) =>
        storageErrors.conflict(this.#view.name, expected!, headOf(now));
      if (expected && !sameHead(expected, headOf(row))) throw conflict(row);
      if (!row || row.position === 0) return;
      await this.#view.store.run(
        what,
        `WITH gone AS (
           UPDATE ${namespaces}
           SET incarnation = $3::text, position = 0, log_start = 0, checkpoints = 0, checkpoint_position = 0,
             generation = generation + 1, fence = fence + 1
           WHERE namespace = $1 AND incarnation = $2::text AND ($4::bigint < 0 OR position = $4::bigint)
           RETURNING namespace
         )
         INSERT INTO ${dropped} (incarnation) SELECT $2::text FROM gone ON CONFLICT DO NOTHING`,
        [this.#view.key, row.incarnation, newIncarnation(), expected ? expected.position : -1],
      );
      // The statement may have been repeated, so its rows do not tell.
      const now = expected && (await this.#view.row(what));
      if (now?.incarnation === row.incarnation) throw conflict(now);
      // From here on it is dropped. Rows that a failure leaves are deleted when the storage is
      // opened.
      await sweepIncarnation(this.#view.store, row.incarnation).catch((error: unknown) =>
        this.#view.store.report(databaseError(error, what)),
      );
    });
  }

  async claimCheckpoint(forMs: number): Promise<CheckpointClaim> {
    this.#view.calls.check();
    return this.#view.calls.counted(() => claimCheckpoint(this.#view, forMs));
  }

  async reserve(forMs: number): Promise<() => Promise<void>> {
    this.#view.calls.check();
    return this.#view.calls.counted(() => reserve(this.#view, forMs));
  }

  watch(signal: AbortSignal): AsyncIterable<Head> {
    this.#view.calls.check();
    return this.#view.store.watch.watch(this.#view.key, signal, () => this.#view.calls.check());
  }
}
