import type { WorldsError } from '@rdf-worlds/core';
import type { StorageErrorListener } from '@rdf-worlds/core/plugin';
import type { Database, Row } from './database.ts';
import { HeadWatch } from './head-watch.ts';
import { type NamespaceRow, namespaceColumns, namespaceRow } from './namespace-row.ts';
import { Patience } from './patience.ts';
import { databaseError, outcomeOf } from './postgres-errors.ts';
import { type SchemaTables, tablesOf } from './schema-tables.ts';

export interface PostgresStoreOptions {
  readonly schema: string;
  readonly retryTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly pollMs: number;
}

/**
 * How many times longer than the others a statement may take: one that deletes many rows, or moves
 * megabytes.
 */
export const LONG = 12;
/** One that reads or writes up to about a megabyte. */
export const MEDIUM = 4;

/** An open schema, shared by all storages of this process over the same pool. */
export class PostgresStore {
  readonly schema: string;
  readonly tables: SchemaTables;
  /** Namespaces with an append of unknown outcome, by key, and the failure. */
  readonly doubts = new Map<string, WorldsError>();
  readonly #database: Database;
  readonly #retryTimeoutMs: number;
  readonly #statementTimeoutMs: number;
  readonly #watch: HeadWatch;
  readonly #listeners = new Set<StorageErrorListener>();
  readonly #stopErrors: () => void;
  /**
   * Messages of failures since a statement last succeeded: each is reported once, not twenty times
   * a second while the database is away.
   */
  readonly #reported = new Set<string>();

  constructor(database: Database, options: PostgresStoreOptions) {
    this.schema = options.schema;
    this.tables = tablesOf(options.schema);
    this.#database = database;
    this.#retryTimeoutMs = options.retryTimeoutMs;
    this.#statementTimeoutMs = options.statementTimeoutMs;
    this.#watch = new HeadWatch(database, this, options);
    this.#stopErrors = database.onError((error) => this.report(databaseError(error, 'A connection to the database')));
  }

  /** Watches heads for all open namespaces. */
  get watch(): HeadWatch {
    return this.#watch;
  }

  /** Returns the waits between the attempts of one call. */
  patience(): Patience {
    return new Patience(this.#retryTimeoutMs);
  }

  /**
   * Runs a statement once. Throws what the client throws.
   *
   * @param patience of the call, if the statement is one of its attempts
   * @param weight how many times longer than others it may take
   */
  async once(text: string, values: readonly unknown[], patience?: Patience, weight = 1): Promise<readonly Row[]> {
    const limitMs = this.#statementTimeoutMs * weight;
    const rows = await this.#database.query(text, values, patience?.attemptMs(limitMs) ?? limitMs);
    this.#succeeded();
    return rows;
  }

  /**
   * Runs a statement that may be repeated, until it succeeds or has been tried for long enough.
   *
   * @param what the work, for messages: `Reading the log of namespace "a"`
   * @param weight how many times longer than others it may take
   */
  async run(
    what: string,
    text: string,
    values: readonly unknown[],
    { weight = 1, patience = this.patience() }: { readonly weight?: number; readonly patience?: Patience } = {},
  ): Promise<readonly Row[]> {
    for (;;) {
      try {
        return await this.once(text, values, patience, weight);
      } catch (error) {
        if (outcomeOf(error) === 'refused' || !(await patience.next())) throw databaseError(error, what);
      }
    }
  }

  /** Reads the row of a namespace; undefined if it was never written to. */
  async row(key: string, what: string): Promise<NamespaceRow | undefined> {
    const { namespaces } = this.tables;
    const [row] = await this.run(what, `SELECT ${namespaceColumns()} FROM ${namespaces} WHERE namespace = $1`, [key]);
    return row && namespaceRow(row);
  }

  /** See `Storage.onBackgroundError`. */
  onBackgroundError(listener: StorageErrorListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reports a failure that no call throws. */
  report(error: WorldsError): void {
    if (this.#reported.has(error.message)) return;
    this.#reported.add(error.message);
    for (const listener of this.#listeners) listener(error, null);
  }

  #succeeded(): void {
    if (this.#reported.size === 0) return;
    this.#reported.clear();
    for (const listener of this.#listeners) listener(null, null);
  }

  /** Releases what the store has of the pool. Called when no call is under way. */
  async close(): Promise<void> {
    await this.#watch.close();
    this.#stopErrors();
  }
}
