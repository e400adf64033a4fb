import { bearer, type Caller } from './callers.ts';
import type { RunningServer } from './running-server.ts';
import type { WireJson } from './wire-json.ts';

export interface Asked {
  readonly method: string;
  /** From the root of the service, with the query. */
  readonly path: string;
  /** Who asks; nobody when not given. */
  readonly as?: Caller;
  /** Sent as application/json. */
  readonly json?: unknown;
  /** Sent as it is; its type is for `headers` to say. */
  readonly body?: string | Uint8Array | URLSearchParams;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly bytes: Uint8Array;
  /** Without parameters, in lower case. */
  readonly mediaType: string;
  json(): WireJson;
}

/** Asks, and reads the whole answer. */
export async function ask({ origin }: Pick<RunningServer, 'origin'>, asked: Asked): Promise<Answered> {
  const { method, path, as, json, body, accept, headers } = asked;
  const response = await fetch(origin + path, {
    method,
    redirect: 'manual',
    headers: {
      // fetch sends `*/*` on its own; tests that want no Accept at all speak over a socket.
      ...(as && { authorization: bearer(as) }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(accept !== undefined && { accept }),
      ...headers,
    },
    body: json !== undefined ? JSON.stringify(json) : (body as RequestInit['body']),
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  return {
    status: response.status,
    headers: response.headers,
    text,
    bytes,
    mediaType: (response.headers.get('content-type') ?? '').split(';')[0].trim().toLowerCase(),
    json: () => JSON.parse(text),
  };
}
