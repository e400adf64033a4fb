import type { Embedder, EmbedOptions } from '../../contracts/embedder.ts';
import { fieldsOf, requireKnownFields } from '../../model/known-fields.ts';
import { throwIfAborted, WorldsError } from '../../model/worlds-error.ts';
import { withTimeLimit } from '../time-limit.ts';
import { checkedEmbeddings } from './checked-embeddings.ts';
import { retried } from './retry.ts';

/** Settings common to all adapters. */
export interface EmbedderSettings {
  /** Length of the model's vectors. */
  readonly dimensions: number;
  /**
   * Identifies the model: vectors of different ids are never compared. Derived from the adapter's
   * options if omitted.
   */
  readonly id?: string | undefined;
  /** Texts per call; 64 by default. */
  readonly batchSize?: number | undefined;
  /** Concurrent calls; 2 by default. */
  readonly concurrency?: number | undefined;
  /**
   * Maximum retries of a call after a transient failure; 4 by default, but at most one for a query.
   */
  readonly maxRetries?: number | undefined;
  /**
   * Delay before the first retry, in milliseconds, doubling each time; 500 by default. A server may
   * request a longer one.
   */
  readonly retryDelayMs?: number | undefined;
  /** Timeout of one call, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
  /**
   * Texts are truncated to this many UTF-16 units, 8,000 by default: models read a limited number
   * of tokens, and some reject longer texts.
   */
  readonly maxTextLength?: number | undefined;
  /** Prefix of every query; empty by default. Some models are trained with `query: `. */
  readonly queryPrefix?: string | undefined;
  /** Prefix of every document; empty by default. Some models are trained with `passage: `. */
  readonly documentPrefix?: string | undefined;
}

/** Embeds one batch. */
export type EmbeddingCall = (
  texts: readonly string[],
  options: { readonly kind: EmbedOptions['kind']; readonly signal: AbortSignal },
) => Promise<unknown>;

export interface EmbeddingCallOptions {
  readonly name: string;
  readonly settings: EmbedderSettings;
  readonly call: EmbeddingCall;
  /** Limits of the model itself; requested once, before the first call. */
  readonly limits?:
    | (() => Promise<{ readonly batchSize?: number | undefined; readonly concurrency?: number | undefined }>)
    | undefined;
}

const SETTINGS = fieldsOf<EmbedderSettings>({
  dimensions: true,
  id: true,
  batchSize: true,
  concurrency: true,
  maxRetries: true,
  retryDelayMs: true,
  timeoutMs: true,
  maxTextLength: true,
  queryPrefix: true,
  documentPrefix: true,
});

const DEFAULTS = {
  batchSize: 64,
  concurrency: 2,
  maxRetries: 4,
  retryDelayMs: 500,
  timeoutMs: 30_000,
  maxTextLength: 8000,
} as const;
const QUERY_RETRIES = 1;
/** Longer timers fire immediately. */
const MAX_MS = 2 ** 31 - 1;

/**
 * Creates an Embedder from a function that embeds one batch: splits texts into batches, makes
 * concurrent calls, retries transient failures and validates the vectors.
 *
 * Throws INVALID_ARGUMENT for invalid settings. The embedder throws UNSUPPORTED for failures,
 * TIMEOUT for calls that take too long, ABORTED when its signal fires.
 */
export function embedderOf({ name, settings, call, limits }: EmbeddingCallOptions): Embedder {
  requireKnownFields(settings, SETTINGS, 'embedder');
  const { dimensions, queryPrefix = '', documentPrefix = '' } = settings;
  if (!isName(name) || (settings.id !== undefined && !isName(settings.id)))
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'An embedder has no id; set the option id to the name of its model, because vectors of different ids are never compared.',
    );
  const { batchSize, concurrency, maxRetries, retryDelayMs, timeoutMs, maxTextLength } = withDefaults(settings, name);
  // The query prefix is not part of the id, because it does not affect document vectors.
  const id = settings.id ?? (documentPrefix === '' ? name : `${name} ${JSON.stringify(documentPrefix)}`);
  let known: Promise<{ batchSize: number; concurrency: number }> | undefined;
  const allowed = async () => {
    const own = await limits?.();
    return {
      batchSize: Math.max(1, Math.min(batchSize, own?.batchSize ?? batchSize)),
      concurrency: Math.max(1, Math.min(concurrency, own?.concurrency ?? concurrency)),
    };
  };

  const callOnce = async (texts: readonly string[], kind: EmbedOptions['kind'], signal: AbortSignal) => {
    const tooLate = () =>
      new WorldsError(
        'TIMEOUT',
        `${name} did not respond within ${timeoutMs} ms for ${texts.length} text(s); pass it more time (timeoutMs) or fewer texts (batchSize).`,
      );
    const vectors = await withTimeLimit((stop) => call(texts, { kind, signal: stop }), { timeoutMs, tooLate, signal });
    return checkedEmbeddings(vectors, texts.length, dimensions, name);
  };

  return {
    id,
    dimensions,
    batchSize: batchSize * concurrency,
    async embed(texts, { kind, signal }) {
      throwIfAborted(signal);
      known ??= allowed().catch((error) => {
        known = undefined;
        throw error;
      });
      const { batchSize: size, concurrency: lanes } = await known;
      const prefix = kind === 'query' ? queryPrefix : documentPrefix;
      // Other programs reject lone surrogates, which truncation may also create.
      const given = texts.map((text) => (prefix + text.slice(0, maxTextLength)).toWellFormed());
      const batches = Array.from({ length: Math.ceil(given.length / size) }, (_, at) =>
        given.slice(at * size, (at + 1) * size),
      );
      const retries = kind === 'query' ? Math.min(QUERY_RETRIES, maxRetries) : maxRetries;
      const vectors = await inLanes(batches, lanes, signal, (batch, stop) =>
        retried(() => callOnce(batch, kind, stop), { retries, delayMs: retryDelayMs, signal: stop }),
      );
      return vectors.flat();
    },
  };
}

/**
 * Runs `work` for each item, at most `lanes` at a time; the first failure stops the others. Results
 * are in item order.
 */
async function inLanes<Item, Result>(
  items: readonly Item[],
  lanes: number,
  signal: AbortSignal | undefined,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal!.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  let next = 0;
  let failure: { readonly error: unknown } | undefined;
  const lane = async () => {
    while (next < items.length && !failure) {
      const at = next++;
      try {
        results[at] = await work(items[at], stop.signal);
      } catch (error) {
        failure ??= { error };
        stop.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
  signal?.removeEventListener('abort', onAbort);
  if (failure) {
    throwIfAborted(signal);
    throw failure.error;
  }
  return results;
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && name !== '';
}

/** Validates the model name sent to a server. Throws INVALID_ARGUMENT if it is missing. */
export function modelOf(model: unknown, adapter: string): string {
  if (isName(model)) return model as string;
  throw new WorldsError('INVALID_ARGUMENT', `${adapter} has no model; set the option model to its name.`);
}

function withDefaults(settings: EmbedderSettings, name: string) {
  const options = { ...DEFAULTS, ...defined(settings) };
  const { batchSize, concurrency, maxRetries, retryDelayMs, timeoutMs, maxTextLength } = options;
  for (const [option, value, least, most] of [
    ['dimensions', settings.dimensions, 1, 65_536],
    ['batchSize', batchSize, 1, Infinity],
    ['concurrency', concurrency, 1, Infinity],
    ['maxRetries', maxRetries, 0, Infinity],
    ['retryDelayMs', retryDelayMs, 0, MAX_MS],
    ['timeoutMs', timeoutMs, 1, MAX_MS],
    ['maxTextLength', maxTextLength, 1, Infinity],
  ] as const)
    if (!Number.isInteger(value) || value < least || value > most)
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `The option ${option} of the embedder ${name} is ${value}; pass an integer ${most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`}.`,
      );
  return { batchSize, concurrency, maxRetries, retryDelayMs, timeoutMs, maxTextLength };
}

/** Drops undefined values, which would override defaults. */
function defined<Settings extends object>(settings: Settings): Partial<Settings> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Partial<Settings>;
}
