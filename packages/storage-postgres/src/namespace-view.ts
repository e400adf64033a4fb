import { randomBytes } from 'node:crypto';
import { WorldsError } from '@rdf-worlds/core';
import { BlobStore } from './blob-store.ts';
import { type CheckpointRow, checkpointRow } from './checkpoint-row.ts';
import { escapedName, namespaceKey } from './namespace-key.ts';
import { type NamespaceRow, namespaceColumns, namespaceRow } from './namespace-row.ts';
import { newIncarnation } from './new-incarnation.ts';
import { corrupt } from './postgres-errors.ts';
import type { PostgresStore } from './postgres-store.ts';
import type { StorageCalls } from './storage-calls.ts';

/** The rows of a namespace, for one handle. */
export class NamespaceView {
  readonly name: string;
  readonly key: string;
  /** For messages. */
  readonly where: string;
  readonly store: PostgresStore;
  readonly blobs: BlobStore;
  readonly calls: StorageCalls;
  /**
   * A fence that the row of an incarnation has had. An append that sends an older one does nothing,
   * and reads the row.
   */
  knownFence: { readonly incarnation: string; readonly fence: number } | undefined;
  /** Identifies the handle in claims. */
  readonly id = randomBytes(16).toString('hex');
  /** The number of the reservation that the handle holds; see `reserve`. */
  reservation: number | undefined;

  constructor(name: string, store: PostgresStore, calls: StorageCalls) {
    this.name = name;
    this.key = namespaceKey(name);
    this.where = `namespace ${JSON.stringify(name)}`;
    this.store = store;
    this.blobs = new BlobStore(store);
    this.calls = calls;
  }

  row(what: string): Promise<NamespaceRow | undefined> {
    return this.store.row(this.key, what);
  }

  /** Reads the row and the newest checkpoint, both of one moment. */
  async newest(what: string): Promise<{ row?: NamespaceRow; newest?: CheckpointRow }> {
    const { namespaces, checkpoints } = this.store.tables;
    const [found] = await this.store.run(
      what,
      `SELECT ${namespaceColumns('n.')}, c.checkpoint, c.segments
       FROM ${namespaces} AS n
       LEFT JOIN ${checkpoints} AS c ON c.incarnation = n.incarnation AND c.checkpoint = n.checkpoints
       WHERE n.namespace = $1`,
      [this.key],
    );
    if (!found) return {};
    const row = namespaceRow(found);
    if (row.checkpoints === 0) return { row };
    if (found.checkpoint === null) throw corrupt(this.where, `its checkpoint ${row.checkpoints} is missing.`);
    return { row, newest: checkpointRow({ ...found, position: row.checkpointPosition }, this.where) };
  }

  /** Makes the row of a namespace that has none, without a head, and returns it. */
  async ensureRow(what: string): Promise<NamespaceRow> {
    await this.store.run(
      what,
      `INSERT INTO ${this.store.tables.namespaces} (namespace, name, incarnation, position, log_start, checkpoints,
         checkpoint_position, fence, generation)
       VALUES ($1, $2, $3, 0, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING`,
      [this.key, escapedName(this.name), newIncarnation()],
    );
    const row = await this.row(what);
    if (!row)
      throw new WorldsError('CORRUPT', `The row of ${this.where} disappeared: something else deletes rows there.`);
    return row;
  }
}
