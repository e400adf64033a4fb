import { isStreamed, type Reply } from './reply.ts';

/**
 * Converts a reply to a Fetch Response. Chunks are produced as the body is read; if they fail, the
 * stream errors.
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
        // Reports the failure even if the reader has stopped pulling.
        signal?.addEventListener('abort', () => pull(controller), { once: true });
      },
      pull,
      async cancel() {
        await iterator.return?.();
      },
    },
    // No chunk is produced before the client reads.
    { highWaterMark: 0 },
  );
  return new Response(stream, { status, headers });
}
