import type { WorldsEngine } from '@rdf-worlds/core';
import { emptyReply, type Reply, wholeReply } from './reply.ts';

export const PROBE_PATHS: readonly string[] = ['/healthz', '/readyz'];

/**
 * Unauthenticated health checks: whether the process answers, and whether the engine is open. They
 * reveal nothing else.
 */
export class Probes {
  private state: 'open' | 'opening' | 'failed' = 'opening';

  constructor(engine: Promise<WorldsEngine>) {
    engine.then(
      () => {
        this.state = 'open';
      },
      () => {
        this.state = 'failed';
      },
    );
  }

  reply(path: string, method: string): Reply {
    if (method === 'OPTIONS') return emptyReply(204, { allow: 'GET, HEAD, OPTIONS' });
    const isReady = path === '/healthz' || this.state === 'open';
    const text = isReady
      ? 'ok\n'
      : `the engine is ${this.state === 'opening' ? 'still opening' : 'not available: it failed to open'}\n`;
    return wholeReply(text, 'text/plain', isReady ? 200 : 503, { 'cache-control': 'no-store' });
  }
}
