import type { DataSize } from '../quads/quad-bytes.ts';

/** Contents of a namespace at one revision. */
export interface NamespaceCounts {
  readonly revision: number;
  readonly worlds: number;
  readonly quads: number;
  readonly terms: number;
  /** Memory of columns and dictionary. */
  readonly bytes: number;
  /** Size for quotas; zero if the engine has none. */
  readonly dataSize: DataSize;
  /** Undefined if the engine keeps no history. */
  readonly history?: { readonly commits: number; readonly bytes: number };
}
