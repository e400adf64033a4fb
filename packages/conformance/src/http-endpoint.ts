import { createServer, type IncomingHttpHeaders, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WorldsEngine } from '@rdf-worlds/core';
import { createWorldsHandler, staticTokens } from '@rdf-worlds/http';
import { nodeListener } from '@rdf-worlds/http/node';
import type { EngineUnderTest } from './engine-under-test.ts';

/**
 * Every operation of the service wants a token; the tests of the W3C know none, so that each
 * request gets this one.
 */
const TOKEN = 'token-of-the-conformance-tests';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** In lower case, without parameters; empty when there is none. */
  readonly mediaType: string;
}

export interface HttpQuestion {
  readonly method: string;
  /** Path and query, sent as they are. */
  readonly path: string;
  /** Sent as they are: no Content-Type is added. */
  readonly headers?: Iterable<readonly [string, string]>;
  readonly body?: Uint8Array;
}

/** The engine behind a socket of the loopback. */
export interface HttpEndpoint {
  /** Where it listens, and where it says that it is. */
  readonly origin: string;
  ask(question: HttpQuestion): Promise<HttpAnswer>;
}

/** Serves an engine for as long as `use` takes. */
export async function withHttpEndpoint(
  underTest: EngineUnderTest,
  use: (endpoint: HttpEndpoint) => Promise<void>,
): Promise<void> {
  const engine = underTest.opened ? await underTest.opened() : underTest;
  if (!(engine instanceof WorldsEngine)) throw new Error('The HTTP suites need a WorldsEngine: it is served as it is.');
  let listener: RequestListener = () => {};
  const server = createServer((message, response) => listener(message, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const authenticate = staticTokens([{ token: TOKEN, admin: true }]);
  // The worlds of the bench live in the engine's default namespace.
  const handler = createWorldsHandler(engine, { authenticate, platformNamespace: 'default', baseUrl: origin });
  listener = nodeListener(handler);
  try {
    await use({ origin, ask: (question) => exchange(port, question) });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function exchange(port: number, { method, path, headers = [], body }: HttpQuestion): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        headers: {
          ...Object.fromEntries(headers),
          authorization: `Bearer ${TOKEN}`,
          ...(body && { 'content-length': body.length }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            body: Buffer.concat(chunks),
            mediaType: (response.headers['content-type'] ?? '').split(';')[0].trim().toLowerCase(),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
