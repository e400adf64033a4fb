/** A named RDF dataset in a namespace. `label` and `description` are absent if unset. */
export interface World {
  /** Name within the namespace. */
  readonly slug: string;
  readonly namespace: string;
  readonly label?: string;
  readonly description?: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch; updated by every change of record or data. */
  readonly updatedAt: number;
  /** Reserved for stores that keep deleted worlds; this library never sets it. */
  readonly deletedAt?: number | null;
  /** Revision of the namespace at the world's last change; compared with `ifRevision`. */
  readonly revision: number;
}

/** The role of a world in a request. */
export interface WorldSourceFlags {
  /** False: the source is read-only. True: an update with several sources writes to this one. */
  readonly write?: boolean | undefined;
  /**
   * True: the source contains a schema that expands `types` and `predicates` of a search. It is
   * neither written nor searched.
   */
  readonly schema?: boolean | undefined;
}

/**
 * Names a world: `"namespace/slug"`, `{ name: "namespace/slug" }` or `{ slug, namespace? }`. A
 * string without `/` is a slug in the request's namespace. The namespace `_` is the default one.
 */
export type WorldSource =
  | string
  | ({ readonly slug: string; readonly namespace?: string | undefined } & WorldSourceFlags)
  | ({ readonly name: string } & WorldSourceFlags);
