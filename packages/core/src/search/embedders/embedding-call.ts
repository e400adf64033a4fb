import { fieldsOf, requireKnownFields } from '../../model/known-fields.ts';
import { throwIfAborted, WorldsError } from '../../model/worlds-error.ts';
import type { Embedder, EmbedOptions } from '../../storage/embedder.ts';
import { withTimeLimit } from '../time-limit.ts';
import { checkedEmbeddings } from './checked-embeddings.ts';
import { retried } from './retry.ts';

/** What every adapter can be told. */
export interface EmbedderSettings {
  /** The length of the model's vectors. */
  readonly dimensions: number;
  /**
   * Names the model; made of what the adapter knows when not given. Vectors of different ids are
   * never compared.
   */
  readonly id?: string | undefined;
  /** Texts in one call; 64 when not given. */
  readonly batchSize?: number | undefined;
  /** Calls at the same time; 2 when not given. */
  readonly concurrency?: number | undefined;
  /**
   * How often a call is made again that failed for a reason that may pass; 4 when not given, but a
   * query at most once.
   */
  readonly maxRetries?: number | undefined;
  /**
   * The pause before the first of them, in milliseconds, which doubles each time; 500 when not
   * given. A server may ask for more.
   */
  readonly retryDelayMs?: number | undefined;
  /** How long one call may take, in milliseconds; 30,000 when not given. */
  readonly timeoutMs?: number | undefined;
  /**
   * So many UTF-16 units of a text are embedded, 8,000 when not given: models read no more than so
   * many tokens, and some refuse longer texts.
   */
  readonly maxTextLength?: number | undefined;
  /**
   * Put before every query, and every document: some models are made for `query: ` and `passage: `.
   */
  readonly queryPrefix?: string | undefined;
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
  /** What the model itself allows; asked once, before the first call. */
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
/** Timers of longer run out at once. */
const MAX_MS = 2 ** 31 - 1;

/**
 * Makes an Embedder of something that embeds a batch: cuts texts into batches, makes several calls
 * at a time, again where they fail for a while, and looks at what they give.
 *
 * Throws INVALID_ARGUMENT for settings that make no sense. The embedder throws UNSUPPORTED for what
 * fails, TIMEOUT for what takes too long, ABORTED by its signal.
 */
export function embedderOf({ name, settings, call, limits }: EmbeddingCallOptions): Embedder {
  requireKnownFields(settings, SETTINGS, 'embedder');
  const { dimensions, queryPrefix = '', documentPrefix = '' } = settings;
  if (!isName(name) || (settings.id !== undefined && !isName(settings.id)))
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'An embedder has no id; set the option id to the name of its model: vectors of different ids are never compared.',
    );
  const { batchSize, concurrency, maxRetries, retryDelayMs, timeoutMs, maxTextLength } = withDefaults(settings, name);
  // What is put before queries is no matter to the vectors of documents.
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
        `${name} gave no answer within ${timeoutMs} ms for ${texts.length} text(s); give it more time (timeoutMs) or fewer texts (batchSize).`,
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
      // A lone surrogate, which a cut may leave as well, is no text that another program would
      // read.
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
 * Does some work for each item, so many at a time; the first failure stops the others. Results are
 * in the order of the items.
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

/** The name of a model that a server is asked for. Throws INVALID_ARGUMENT when there is none. */
export function modelOf(model: unknown, adapter: string): string {
  if (isName(model)) return model as string;
  throw new WorldsError('INVALID_ARGUMENT', `${adapter} has no model; set the option model to the name of one.`);
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
        `The option ${option} of the embedder ${name} is ${value}; give an integer ${most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`}.`,
      );
  return { batchSize, concurrency, maxRetries, retryDelayMs, timeoutMs, maxTextLength };
}

/** Without what is undefined, which would hide a default. */
function defined<Settings extends object>(settings: Settings): Partial<Settings> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Partial<Settings>;
}
