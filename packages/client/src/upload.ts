import type { Watch } from './watch.ts';

/**
 * A streamed body on its way: each chunk that the connection takes shows that the server is not
 * silent, and a failure of the body itself is told apart from one of the connection.
 */
export class Upload {
  readonly stream: ReadableStream<Uint8Array>;
  /** Set if the body failed. */
  failed: { readonly error: unknown } | undefined;

  constructor(body: ReadableStream<Uint8Array>, watch: Watch) {
    const reader = body.getReader();
    this.stream = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          // The caller's stream may take its time.
          watch.rest();
          try {
            const { done, value } = await reader.read();
            if (done) controller.close();
            else controller.enqueue(value);
          } catch (error) {
            this.failed = { error };
            throw error;
          } finally {
            watch.wait();
          }
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }
}
