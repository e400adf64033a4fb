import type { Slicer } from '../../contracts/slicer.ts';
import { allowableAddress } from '../../model/allowable-address.ts';
import type { RequestLimits } from '../../model/request-limits.ts';
import { throwIfAborted, WorldsError } from '../../model/worlds-error.ts';
import { parseJson } from '../json-syntax.ts';
import { type ContextRequest, invalidJsonLd, type Kernel, type LoadedContext } from './work.ts';

/**
 * Loads a remote document by its URL. Used for contexts; the library makes no network access of its
 * own.
 */
export type DocumentLoader = (
  url: string,
) => Promise<{ readonly document: unknown; readonly documentUrl?: string | undefined }>;

export interface ContextLoading {
  readonly documentLoader?: DocumentLoader | undefined;
  readonly limits?: RequestLimits | undefined;
  readonly slicer: Slicer;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a kernel to its end, pausing in between, and loads the contexts it requests. */
export async function runLoading<Result>(
  kernel: Kernel<Result>,
  load: (request: ContextRequest) => Promise<LoadedContext>,
  slicer: Slicer,
): Promise<Result> {
  let loaded: LoadedContext | undefined;
  for (;;) {
    const step = kernel.next(loaded);
    if (step.done) return step.value;
    loaded = step.value && (await load(step.value));
    if (slicer.due) await slicer.pause();
  }
}

export async function loadContext(
  url: string,
  { documentLoader, limits, slicer, signal }: ContextLoading,
): Promise<LoadedContext> {
  throwIfAborted(signal);
  if (!documentLoader)
    invalidJsonLd(
      `the context <${url}> is remote, and remote contexts are not loaded: inline it, or pass a documentLoader such as remoteContexts({ allow: ['${allowableAddress(url)}'] })`,
    );
  let loaded: Awaited<ReturnType<NonNullable<typeof documentLoader>>>;
  try {
    loaded = await documentLoader!(url);
  } catch (cause) {
    if (cause instanceof WorldsError) throw cause;
    throw new WorldsError('INVALID_RDF', `Invalid JSON-LD: the context <${url}> could not be loaded: ${cause}`, {
      cause,
    });
  }
  throwIfAborted(signal);
  // Converts through text, so that the host's object is not modified and the same checks apply.
  const { document, documentUrl = url } = loaded;
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  return { document: await slicer.run(parseJson(text, 0, { limits })), documentUrl };
}

/**
 * Returns a context given by the host as text, so that its object is not modified and the checks
 * for documents apply.
 */
export function contextText(given: unknown): string {
  // JsonLdOptions.expandContext: the context itself, or a map that contains it as `@context`.
  const wrapped = typeof given === 'object' && given !== null && Object.hasOwn(given, '@context');
  const context = wrapped ? (given as { '@context': unknown })['@context'] : (given ?? {});
  return jsonText(context, 'context');
}

/** Returns what the host gave as JSON text. Throws INVALID_ARGUMENT if it is not JSON. */
export function jsonText(given: unknown, what: 'context' | 'frame'): string {
  let text: string | undefined;
  let cause: unknown;
  try {
    text = JSON.stringify(given);
  } catch (error) {
    cause = error;
  }
  if (text === undefined)
    throw new WorldsError('INVALID_ARGUMENT', `The given JSON-LD ${what} is not JSON: ${cause ?? typeof given}`, {
      cause,
    });
  return text;
}
