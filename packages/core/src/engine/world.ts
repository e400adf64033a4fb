/**
 * A named RDF dataset inside a namespace, as every answer shows it. Unset `label` and `description`
 * are absent.
 */
export interface World {
  readonly slug: string;
  readonly namespace: string;
  readonly label?: string;
  readonly description?: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch; moves with every change of record or data. */
  readonly updatedAt: number;
  readonly deletedAt?: number | null;
  /** The namespace's revision at the world's last change: what `ifRevision` compares. */
  readonly revision: number;
}

export interface WorldSourceFlags {
  /**
   * False: this source is only read. True: this is the one that an update writes, among several.
   */
  readonly write?: boolean | undefined;
  /**
   * True: it holds the schema that widens `types` and `predicates` of a search; never written,
   * never a hit.
   */
  readonly schema?: boolean | undefined;
}

/**
 * Names a world: `"namespace/slug"`, `{ name: "namespace/slug" }` or `{ slug, namespace? }`. A
 * string without `/` is a slug in the request's namespace, and `_` as the namespace is the default
 * one.
 */
export type WorldSource =
  | string
  | ({ readonly slug: string; readonly namespace?: string | undefined } & WorldSourceFlags)
  | ({ readonly name: string } & WorldSourceFlags);
