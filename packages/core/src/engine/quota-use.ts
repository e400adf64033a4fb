import type { DataSize } from '../quads/quad-bytes.ts';
import { type Quotas, quotaOfWorld } from './quotas.ts';

/** Use of a quota. */
export interface QuotaUse {
  /** In the unit of the quota: a count, or bytes. */
  readonly used: number;
  /** `null` if unlimited. */
  readonly limit: number | null;
}

/** Use of a world's quotas. */
export interface WorldQuotaUse {
  readonly quads: QuotaUse;
  /** Bytes of data, as defined by `WorldQuota`. */
  readonly bytes: QuotaUse;
}

/** Use of a namespace's quotas. */
export interface NamespaceQuotaUse extends WorldQuotaUse {
  readonly worlds: QuotaUse;
  /** Size of log and checkpoints; 0 without storage. */
  readonly diskBytes: QuotaUse;
}

export interface NamespaceUse extends DataSize {
  readonly worlds: number;
  readonly diskBytes: number;
}

export function namespaceQuotaUse(use: NamespaceUse, { namespace }: Quotas = {}): NamespaceQuotaUse {
  return {
    quads: quotaUse(use.quads, namespace?.quads),
    bytes: quotaUse(use.bytes, namespace?.bytes),
    worlds: quotaUse(use.worlds, namespace?.worlds),
    diskBytes: quotaUse(use.diskBytes, namespace?.diskBytes),
  };
}

export function worldQuotaUse(slug: string, use: DataSize, quotas: Quotas = {}): WorldQuotaUse {
  const { quads, bytes } = quotaOfWorld(quotas, slug);
  return { quads: quotaUse(use.quads, quads), bytes: quotaUse(use.bytes, bytes) };
}

function quotaUse(used: number, limit = Number.POSITIVE_INFINITY): QuotaUse {
  return { used, limit: limit === Number.POSITIVE_INFINITY ? null : limit };
}
