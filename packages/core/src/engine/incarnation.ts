import type { WorldsEngine } from './worlds-engine.ts';

/**
 * Returns a random string that identifies a namespace across processes and restarts, from its
 * creation or restore to its deletion. Without storage it identifies the engine. Keep it secret:
 * the HTTP package keys entity tags with it.
 */
export function incarnationOf(engine: WorldsEngine, namespace: string): Promise<string> {
  return engine['catalog'].incarnationOf(namespace);
}
