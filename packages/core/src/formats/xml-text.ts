import { Buffer, TextDecoder } from '#platform';
import type { Slicer } from '../contracts/slicer.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { utf8Text } from './utf8-text.ts';

/** Matches an XML declaration that names an encoding: XML 1.0 section 2.8. */
const DECLARED_ENCODING = /^<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']/;
const SNIFFED_BYTES = 1024;
const PIECE_BYTES = 1 << 14;

/**
 * Decodes an XML document by its byte order mark or declaration, by default as UTF-8 (XML 1.0
 * section 4.3.3 and appendix F). Bytes invalid in the encoding are INVALID_RDF; an encoding that
 * the runtime lacks is UNSUPPORTED.
 */
export async function* xmlText(
  chunks: AsyncIterable<Uint8Array>,
  options: { readonly slicer: Slicer; readonly signal?: AbortSignal },
): AsyncGenerator<string> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    let head = Buffer.alloc(0);
    while (head.length < SNIFFED_BYTES) {
      const next = await iterator.next();
      if (next.done) break;
      head = Buffer.concat([head, next.value]);
    }
    const encoding = encodingOf(head);
    const document = withHead(head, iterator);
    if (encoding === undefined) yield* utf8Text(document, options);
    else yield* decoded(document, encoding, options);
  } finally {
    await iterator.return?.();
  }
}

/** Returns the label of the encoding, or undefined for UTF-8. */
function encodingOf(head: Buffer): string | undefined {
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  const label = DECLARED_ENCODING.exec(head.toString('latin1', 0, SNIFFED_BYTES))?.[1].toLowerCase();
  // ASCII is a subset of UTF-8, and a document in UTF-16 without a byte order mark could not have
  // been read this far.
  return label === undefined || ['utf-8', 'utf8', 'us-ascii', 'ascii', 'utf-16'].includes(label) ? undefined : label;
}

async function* withHead(head: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (;;) {
    const next = await iterator.next();
    if (next.done) return;
    yield next.value;
  }
}

async function* decoded(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
  { slicer, signal }: { readonly slicer: Slicer; readonly signal?: AbortSignal },
): AsyncGenerator<string> {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch (cause) {
    throw new WorldsError(
      'UNSUPPORTED',
      `The encoding "${encoding}" of the XML document is unknown: save it as UTF-8.`,
      {
        cause,
      },
    );
  }
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (cause) {
      throw new WorldsError('INVALID_RDF', `The document declares the encoding ${encoding}, but is not valid in it.`, {
        cause,
      });
    }
  };
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      throwIfAborted(signal);
      yield decode(chunk.subarray(start, start + PIECE_BYTES));
      if (slicer.due) await slicer.pause();
    }
  }
  yield decode();
}
