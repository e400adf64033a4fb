import { signal } from '@preact/signals';
import { WorldsClient } from '@rdf-worlds/client';
import { uploadingFetch } from './upload-fetch.ts';

/** Where the service is: the console is one segment below it. */
export const SERVICE_URL = new URL('..', new URL('.', location.href.split('#', 1)[0]!)).href.replace(/\/$/, '');

/** Whether the last request reached the server. */
export const isOnline = signal(true);
/** Counts how often the server answered again after it was gone; views then reload their data. */
export const reconnections = signal(0);
/** The current bearer token; kept in memory only, unless the person asked otherwise. */
export const token = signal<string | undefined>(undefined);

type Refused = (tokenOfRequest: string | undefined) => void;
let onRefused: Refused = () => {};
/** Sets what happens when the server answers 401. */
export function whenRefused(handler: Refused): void {
  onRefused = handler;
}

/** Notes whether the server was reached. Pages of the browser cannot tell why a request failed. */
export function noteOnline(isReached: boolean): void {
  if (isOnline.value === isReached) return;
  isOnline.value = isReached;
  if (isReached) reconnections.value++;
}

async function watchedFetch(request: string, init: RequestInit): Promise<Response> {
  const sent = token.value;
  try {
    const response = await uploadingFetch(request, init);
    // A gateway answers for a server that is gone.
    noteOnline(response.status !== 502 && response.status !== 504);
    if (response.status === 401) onRefused(sent);
    return response;
  } catch (error) {
    if (!init.signal?.aborted) noteOnline(false);
    throw error;
  }
}

const SETTINGS = { url: SERVICE_URL, token: () => token.value, idleTimeoutMs: 120_000 };

/** All requests of the console, except change feeds, go through this client. */
export const client = new WorldsClient({
  ...SETTINGS,
  retry: { retries: 1, minDelayMs: 300 },
  fetch: watchedFetch,
});

/** In practice, until the feed is no longer wanted. */
const FEED_RETRIES = 1_000_000;

/**
 * Returns a client for one change feed. It reconnects where it was as often as needed, and reports
 * each time whether it is connected: feeds themselves report changes only.
 */
export function feedClient(onConnected: (isConnected: boolean) => void): WorldsClient {
  return new WorldsClient({
    ...SETTINGS,
    retry: { retries: FEED_RETRIES, minDelayMs: 300 },
    async fetch(request, init) {
      onConnected(false);
      const response = await watchedFetch(request, init);
      if (response.ok) onConnected(true);
      return response;
    },
  });
}
