import type { Answer } from './answer.ts';

/** Returns an answer as a `Response` of fetch, which reads the body as its reader asks for it. */
export async function fetchResponse(answer: Answer, { isHead }: { readonly isHead: boolean }): Promise<Response> {
  const { status, headers } = answer;
  if (status === 204 || status === 304 || isHead) {
    await answer.discard();
    return new Response(null, { status, headers });
  }
  const chunks = answer.chunks();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
        await answer.discard();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status, headers });
}
