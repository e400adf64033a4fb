/** A file or a directory, by a number of its own: names come and go. */
export type NodeId = number;

export const ROOT: NodeId = 0;

/** What a name stands for from now on; undefined: for nothing. */
export interface NameChange {
  readonly directory: NodeId;
  readonly name: string;
  readonly node: NodeId | undefined;
}

/**
 * One thing that happened to a disk, or to the program that uses it, in the order in which it
 * happened.
 */
export type DiskEvent =
  | { readonly kind: 'make'; readonly node: NodeId; readonly isDirectory: boolean }
  | { readonly kind: 'write'; readonly node: NodeId; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly node: NodeId; readonly byteLength: number }
  /** All of the changes, or none: a file is made, renamed or removed. */
  | { readonly kind: 'names'; readonly changes: readonly NameChange[] }
  /** A sync covers what came before it began, and counts when it has ended. */
  | { readonly kind: 'sync-begin' | 'sync-end'; readonly node: NodeId; readonly sync: number }
  /**
   * A sync failed, and the kernel takes what was to be synced for clean: it will never be durable.
   */
  | { readonly kind: 'lose'; readonly node: NodeId }
  /** What the program says of itself, such as an acknowledgement that it gave. */
  | { readonly kind: 'mark'; readonly mark: unknown };
