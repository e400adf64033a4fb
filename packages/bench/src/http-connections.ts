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
  /** For every request, from sending it to the end of its answer. */
  readonly latenciesMs: readonly number[];
  /** Distinct error messages. */
  readonly errors: readonly string[];
}

export interface HttpLoadWork {
  readonly port: number;
  /** Number of clients; each keeps one connection and sends requests sequentially. */
  readonly connections: number;
  /** The load stops after this many milliseconds or `requests` requests. */
  readonly durationMs?: number;
  readonly requests?: number;
  next(): HttpRequest;
}

/** Puts load on a loopback server. Statuses of 400 or more count as errors. */
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
