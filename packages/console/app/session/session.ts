import { computed, signal } from '@preact/signals';
import { WorldsError } from '@rdf-worlds/client';
import { go } from '../router.ts';
import { kept } from './kept.ts';
import { client, isOnline, noteOnline, SERVICE_URL, token, whenRefused } from './service.ts';

/** A namespace and what the caller may do in it, for at least one of its worlds. */
export interface NamespaceAccess {
  readonly namespace: string;
  readonly read: boolean;
  readonly write: boolean;
}

/** The caller, as the server describes it. */
export interface Caller {
  readonly id: string;
  /** The namespace of worlds that are named without one. */
  readonly namespace: string;
  readonly admin: boolean;
  readonly namespaces: readonly NamespaceAccess[];
}

/**
 * `checking` until the first answer; `signedOut` without a token that the server accepts; `expired`
 * once it refused a token that it had accepted: the views stay as they are below the sign-in form.
 */
export type SessionState = 'checking' | 'signedOut' | 'signedIn' | 'expired';

export const state = signal<SessionState>('checking');
export const caller = signal<Caller | undefined>(undefined);
/** Why the last sign-in failed. */
export const signInError = signal<string | undefined>(undefined);
/** True if the token is kept in this browser. */
export const isRemembered = signal(false);
export const isAdmin = computed(() => caller.value?.admin ?? false);

const TOKEN_KEY = 'token';

/** Signs in with the token of the address, or a remembered one, or none. */
export function startSession(): void {
  whenRefused((sent) => {
    // A request with an older token may be refused after the sign-in with a new one.
    if (sent === token.value && state.value === 'signedIn') state.value = 'expired';
  });
  const given = tokenOfAddress();
  const remembered = kept.get(TOKEN_KEY);
  isRemembered.value = remembered !== undefined && given === undefined;
  token.value = given ?? remembered;
  // The link of a server may be opened in a page that is already there.
  addEventListener('hashchange', () => {
    const next = tokenOfAddress();
    if (next === undefined) return;
    token.value = next;
    state.value = 'checking';
    void check(true);
  });
  void check(given !== undefined || remembered !== undefined);
}

/** Signs in. Resolves to true if the server accepts the token; else `signInError` says why. */
export async function signIn(given: string, remember: boolean): Promise<boolean> {
  const before = state.value;
  token.value = given.trim() === '' ? undefined : given.trim();
  const isAccepted = await check(true);
  if (!isAccepted) {
    if (state.value === 'signedOut') state.value = before === 'expired' ? 'expired' : 'signedOut';
    return false;
  }
  isRemembered.value = remember;
  if (remember && token.value !== undefined) kept.set(TOKEN_KEY, token.value);
  else kept.remove(TOKEN_KEY);
  return true;
}

/**
 * Forgets the token, here and in this browser. What the caller has read follows: see
 * `forEachPrincipal`.
 */
export function signOut(): void {
  token.value = undefined;
  caller.value = undefined;
  kept.remove(TOKEN_KEY);
  isRemembered.value = false;
  state.value = 'signedOut';
  // The address may hold the text of a query or a search.
  go('#/', { replace: true });
}

/**
 * Takes the token out of the fragment. Fragments are not sent to servers; it is removed from the
 * address, so that it is neither shared nor kept in the history.
 */
function tokenOfAddress(): string | undefined {
  const match = /^#token=([^&]+)$/.exec(location.hash);
  if (!match) return undefined;
  history.replaceState(null, '', `${location.pathname}${location.search}#/`);
  try {
    return decodeURIComponent(match[1]!);
  } catch {
    // Not encoded: a token may have a percent sign.
    return match[1]!;
  }
}

async function check(hasToken: boolean): Promise<boolean> {
  signInError.value = undefined;
  try {
    const next = await describeCaller();
    if (caller.value !== undefined && caller.value.id !== next.id) go('#/', { replace: true });
    caller.value = next;
    state.value = 'signedIn';
    return true;
  } catch (error) {
    const code = error instanceof WorldsError ? error.code : undefined;
    if (code === 'UNAVAILABLE' && state.value === 'checking') {
      // Not refused: it is tried again once the server answers.
      await new Promise<void>((resolve) => {
        const stop = isOnline.subscribe((value) => {
          if (!value) return;
          queueMicrotask(() => stop());
          resolve();
        });
      });
      return check(hasToken);
    }
    if (hasToken) signInError.value = error instanceof Error ? error.message : String(error);
    if (state.value !== 'expired') state.value = 'signedOut';
    return false;
  }
}

/** Reads the namespaces of the caller again, of which there may be more. */
export async function refreshCaller(): Promise<void> {
  caller.value = await describeCaller();
}

async function describeCaller(): Promise<Caller> {
  const response = await client.request('/namespaces');
  return (await response.json()) as Caller;
}

const PROBE_EVERY_MS = 1_500;

/** Asks every now and then whether the server is there again, while it is not. */
isOnline.subscribe((value) => {
  if (value) return;
  const timer = setInterval(() => {
    fetch(`${SERVICE_URL}/openapi.json`, { method: 'HEAD', cache: 'no-store' }).then(
      ({ ok }) => {
        if (!ok) return;
        clearInterval(timer);
        noteOnline(true);
      },
      () => {},
    );
  }, PROBE_EVERY_MS);
});
