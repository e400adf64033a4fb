import { WorldsError } from '@rdf-worlds/core/remote';
import { brokenAnswer } from './connection-error.ts';
import type { Watch } from './watch.ts';

/** A successful answer whose body is still unread. Read it to its end, or call `discard`. */
export class Answer {
  readonly status: number;
  readonly headers: Headers;
  private readonly response: Response;
  private readonly watch: Watch;
  private readonly url: string;

  constructor(response: Response, watch: Watch, url: string) {
    this.status = response.status;
    this.headers = response.headers;
    this.response = response;
    this.watch = watch;
    this.url = url;
  }

  /** The media type, in lower case and without parameters; '' if there is none. */
  get mediaType(): string {
    return (this.headers.get('content-type') ?? '').split(';', 1)[0].trim().toLowerCase();
  }

  /** Throws UNSUPPORTED, and discards the body, unless the answer has a media type. */
  async requireType(mediaType: string): Promise<void> {
    if (this.mediaType === mediaType) return;
    const found = this.mediaType === '' ? 'no media type' : this.mediaType;
    await this.discard();
    throw new WorldsError(
      'UNSUPPORTED',
      `The response from ${this.url} is ${found}, but ${mediaType} was expected; check that this is the address of an RDF Worlds server.`,
    );
  }

  /**
   * Yields the body. Throws UNAVAILABLE if it ends early, and ABORTED or TIMEOUT if the request was
   * ended from this side.
   */
  async *chunks(): AsyncGenerator<Uint8Array> {
    const { watch, url, response } = this;
    const reader = response.body?.getReader();
    let length = 0;
    let isDone = false;
    try {
      while (reader) {
        watch.wait();
        const { done, value } = await reader.read().catch((cause) => {
          watch.throwIfEnded();
          throw brokenAnswer(url, cause);
        });
        watch.rest();
        if (done) break;
        length += value.length;
        yield value;
        watch.throwIfEnded();
      }
      isDone = true;
      this.requireWhole(length);
    } finally {
      watch.end();
      // The connection is broken or no longer wanted; what it says about that is of no interest.
      if (!isDone) await reader?.cancel().catch(() => undefined);
    }
  }

  /** Returns the whole body. */
  async bytes(): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this.chunks()) {
      chunks.push(chunk);
      length += chunk.length;
    }
    const bytes = new Uint8Array(length);
    let end = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, end);
      end += chunk.length;
    }
    return bytes;
  }

  /** Returns the value of a body in JSON. Throws UNSUPPORTED if it is not. */
  async json<Value>(): Promise<Value> {
    await this.requireType('application/json');
    const text = new TextDecoder().decode(await this.bytes());
    try {
      return JSON.parse(text) as Value;
    } catch (cause) {
      throw new WorldsError('UNSUPPORTED', `The response from ${this.url} is not valid JSON.`, { cause });
    }
  }

  /** Ends the request without reading the rest of its body. */
  async discard(): Promise<void> {
    this.watch.end();
    await this.response.body?.cancel().catch(() => undefined);
  }

  /** Not every runtime notices that a connection ended before the announced length. */
  private requireWhole(length: number): void {
    const announced = this.headers.get('content-length');
    // A runtime that decodes a content coding keeps the length of the coded body.
    if (announced === null || this.headers.has('content-encoding') || Number(announced) === length) return;
    throw brokenAnswer(this.url);
  }
}
