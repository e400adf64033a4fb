/** A row of a result. Integers may be strings, numbers or bigints, depending on the client. */
export type Row = Readonly<Record<string, unknown>>;

/** Options of {@link Database.listen}. */
export interface ListenOptions {
  /** Called with the payload of each notification. */
  readonly onNotice: (payload: string) => void;
  /** Called once if the connection is lost. */
  readonly onEnd: () => void;
  /** How long the database may take to answer. */
  readonly limitMs: number;
}

/** The three functions that the storage needs of a database client. */
export interface Database {
  /**
   * Runs one statement, in a transaction of its own, and returns its rows. Fails if there is no
   * answer after `limitMs`, and then gives up the connection; the statement may still have its
   * effect. Throws {@link NotSent} if it was never sent.
   */
  query(text: string, values: readonly unknown[], limitMs: number): Promise<readonly Row[]>;

  /** Listens to a channel. Returns a function that stops it. Throws if the client cannot listen. */
  listen(channel: string, options: ListenOptions): Promise<() => Promise<void>>;

  /**
   * Registers a listener for failures that belong to no call, such as a lost idle connection.
   * Returns a function that removes it.
   */
  onError(listener: (error: Error) => void): () => void;
}
