import { type RemoteChange, WorldsError } from '@rdf-worlds/client';
import { client } from '../../session/service.ts';

/** What a feed tells besides changes. */
export type FeedState = 'connecting' | 'open' | 'unsupported';

export interface FeedOptions {
  readonly namespace: string;
  /** The id of the last change that is known; now without it. */
  readonly after: string | undefined;
  readonly onChange: (change: RemoteChange) => void;
  readonly onState: (state: FeedState) => void;
  readonly signal: AbortSignal;
}

const RECONNECT_MS = 2_000;
/** Quads of one change that are shown. */
const MAX_QUADS = 50;
/** Failures that may pass. */
const PASSING = new Set(['UNAVAILABLE', 'TIMEOUT', 'OVERLOADED']);

/**
 * Follows the changes of a namespace until the signal fires, and continues where it was after the
 * connection broke. Throws what the server answers, if it does not help to ask again.
 */
export async function followChanges({ namespace, after, onChange, onState, signal }: FeedOptions): Promise<void> {
  let position = after;
  onState('open');
  while (!signal.aborted) {
    try {
      for await (const change of client.changes({ namespace, after: position, maxQuads: MAX_QUADS, signal })) {
        position = change.id;
        onState('open');
        onChange(change);
      }
    } catch (error) {
      if (signal.aborted) return;
      const code = error instanceof WorldsError ? error.code : 'INTERNAL';
      if (code === 'UNSUPPORTED') {
        onState('unsupported');
        return;
      }
      // The server no longer knows the changes after the position: the feed starts with the next
      // one.
      if (code === 'TRUNCATED') position = undefined;
      else if (!PASSING.has(code)) throw error;
      onState('connecting');
    }
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }
}
