import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

/** Answers a request; the number counts the requests from 0. */
export type Answer = (outgoing: ServerResponse, message: IncomingMessage, count: number) => unknown;

/** A server of which each test says how it answers. */
export interface FakeServer {
  readonly url: string;
  /** What arrived, in order. */
  readonly requests: { readonly method: string; readonly path: string; readonly headers: IncomingMessage['headers'] }[];
}

const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Starts a server for one test. */
export async function fakeServer(answer: Answer): Promise<FakeServer> {
  const requests: FakeServer['requests'] = [];
  const server = createServer((message, outgoing) => {
    requests.push({ method: message.method!, path: message.url!, headers: message.headers });
    answer(outgoing, message, requests.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Returns an address of this machine where nothing listens. */
export async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** Ends an answer with a status and a JSON body. */
export function reply(
  outgoing: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
  outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A body of up to a gigabyte, written as fast as it is read. */
export interface Pump {
  /** Number of characters that were written so far. */
  readonly written: number;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
}

/** Answers with `head` and then with `piece` again and again, until the caller stops reading. */
export function pump(head: string, piece: string): Pump & { readonly answer: (outgoing: ServerResponse) => void } {
  let written = 0;
  let end!: () => void;
  const closed = new Promise<void>((resolve) => {
    end = resolve;
  });
  const answer = (outgoing: ServerResponse) => {
    outgoing.write(head);
    const more = () => {
      // Without backpressure this would be the whole gigabyte.
      while (!outgoing.destroyed && written < 1e9) {
        written += piece.length;
        if (!outgoing.write(piece)) return;
      }
    };
    outgoing.on('drain', more).on('close', end);
    more();
  };
  return {
    get written() {
      return written;
    },
    closed,
    answer,
  };
}

export const RESULTS = 'application/sparql-results+json';

/** SPARQL results with the numbers below `rows` as values of `?n`. */
export function resultsText(rows: number): string {
  const all = Array.from({ length: rows }, (_, n) => `{"n":{"type":"literal","value":"${n}"}}`);
  return `{"head":{"vars":["n"]},"results":{"bindings":[\n${all.join(',\n')}\n]}}\n`;
}
