import { type RemoteChange, WorldsError } from '@rdf-worlds/client';
import { feedClient } from '../../session/service.ts';

/** The state of a feed; `empty` while the namespace has no world. */
export type FeedState = 'connecting' | 'open' | 'empty' | 'unsupported';

export interface FeedOptions {
  readonly namespace: string;
  readonly onChange: (change: RemoteChange) => void;
  /**
   * Called if the server no longer has some of the changes; the feed continues without them.
   */
  readonly onMissed: () => void;
  readonly onState: (state: FeedState) => void;
  readonly signal: AbortSignal;
}

const RECONNECT_MS = 2_000;
const EMPTY_MS = 3_000;
/** Maximum number of quads shown of one change. */
const MAX_QUADS = 50;
/** Errors that may be temporary, although the client no longer retries. */
const PASSING = new Set(['UNAVAILABLE', 'TIMEOUT', 'OVERLOADED']);

/**
 * Follows the changes of a namespace from now on until the signal fires, and continues where it was
 * after the connection broke. Throws what the server answers, if it does not help to ask again.
 */
export async function followChanges(options: FeedOptions): Promise<void> {
  const { namespace, onChange, onMissed, onState, signal } = options;
  const client = feedClient((isConnected) => onState(isConnected ? 'open' : 'connecting'));
  let after: string | number | undefined;
  while (!signal.aborted) {
    try {
      for await (const change of client.changes({ namespace, after, maxQuads: MAX_QUADS, signal })) {
        after = change.id;
        onChange(change);
      }
    } catch (error) {
      if (signal.aborted) return;
      const code = error instanceof WorldsError ? error.code : 'INTERNAL';
      if (code === 'UNSUPPORTED') {
        onState('unsupported');
        return;
      }
      // It begins with its first world.
      if (code === 'NOT_FOUND') {
        onState('empty');
        await pause(EMPTY_MS, signal);
        continue;
      }
      if (code === 'TRUNCATED') {
        // Callers that do not learn the revision continue with the next change.
        after = (error as WorldsError).revision;
        onMissed();
      } else if (!PASSING.has(code)) throw error;
      onState('connecting');
    }
    await pause(RECONNECT_MS, signal);
  }
}

/** Waits; returns early if the signal fires. */
function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal.addEventListener('abort', end, { once: true });
  });
}
