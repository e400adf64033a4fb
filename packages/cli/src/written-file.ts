import { writeOutput } from './output.ts';

/** A file that is written atomically through a stream. It is not created if nothing is written. */
export class WrittenFile {
  readonly stream: WritableStream<Uint8Array>;
  private writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  private done: Promise<void> | undefined;

  constructor(path: string) {
    this.stream = new WritableStream({
      write: (chunk) => this.begun(path).write(chunk),
      close: async () => {
        await this.writer?.close();
        await this.done;
      },
      abort: async (reason) => {
        await this.writer?.abort(reason);
        await this.done?.catch(() => undefined); // Rejects with `reason`.
      },
    });
  }

  private begun(path: string): WritableStreamDefaultWriter<Uint8Array> {
    if (this.writer) return this.writer;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    this.done = writeOutput(new Response(readable), path);
    // Reported when the stream is closed.
    this.done.catch(() => undefined);
    this.writer = writable.getWriter();
    return this.writer;
  }
}
