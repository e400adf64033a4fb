import type { DataSize } from '../quads/quad-bytes.ts';

/** What a namespace holds at one revision. */
export interface NamespaceCounts {
  readonly revision: number;
  readonly worlds: number;
  readonly quads: number;
  readonly terms: number;
  /** Of columns and dictionary. */
  readonly bytes: number;
  /** What counts against quotas; nothing if the engine has none. */
  readonly dataSize: DataSize;
}
