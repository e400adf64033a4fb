/** What one storage gives its namespaces. */
export interface StorageCalls {
  /** Throws if the storage is not open. */
  check(): void;
  /** Runs a call that `close` waits for. */
  counted<T>(call: () => Promise<T>): Promise<T>;
}
