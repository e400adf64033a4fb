import type { SentDocument } from './import-document.ts';

/** Several documents as one streamed body (RFC 7578). */
export class Multipart {
  readonly contentType: string;
  private readonly boundary: string;

  constructor() {
    this.boundary = `rdf-worlds-${crypto.randomUUID()}`;
    this.contentType = `multipart/form-data; boundary=${this.boundary}`;
  }

  /** Yields the body. Documents are opened one after the other. */
  async *chunks(documents: AsyncIterable<SentDocument>): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    let place = 0;
    for await (const { contentType, chunks } of documents) {
      const disposition = `form-data; name="document"; filename="${place++}"`;
      yield encoder.encode(
        `--${this.boundary}\r\ncontent-disposition: ${disposition}\r\ncontent-type: ${contentType}\r\n\r\n`,
      );
      yield* chunks;
      yield encoder.encode('\r\n');
    }
    yield encoder.encode(`--${this.boundary}--\r\n`);
  }
}
