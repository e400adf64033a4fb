import type { Reply } from './reply.ts';

/** A reply as a Response of the Fetch standard. Chunks are made as the body is read; their failure is the stream's. */
export function toResponse({ status, headers, body }: Reply): Response {
  if (!body) return new Response(null, { status, headers });
  if (body instanceof Uint8Array) return new Response(body as Uint8Array<ArrayBuffer>, { status, headers });
  const iterator = body[Symbol.asyncIterator]();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await iterator.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(error);
        }
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    // Nothing is made before the client takes it.
    { highWaterMark: 0 },
  );
  return new Response(stream, { status, headers });
}
