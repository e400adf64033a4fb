import { Agent, request } from 'node:http';

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpLoad {
  readonly requests: number;
  readonly wallMs: number;
  /** Of every request, from sending it to the end of its answer. */
  readonly latenciesMs: readonly number[];
  /** What went wrong, once each. */
  readonly errors: readonly string[];
}

export interface HttpLoadWork {
  readonly port: number;
  /**
   * So many clients; each keeps a connection and sends a request when it has the answer to the one
   * before.
   */
  readonly connections: number;
  /** Until so many milliseconds are over, or so many requests are sent. */
  readonly durationMs?: number;
  readonly requests?: number;
  next(): HttpRequest;
}

/** Puts load on a server of the loopback. An answer of 400 or more is an error. */
export async function loadHttp(work: HttpLoadWork): Promise<HttpLoad> {
  const { port, connections, durationMs = Number.POSITIVE_INFINITY, requests = Number.POSITIVE_INFINITY } = work;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latenciesMs: number[] = [];
  const errors = new Set<string>();
  const start = performance.now();
  let sent = 0;
  const client = async () => {
    while (sent < requests && performance.now() - start < durationMs) {
      sent++;
      const next = work.next();
      const asked = performance.now();
      try {
        const status = await send(port, agent, next);
        if (status >= 400) errors.add(`${next.method} ${next.path}: ${status}`);
      } catch (error) {
        errors.add(`${next.method} ${next.path}: ${error instanceof Error ? error.message : error}`);
      }
      latenciesMs.push(performance.now() - asked);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, client));
  } finally {
    agent.destroy();
  }
  return { requests: sent, wallMs: performance.now() - start, latenciesMs, errors: [...errors] };
}

function send(port: number, agent: Agent, { method, path, headers, body }: HttpRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? 0 : Buffer.byteLength(body);
    const outgoing = request(
      { host: '127.0.0.1', port, agent, method, path, headers: { ...headers, 'content-length': length } },
      (response) => {
        response.on('error', reject);
        response.on('end', () => resolve(response.statusCode!));
        response.resume();
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
