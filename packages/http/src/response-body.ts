import type { Reply } from './reply.ts';

/**
 * Returns the chunks of a stream, and a signal that fires if the stream breaks while nothing reads
 * it.
 */
export function responseBody(stream: ReadableStream<Uint8Array>): Pick<Reply, 'body' | 'signal'> {
  const reader = stream.getReader();
  const broken = new AbortController();
  reader.closed.catch((cause) => broken.abort(cause));
  const chunks: AsyncIterator<Uint8Array> = {
    next: () => reader.read() as Promise<IteratorResult<Uint8Array>>,
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
  return { body: { [Symbol.asyncIterator]: () => chunks }, signal: broken.signal };
}
