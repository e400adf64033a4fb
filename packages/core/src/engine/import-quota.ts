import type { Overlay } from '../quads/overlay.ts';
import { filterByPresence } from '../quads/presence.ts';
import { type DataSize, measureRun, NO_DATA, ROW_BYTES } from '../quads/quad-bytes.ts';
import type { QuadCollector } from '../quads/quad-collector.ts';
import type { Slicer } from '../storage/slicer.ts';
import type { NamespaceQuota } from './namespace-quota.ts';
import type { OpenSource } from './open-source.ts';

/**
 * Rows and new terms are a part of the bytes: they are counted from this part of the room on (1 of
 * 4).
 */
const BYTES_LOOK = 4;

interface ImportParts {
  readonly overlay: Overlay;
  readonly collector: QuadCollector;
  readonly slicer: Slicer;
}

interface ImportMode {
  readonly mode: 'merge' | 'replace';
  /** Of the graph that the import is into, if it is into one. */
  readonly context: number | undefined;
}

/**
 * Ends an import early that is certain to exceed a quota. Rows that came in may be duplicates, or
 * be there already, so they are counted only once there are more of them than may be added, and
 * then whenever they have doubled: sorting them is work that the import has to do anyway. The
 * commit decides for good.
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

  /** Undefined if the engine has no quotas. */
  static of(opened: OpenSource, parts: ImportParts, mode: ImportMode): ImportQuota | undefined {
    const { quota } = opened.home;
    return quota && new ImportQuota(quota, opened, parts, mode);
  }

  /**
   * Throws QUOTA_EXCEEDED, or gives a promise that may. Undefined when there is nothing to wait
   * for.
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
    // By the ids of this import: what another commit brings meanwhile counts as new.
    const added =
      this.importMode.mode === 'merge' ? await slicer.run(filterByPresence(rows, home.store.latest, 'absent')) : rows;
    const terms = { shared: this.opened.dictionary.table, local: overlay.hasPrivateTerms ? overlay.local : undefined };
    const bytes = await slicer.run(measureRun(added, terms));
    this.quota.requireImport(home, slug, { quads: added.length, bytes }, this.replaced);
  }

  /** What the import takes away; at least that much. */
  private get replaced(): DataSize {
    const { mode, context } = this.importMode;
    const { home, slug } = this.opened;
    const own = home.latest(slug)?.size;
    if (mode === 'merge' || !own) return NO_DATA;
    // The bytes of one graph are not counted on their own.
    return context === undefined ? own : { quads: home.store.latest.countContext(context), bytes: own.bytes };
  }
}
