import { requireKnownFields } from '../model/known-fields.ts';
import { WorldsError } from '../model/worlds-error.ts';

/** Quotas of one world. Omitted fields are unlimited. */
export interface WorldQuota {
  /** Quads in all graphs. */
  readonly quads?: number | undefined;
  /**
   * Bytes of data: for each quad, 36 plus the texts of its terms, counted at each occurrence; for
   * each named graph, 36 plus its name; label and description. Independent of restarts, compactions
   * and other worlds.
   */
  readonly bytes?: number | undefined;
}

/** Quotas of one namespace. Omitted fields are unlimited. */
export interface NamespaceQuota extends WorldQuota {
  /** Number of worlds, including empty ones. */
  readonly worlds?: number | undefined;
  /**
   * Bytes in storage: log and checkpoints, including the history for `changes` and data not yet
   * compacted. Above it, commits that add data are refused; checkpoints are always written. Ignored
   * without storage.
   */
  readonly diskBytes?: number | undefined;
}

/** The quotas for one namespace and its worlds. */
export interface Quotas {
  /** Applies to the namespace as a whole. */
  readonly namespace?: NamespaceQuota | undefined;
  /** Applies to each world of the namespace. */
  readonly world?: WorldQuota | undefined;
  /** Quotas by slug; their fields override those of `world`. */
  readonly worlds?: { readonly [slug: string]: WorldQuota } | undefined;
}

/** Quotas by namespace, as a table that can be JSON. */
export interface QuotaTable extends Pick<Quotas, 'namespace' | 'world'> {
  /** Quotas by namespace name; their fields override those above. */
  readonly namespaces?: { readonly [namespace: string]: Quotas } | undefined;
}

/**
 * Returns the quotas of a namespace, or undefined for none. Called at every commit, so changes take
 * effect immediately. It must be fast and should return the same object until its quotas change.
 */
export type QuotaPolicy = (namespace: string) => Quotas | undefined;

/** The quantities that quotas limit. */
export type QuotaName = 'quads' | 'bytes' | 'worlds' | 'diskBytes';

const NAMESPACE_QUOTAS: readonly QuotaName[] = ['quads', 'bytes', 'worlds', 'diskBytes'];
const WORLD_QUOTAS: readonly QuotaName[] = ['quads', 'bytes'];

/** Returns the quota of a world: each field from `worlds`, else from `world`. */
export function quotaOfWorld({ world, worlds }: Quotas, slug: string): WorldQuota {
  const own = worlds?.[slug];
  return { quads: own?.quads ?? world?.quads, bytes: own?.bytes ?? world?.bytes };
}

/**
 * Returns the policy for an option. Throws INVALID_ARGUMENT for unknown fields and for values that
 * are not integers of 0 or more.
 */
export function quotaPolicy(given: QuotaTable | QuotaPolicy): QuotaPolicy {
  if (typeof given === 'function') return checkedPolicy(given);
  requireFields(given, ['namespace', 'world', 'namespaces'], 'quotas');
  const { namespaces, ...defaults } = given;
  requireQuotas(defaults, 'quotas');
  if (namespaces !== undefined) requireObject(namespaces, 'quotas.namespaces');
  const own = new Map<string, Quotas>();
  for (const [name, quotas] of Object.entries(namespaces ?? {})) {
    requireQuotas(quotas, `quotas.namespaces.${name}`);
    own.set(name, {
      namespace: { ...defaults.namespace, ...quotas.namespace },
      world: { ...defaults.world, ...quotas.world },
      worlds: quotas.worlds,
    });
  }
  return (namespace) => own.get(namespace) ?? defaults;
}

/** Validates the results of a caller's policy, once per object. */
function checkedPolicy(policy: QuotaPolicy): QuotaPolicy {
  const known = new WeakSet<Quotas>();
  return (namespace) => {
    const quotas = policy(namespace);
    if (quotas !== undefined && !(typeof quotas === 'object' && quotas !== null && known.has(quotas))) {
      requireQuotas(quotas, `quotas(${JSON.stringify(namespace)})`);
      known.add(quotas);
    }
    return quotas;
  };
}

function requireQuotas(quotas: Quotas, where: string): void {
  requireFields(quotas, ['namespace', 'world', 'worlds'], where);
  if (quotas.namespace !== undefined) requireNumbers(quotas.namespace, NAMESPACE_QUOTAS, `${where}.namespace`);
  if (quotas.world !== undefined) requireNumbers(quotas.world, WORLD_QUOTAS, `${where}.world`);
  if (quotas.worlds === undefined) return;
  requireObject(quotas.worlds, `${where}.worlds`);
  for (const [slug, quota] of Object.entries(quotas.worlds)) {
    requireNumbers(quota, WORLD_QUOTAS, `${where}.worlds.${slug}`);
  }
}

function requireNumbers(quota: NamespaceQuota, names: readonly QuotaName[], where: string): void {
  requireFields(quota, names, where);
  for (const [name, value] of Object.entries(quota)) {
    if (value === undefined || value === Number.POSITIVE_INFINITY) continue;
    if (!(Number.isSafeInteger(value) && value >= 0))
      throw invalid(`${where}.${name}: expected an integer of 0 or more, or Infinity.`);
  }
}

function requireFields(value: object, fields: readonly string[], where: string): void {
  requireObject(value, where);
  requireKnownFields(value, fields, where);
}

function requireObject(value: unknown, where: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`${where}: expected an object.`);
}

function invalid(message: string): WorldsError {
  return new WorldsError('INVALID_ARGUMENT', message);
}
