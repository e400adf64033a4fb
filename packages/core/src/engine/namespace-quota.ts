import type { NamespaceStorageStats } from '../contracts/storage.ts';
import { type ExceededQuota, WorldsError } from '../model/worlds-error.ts';
import { type DataSize, NO_DATA } from '../quads/quad-bytes.ts';
import type { Commit } from './commit.ts';
import { type QuotaName, type QuotaPolicy, quotaOfWorld } from './quotas.ts';
import type { WorldState } from './world-state.ts';

/**
 * The parts of a namespace that quotas count. Members prefixed `latest` include commits that are
 * not yet visible.
 */
export interface CountedNamespace {
  readonly name: string;
  readonly worlds: ReadonlyMap<string, WorldState>;
  readonly dataSize: DataSize;
  readonly latestDataSize: DataSize;
  readonly latestSize: number;
  latest(slug: string): WorldState | undefined;
}

/** Names for messages. */
const COUNTED: { readonly [Name in QuotaName]: string } = {
  quads: 'quads',
  bytes: 'bytes of data',
  worlds: 'worlds',
  diskBytes: 'bytes in the storage',
};

/**
 * Enforces the quotas of one namespace. Use is derived from the committed data and never stored, so
 * all processes that read the same log count the same, and undone commits do not count.
 */
export class NamespaceQuota {
  private readonly policy: QuotaPolicy;
  /** Size of log and checkpoints: as last measured, plus what was appended since. */
  private storedBytes = 0;
  /** Bytes appended to the log since the namespace was loaded. */
  private appendedBytes = 0;
  /** Approximate size of the pending commits. */
  private pendingBytes = 0;

  constructor(policy: QuotaPolicy) {
    this.policy = policy;
  }

  /**
   * Throws QUOTA_EXCEEDED for a commit that increases a size above its quota. Requires the
   * namespace lock.
   */
  requireRoom(namespace: CountedNamespace, { before, after }: Commit): void {
    // Deletions are always allowed, so that callers can free space.
    if (!after) return;
    const { name, latestDataSize } = namespace;
    const quotas = this.policy(name);
    if (!quotas) return;
    const { slug } = after.record;
    const quads = after.size.quads - (before?.size.quads ?? 0);
    const bytes = after.size.bytes - (before?.size.bytes ?? 0);
    const world = quotaOfWorld(quotas, slug);
    const ofWorld = { namespace: name, world: slug };
    if (quads > 0) {
      require(ofWorld, 'quads', after.size.quads - quads, quads, world.quads);
      require({ namespace: name }, 'quads', latestDataSize.quads, quads, quotas.namespace?.quads);
    }
    if (bytes > 0) {
      require(ofWorld, 'bytes', after.size.bytes - bytes, bytes, world.bytes);
      require({ namespace: name }, 'bytes', latestDataSize.bytes, bytes, quotas.namespace?.bytes);
    }
    if (!before) require({ namespace: name }, 'worlds', namespace.latestSize, 1, quotas.namespace?.worlds);
  }

  /**
   * Throws QUOTA_EXCEEDED for a commit that adds data and would exceed the disk quota. `bytes` is
   * its size in the log. Requires the namespace lock.
   */
  requireDisk({ name }: CountedNamespace, { before, after, delta }: Commit, bytes: number): void {
    if (!after || (before && delta.inserted.length === 0 && after.size.bytes <= before.size.bytes)) return;
    require({ namespace: name }, 'diskBytes', this.diskBytes, bytes, this.policy(name)?.namespace?.diskBytes);
  }

  /** Throws QUOTA_EXCEEDED if a namespace that was restored from a backup exceeds its quotas. */
  requireWithin(namespace: CountedNamespace): void {
    const { name, dataSize, worlds } = namespace;
    const quotas = this.policy(name);
    if (!quotas) return;
    require({ namespace: name }, 'quads', 0, dataSize.quads, quotas.namespace?.quads);
    require({ namespace: name }, 'bytes', 0, dataSize.bytes, quotas.namespace?.bytes);
    require({ namespace: name }, 'worlds', 0, worlds.size, quotas.namespace?.worlds);
    for (const [slug, state] of worlds) {
      const world = quotaOfWorld(quotas, slug);
      const ofWorld = { namespace: name, world: slug };
      require(ofWorld, 'quads', 0, state.size.quads, world.quads);
      require(ofWorld, 'bytes', 0, state.size.bytes, world.bytes);
    }
  }

  /**
   * Returns how much an import into a world may add, including what it replaces; undefined if
   * unlimited.
   */
  roomFor(namespace: CountedNamespace, slug: string, replaced: DataSize): DataSize | undefined {
    const [quads, bytes] = (['quads', 'bytes'] as const).map((counted) => {
      const [ofWorld, ofNamespace] = this.limitsOf(namespace.name, slug, counted);
      const own = namespace.latest(slug)?.size ?? NO_DATA;
      return replaced[counted] + Math.min(ofWorld - own[counted], ofNamespace - namespace.latestDataSize[counted]);
    });
    return quads === Number.POSITIVE_INFINITY && bytes === Number.POSITIVE_INFINITY ? undefined : { quads, bytes };
  }

  /** Throws QUOTA_EXCEEDED for an import that adds `added` and replaces `replaced`. */
  requireImport(namespace: CountedNamespace, slug: string, added: DataSize, replaced: DataSize): void {
    const { name, latestDataSize } = namespace;
    const own = namespace.latest(slug)?.size ?? NO_DATA;
    for (const counted of ['quads', 'bytes'] as const) {
      const [ofWorld, ofNamespace] = this.limitsOf(name, slug, counted);
      const growth = added[counted] - replaced[counted];
      if (growth <= 0) continue;
      require({ namespace: name, world: slug }, counted, own[counted], growth, ofWorld);
      require({ namespace: name }, counted, latestDataSize[counted], growth, ofNamespace);
    }
  }

  private limitsOf(
    name: string,
    slug: string,
    counted: 'quads' | 'bytes',
  ): readonly [world: number, namespace: number] {
    const quotas = this.policy(name);
    const world = quotas && quotaOfWorld(quotas, slug)[counted];
    return [world ?? Number.POSITIVE_INFINITY, quotas?.namespace?.[counted] ?? Number.POSITIVE_INFINITY];
  }

  /** Bytes in storage, including pending commits. */
  get diskBytes(): number {
    return this.storedBytes + this.pendingBytes;
  }

  /** Records that a commit is about to be appended to the log. */
  appending(bytes: number): void {
    this.pendingBytes += bytes;
  }

  /** Records that pending commits were appended or have failed. */
  appended(bytes: number, pendingBytes: number): void {
    this.storedBytes += bytes;
    this.appendedBytes += bytes;
    this.pendingBytes -= pendingBytes;
  }

  /**
   * Measures the size of log and checkpoints. Commits that are appended meanwhile may count twice
   * until the next measurement.
   */
  async measureDisk(stats: () => Promise<NamespaceStorageStats>): Promise<void> {
    const before = this.appendedBytes;
    const { logBytes, segmentBytes } = await stats();
    this.storedBytes = logBytes + segmentBytes + this.appendedBytes - before;
  }
}

type QuotaOwner = Pick<ExceededQuota, 'namespace' | 'world'>;

function require(owner: QuotaOwner, quota: QuotaName, used: number, added: number, limit: number | undefined): void {
  if (limit === undefined || used + added <= limit) return;
  const { namespace, world } = owner;
  const whose = world === undefined ? `The namespace ${namespace}` : `The world ${namespace}/${world}`;
  throw new WorldsError(
    'QUOTA_EXCEEDED',
    // Does not include the current use, because the caller may see only a part of the namespace.
    `${whose} has a quota of ${limit} ${COUNTED[quota]} (${quota}), which this would exceed; delete unneeded data, or request a larger quota.`,
    { exceeded: { quota, limit, used, added, ...owner } },
  );
}
