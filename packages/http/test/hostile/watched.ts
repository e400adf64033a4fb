import { Agent, request as httpRequest } from 'node:http';
import { ATTACKERS, type Attack, type HostileRequest, type ServerKind } from './attack.ts';
import { HostileServer } from './hostile-server.ts';

/** What was seen of one attack at one size. */
export interface Observation {
  /** Of every answer; 0 for a connection that was closed without one. */
  readonly statuses: readonly number[];
  /** Whether an answer broke off before its end. */
  readonly isBroken: boolean;
  /** The error of the client for a connection that was closed without an answer. */
  readonly closedWith?: string | undefined;
  readonly isAlive: boolean;
  /** Between the request and the end of its answer. */
  readonly wallMs: number;
  /** CPU time of the server, of which the other tenant's queries are a small part. */
  readonly cpuMs: number;
  readonly peakBytes: number;
  readonly longestMs: number;
  readonly errors: readonly string[];
  readonly victimMs: readonly number[];
  readonly victimFailures: readonly string[];
}

/** Before the client gives up, in milliseconds; longer than any deadline. */
const GIVE_UP_MS = 90_000;

export interface Sent {
  readonly status: number;
  readonly isBroken: boolean;
  readonly text: string;
}

/**
 * Sends a request over a connection of its own, and reads the whole answer, of which it keeps the
 * beginning.
 */
export function send(
  port: number,
  { method, path, headers, body, as = 'mallory', isEndless }: HostileRequest,
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    let answered: Sent | undefined;
    const outgoing = httpRequest(
      {
        port,
        host: '127.0.0.1',
        method,
        path,
        agent: new Agent({ keepAlive: false }),
        timeout: GIVE_UP_MS,
        headers: {
          ...(as !== null && { authorization: `Bearer ${ATTACKERS[as]}` }),
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (response) => {
        const status = response.statusCode ?? 0;
        let text = '';
        const finish = (isBroken: boolean) => {
          answered ??= { status, isBroken, text };
          resolve(answered);
          outgoing.destroy();
        };
        if (isEndless && status === 200) finish(false);
        response.on('data', (chunk: Buffer) => {
          if (text.length < 500) text += chunk.subarray(0, 500).toString('utf8');
        });
        response.on('end', () => finish(!response.complete));
        response.on('error', () => finish(true));
        response.on('close', () => finish(!response.complete));
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${GIVE_UP_MS} ms`)));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (/^no answer/.test(error.message)) reject(error);
      // A refusal may come while the client still sends; then Node tells of the answer first.
      else setTimeout(() => resolve(answered ?? { status: 0, isBroken: true, text: error.message }), 50);
    });
    outgoing.end(body);
  });
}

export interface WatchOptions {
  /** The deadline of requests in milliseconds; the default when not given. */
  readonly timeoutMs?: number;
  /** How many attacks are made on the same world; 1 when not given. */
  readonly runsAWorld?: number;
}

/** Runs attacks on one server after the other: a new one whenever one has died. */
export class Watch {
  private readonly timeoutMs: number | undefined;
  private readonly runsAWorld: number;
  private readonly servers = new Map<ServerKind, HostileServer>();
  private runs = 0;

  constructor({ timeoutMs, runsAWorld = 1 }: WatchOptions) {
    this.timeoutMs = timeoutMs;
    this.runsAWorld = runsAWorld;
  }

  async run({ at, before, server: kind = 'memory' }: Attack, size: number): Promise<Observation> {
    const server = await this.prepared(kind);
    const { port, writerPort } = server;
    for (const request of before?.(size) ?? []) {
      const { status, text } = await send(writerPort, request);
      if (status >= 300) throw new Error(`A request that prepares the attack was answered ${status}: ${text}`);
    }
    const attack = at(size);
    await server.tell('settle');
    try {
      await server.lookAtVictim();
      const { cpuMs } = await server.tell('begin');
      const started = performance.now();
      const sent =
        typeof attack === 'function'
          ? { statuses: await attack(port, writerPort), isBroken: false }
          : await send(port, attack).then(({ status, isBroken, text }) => ({
              statuses: [status],
              isBroken,
              closedWith: status === 0 ? text : undefined,
            }));
      const wallMs = performance.now() - started;
      const figures = await server.tell('look');
      const { latenciesMs, failures } = await server.lookAtVictim();
      return {
        ...sent,
        isAlive: server.isAlive,
        wallMs,
        cpuMs: figures.cpuMs - cpuMs,
        peakBytes: figures.peakBytes,
        longestMs: figures.longestMs,
        errors: figures.errors,
        victimMs: latenciesMs,
        victimFailures: failures,
      };
    } catch (cause) {
      if (server.isAlive) throw cause;
      return DEAD;
    }
  }

  async close(): Promise<void> {
    const servers = [...this.servers.values()];
    this.servers.clear();
    await Promise.all(servers.map((server) => server.close()));
  }

  private async prepared(kind: ServerKind): Promise<HostileServer> {
    let server = this.servers.get(kind);
    if (server && !server.isAlive) {
      this.servers.delete(kind);
      await server.close();
      server = undefined;
    }
    const isNew = !server;
    if (!server) this.servers.set(kind, (server = await HostileServer.start(kind, this.timeoutMs)));
    if (isNew || this.runs % this.runsAWorld === 0) await server.prepare();
    this.runs++;
    return server;
  }
}

const DEAD: Observation = {
  statuses: [0],
  isBroken: true,
  isAlive: false,
  wallMs: Number.NaN,
  cpuMs: Number.NaN,
  peakBytes: Number.NaN,
  longestMs: Number.NaN,
  errors: [],
  victimMs: [],
  victimFailures: [],
};
