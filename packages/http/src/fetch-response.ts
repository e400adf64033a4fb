import { isStreamed, type Reply } from './reply.ts';

/**
 * A reply as a Response of the Fetch standard. Chunks are made as the body is read; their failure
 * is the stream's.
 */
export function toResponse({ status, headers, body, signal }: Reply): Response {
  if (!body) return new Response(null, { status, headers });
  if (!isStreamed(body)) return new Response(body as string | Uint8Array<ArrayBuffer>, { status, headers });
  const iterator = body[Symbol.asyncIterator]();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    } catch (error) {
      controller.error(error);
    }
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // A reader that has stopped reading must learn of it too.
        signal?.addEventListener('abort', () => pull(controller), { once: true });
      },
      pull,
      async cancel() {
        await iterator.return?.();
      },
    },
    // Nothing is made before the client takes it.
    { highWaterMark: 0 },
  );
  return new Response(stream, { status, headers });
}
