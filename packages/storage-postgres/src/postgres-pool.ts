// biome-ignore-all lint/suspicious/noExplicitAny: the declarations of `pg` have `any` here, and must fit

/** A statement, as `pg` accepts it. */
export interface PostgresQuery {
  /** The statement, with `$1` and so on for values. */
  readonly text: string;
  /** The values. */
  values?: any[] | undefined;
  /** Parsers of values: the storage reads the text of each value itself. */
  types?: any;
}

/** The part of a result of `pg` that the storage reads. */
export interface PostgresResult {
  /** One object per row, by column. */
  readonly rows: any[];
}

/** The part of an `EventEmitter` that the storage uses. */
export interface PostgresEvents {
  /** Adds a listener. */
  on(event: any, listener: (...args: any[]) => void): unknown;
  /** Removes a listener. */
  removeListener(event: any, listener: (...args: any[]) => void): unknown;
}

/** The part of a `Client` of `pg` that the storage uses. */
export interface PostgresClient extends PostgresEvents {
  /** Runs a statement. */
  query(query: PostgresQuery): Promise<PostgresResult>;
  /** Returns the client to its pool; with `true`, closes it. */
  release(destroy?: boolean): void;
}

/** The part of a `Pool` of `pg` that the storage uses. */
export interface PostgresPool extends PostgresEvents {
  /** Runs a statement on any connection. */
  query(query: PostgresQuery): Promise<PostgresResult>;
  /** Takes a connection out of the pool. */
  connect(): Promise<PostgresClient>;
  /** The options of the pool; `max` is its number of connections. */
  readonly options?: { readonly max?: number | undefined } | undefined;
}
