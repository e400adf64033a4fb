import { throwIfAborted, WorldsError } from '../../model/worlds-error.ts';
import { parseJson } from '../json-syntax.ts';
import type { WriteOptions } from '../rdf-format.ts';
import { loadContext } from './load-context.ts';
import type { ContextRequest, LoadedContext } from './work.ts';

/** Minimum length of a chunk, except the last, in UTF-16 units. */
const CHUNK_LENGTH = 1 << 16;

/**
 * A kernel that yields pieces of text, undefined to allow a pause, or a request for a remote
 * context.
 */
export type TextKernel<Result = void> = Generator<
  string | ContextRequest | undefined,
  Result,
  LoadedContext | undefined
>;

/**
 * Runs a kernel that writes JSON-LD, and yields its text in chunks of about 64 KiB. Loads the
 * contexts that it requests. INVALID_RDF becomes INVALID_ARGUMENT, and names `option`: stored data
 * is well-formed, so what the caller gave must be malformed.
 */
export async function* textChunks(
  option: string,
  options: WriteOptions,
  start: () => TextKernel,
): AsyncGenerator<Uint8Array> {
  const { slicer, signal } = options;
  const encoder = new TextEncoder();
  let text = '';
  try {
    const kernel = start();
    let loaded: LoadedContext | undefined;
    for (;;) {
      const step = kernel.next(loaded);
      if (step.done) break;
      loaded = undefined;
      if (typeof step.value === 'string') {
        text += step.value;
        if (text.length >= CHUNK_LENGTH) {
          yield encoder.encode(text);
          text = '';
        }
      } else if (step.value) loaded = await loadContext(step.value.url, options);
      throwIfAborted(signal);
      if (slicer.due) await slicer.pause();
    }
  } catch (cause) {
    if (!(cause instanceof WorldsError) || cause.code !== 'INVALID_RDF') throw cause;
    throw new WorldsError('INVALID_ARGUMENT', `${option}: ${cause.message}`, { cause });
  }
  if (text.length > 0) yield encoder.encode(text);
}

/** Parses JSON that the caller gave as an option. */
export function* parsed(text: string, { limits }: WriteOptions): Generator<undefined, unknown> {
  const parsing = parseJson(text, 0, { limits });
  for (;;) {
    const step = parsing.next();
    if (step.done) return step.value;
    yield;
  }
}
