/** A row of a result. Integers may be strings, numbers or bigints, depending on the client. */
export type Row = Readonly<Record<string, unknown>>;

/** The three functions that the storage needs of a database client. */
export interface Database {
  /** Runs one statement, in a transaction of its own, and returns its rows. */
  query(text: string, values: readonly unknown[]): Promise<readonly Row[]>;

  /**
   * Calls `onNotice` with the payload of each notification of a channel, and `onEnd` once if the
   * connection is lost. Returns a function that stops it. Throws if the client cannot listen.
   */
  listen(channel: string, onNotice: (payload: string) => void, onEnd: () => void): Promise<() => Promise<void>>;

  /**
   * Registers a listener for failures that belong to no call, such as a lost idle connection.
   * Returns a function that removes it.
   */
  onError(listener: (error: Error) => void): () => void;
}
