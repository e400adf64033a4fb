import { BodyPieces } from './body-pieces.ts';
import { type BodySource, WholeBody } from './body-source.ts';
import type { BodyBounds, Incoming, OnGone } from './incoming.ts';
import { tooLong, tooSlow } from './request-body.ts';

/** Adapts a Fetch Request to `Incoming`. */
export class FetchIncoming implements Incoming {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  private readonly request: Request;

  constructor(request: Request) {
    const { pathname, searchParams } = new URL(request.url);
    this.request = request;
    this.method = request.method;
    this.path = pathname;
    this.query = searchParams;
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }

  onGone(gone: OnGone): () => void {
    const { signal } = this.request;
    const forward = () => gone(signal.reason);
    if (signal.aborted) forward();
    signal.addEventListener('abort', forward, { once: true });
    return () => signal.removeEventListener('abort', forward);
  }

  header(name: string): string | null {
    return this.request.headers.get(name);
  }

  toRequest(): Request {
    return this.request;
  }

  openBody(): BodySource {
    const { body } = this.request;
    return body ? new RequestBody(body.getReader()) : new WholeBody(new Uint8Array(0));
  }

  async readBody(bounds: BodyBounds): Promise<Uint8Array> {
    const reader = this.request.body?.getReader();
    if (!reader) return new Uint8Array(0);
    const giveUp = () => {
      reader.cancel().catch(() => {});
    };
    let late: Error | undefined;
    const onLate = (error: Error) => {
      late ??= error;
      giveUp();
    };
    const whole = setTimeout(() => onLate(tooLong(bounds)), bounds.totalMs);
    const onIdle = () => onLate(tooSlow(bounds));
    // A new timer each time, because not every runtime supports `refresh`.
    let idle = setTimeout(onIdle, bounds.idleMs);
    const pieces = new BodyPieces(bounds);
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (late) throw late;
        if (done) return pieces.whole();
        clearTimeout(idle);
        idle = setTimeout(onIdle, bounds.idleMs);
        pieces.add(value);
      }
    } catch (error) {
      giveUp();
      throw error;
    } finally {
      clearTimeout(idle);
      clearTimeout(whole);
    }
  }
}

/** The body of a Fetch Request. */
class RequestBody implements BodySource {
  pieces = 0;
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private failure: Error | undefined;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.reader = reader;
  }

  async read(): Promise<Uint8Array | undefined> {
    const { done, value } = await this.reader.read();
    if (this.failure) throw this.failure;
    if (done) return undefined;
    this.pieces++;
    return value;
  }

  stop(reason: Error): void {
    if (this.failure) return;
    this.failure = reason;
    // Rejects if the stream has failed already, which the reader was told.
    this.reader.cancel(reason).catch(() => {});
  }
}
