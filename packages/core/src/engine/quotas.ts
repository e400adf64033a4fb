import { requireKnownFields } from '../model/known-fields.ts';
import { WorldsError } from '../model/worlds-error.ts';

/** How much one world may hold. What is not given is unlimited. */
export interface WorldQuota {
  /** Quads, in all graphs. */
  readonly quads?: number | undefined;
  /**
   * Bytes of data: for each quad 36 and the texts of its terms, each time they are mentioned; for
   * each named graph 36 and its name; label and description. The same after a restart or a
   * compaction, whatever other worlds hold.
   */
  readonly bytes?: number | undefined;
}

/** How much one namespace may hold. What is not given is unlimited. */
export interface NamespaceQuota extends WorldQuota {
  /** Worlds, empty ones too. */
  readonly worlds?: number | undefined;
  /**
   * Bytes that the storage keeps: log and checkpoints, with the history for `changes` and what no
   * compaction has freed yet. Above it commits that add data are refused; checkpoints never are.
   * Without storage nothing counts.
   */
  readonly diskBytes?: number | undefined;
}

/** The quotas that hold for one namespace and its worlds. */
export interface Quotas {
  readonly namespace?: NamespaceQuota | undefined;
  /** For each world of it. */
  readonly world?: WorldQuota | undefined;
  /** For worlds by slug; what is given here replaces what `world` says. */
  readonly worlds?: { readonly [slug: string]: WorldQuota } | undefined;
}

/** Quotas by namespace, as a table that may be JSON. */
export interface QuotaTable extends Pick<Quotas, 'namespace' | 'world'> {
  /** For namespaces by name; what is given here replaces what stands above. */
  readonly namespaces?: { readonly [namespace: string]: Quotas } | undefined;
}

/**
 * The quotas of a namespace, by a function of the host: undefined for none. It is called at every
 * commit, so that a change takes effect at once: it must be fast, and should return the same object
 * until something changes.
 */
export type QuotaPolicy = (namespace: string) => Quotas | undefined;

/** What quotas count. */
export type QuotaName = 'quads' | 'bytes' | 'worlds' | 'diskBytes';

const NAMESPACE_QUOTAS: readonly QuotaName[] = ['quads', 'bytes', 'worlds', 'diskBytes'];
const WORLD_QUOTAS: readonly QuotaName[] = ['quads', 'bytes'];

/** What holds for one world: what is said of it by name, else what is said of each. */
export function quotaOfWorld({ world, worlds }: Quotas, slug: string): WorldQuota {
  const own = worlds?.[slug];
  return { quads: own?.quads ?? world?.quads, bytes: own?.bytes ?? world?.bytes };
}

/**
 * The policy that an option means. Throws INVALID_ARGUMENT for unknown fields and for what is no
 * number of 0 or more.
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

/** Checks what a host's function gives, once for each object that it gives. */
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
