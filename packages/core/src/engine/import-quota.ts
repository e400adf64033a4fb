import type { Slicer } from '../contracts/slicer.ts';
import type { Overlay } from '../quads/overlay.ts';
import { filterByPresence } from '../quads/presence.ts';
import { type DataSize, measureRun, NO_DATA, ROW_BYTES } from '../quads/quad-bytes.ts';
import type { QuadCollector } from '../quads/quad-collector.ts';
import type { NamespaceQuota } from './namespace-quota.ts';
import type { OpenSource } from './open-source.ts';

/**
 * Rows and new terms are only a part of the bytes that quotas count, so the exact size is measured
 * once they exceed 1/4 of the allowed bytes.
 */
const BYTES_LOOK = 4;

interface ImportParts {
  readonly overlay: Overlay;
  readonly collector: QuadCollector;
  readonly slicer: Slicer;
}

interface ImportMode {
  readonly mode: 'merge' | 'replace';
  /** Context of the target graph, if the import is into a single graph. */
  readonly context: number | undefined;
}

/**
 * Aborts an import early if it is certain to exceed a quota. Rows may be duplicates or exist
 * already, so they are counted exactly only when there are more of them than may be added, and
 * again whenever their number has doubled. The sorting that this requires is needed anyway. The
 * commit makes the final decision.
 */
export class ImportQuota {
  private readonly quota: NamespaceQuota;
  private readonly opened: OpenSource;
  private readonly parts: ImportParts;
  private readonly importMode: ImportMode;
  private nextRows = 0;

  private constructor(quota: NamespaceQuota, opened: OpenSource, parts: ImportParts, mode: ImportMode) {
    this.quota = quota;
    this.opened = opened;
    this.parts = parts;
    this.importMode = mode;
  }

  /** Returns undefined if the engine has no quotas. */
  static of(opened: OpenSource, parts: ImportParts, mode: ImportMode): ImportQuota | undefined {
    const { quota } = opened.home;
    return quota && new ImportQuota(quota, opened, parts, mode);
  }

  /**
   * Throws QUOTA_EXCEEDED, or returns a promise that may reject with it. Undefined if no exact
   * count is needed.
   */
  check(): Promise<void> | undefined {
    const { collector, overlay } = this.parts;
    if (collector.length < this.nextRows) return undefined;
    const { home, slug } = this.opened;
    const room = this.quota.roomFor(home, slug, this.replaced);
    const bytes = ROW_BYTES * collector.length + overlay.byteLength;
    if (!room || (collector.length <= room.quads && bytes <= room.bytes / BYTES_LOOK)) return undefined;
    this.nextRows = 2 * collector.length;
    return this.count();
  }

  private async count(): Promise<void> {
    const { home, slug } = this.opened;
    const { overlay, collector, slicer } = this.parts;
    const rows = await slicer.run(collector.finishSoFar());
    // Uses the ids of this import, so quads with terms that a concurrent commit adds count as new.
    const added =
      this.importMode.mode === 'merge' ? await slicer.run(filterByPresence(rows, home.store.latest, 'absent')) : rows;
    const terms = { shared: this.opened.dictionary.table, local: overlay.hasPrivateTerms ? overlay.local : undefined };
    const bytes = await slicer.run(measureRun(added, terms));
    this.quota.requireImport(home, slug, { quads: added.length, bytes }, this.replaced);
  }

  /** Upper bound of the size that the import replaces. */
  private get replaced(): DataSize {
    const { mode, context } = this.importMode;
    const { home, slug } = this.opened;
    const own = home.latest(slug)?.size;
    if (mode === 'merge' || !own) return NO_DATA;
    // Bytes are not counted per graph, so all bytes of the world are assumed.
    return context === undefined ? own : { quads: home.store.latest.countContext(context), bytes: own.bytes };
  }
}
