import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: it is whatever was sent.
  readonly body: any;
}

type Answer = (request: SeenRequest, response: ServerResponse) => unknown;

/**
 * A local HTTP server whose next answers a test writes down; the last one stays. What an answer
 * returns is sent as JSON, unless it has answered.
 */
export class FakeServer {
  readonly seen: SeenRequest[] = [];
  /** Requests at the same time, at most. */
  most = 0;
  private now = 0;
  private answers: Answer[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => this.handle(request, response));
  }

  static async start(): Promise<FakeServer> {
    const fake = new FakeServer();
    await new Promise<void>((resolve) => fake.server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The next answers, in order. */
  script(...answers: Answer[]): void {
    this.answers = answers;
    this.seen.length = 0;
    this.most = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.most = Math.max(this.most, ++this.now);
    response.on('close', () => this.now--);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const seen = { path: request.url!, headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) };
    this.seen.push(seen);
    const answer = this.answers.length > 1 ? this.answers.shift()! : this.answers[0];
    const result = await answer(seen, response);
    if (response.writableEnded || response.destroyed || result === undefined) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(result));
  }
}

/** An answer with a status, a body and headers. */
export const status =
  (code: number, body: unknown = {}, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(code, headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** A vector that tells its text. */
export const vectorOf = (text: string): number[] => [text.length, text.charCodeAt(0), 1];
