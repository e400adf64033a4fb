import { signal } from '@preact/signals';

/** A place of the app, as the fragment of its address: `#/world/acme/garden?tab=import`. */
export interface Place {
  /** Decoded segments. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export const place = signal<Place>(placeOf(location.hash));

addEventListener('hashchange', () => {
  place.value = placeOf(location.hash);
});

/** Fragments that do not begin with `#/`, such as those with a token, are the start page. */
function placeOf(hash: string): Place {
  if (!hash.startsWith('#/')) return { path: [], query: new URLSearchParams() };
  const [path = '', query = ''] = hash.slice(2).split(/\?(.*)/s);
  return { path: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Parameters of an address by name; a list is repeated, and what is undefined or empty is left out.
 */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns the address of a place. */
export function addressOf(path: readonly string[], query: Parameters = {}): string {
  const given = Object.entries(query).flatMap(([name, values = []]) =>
    (typeof values === 'string' ? [values] : values).filter(Boolean).map((value) => [name, value]),
  );
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  return `#/${path.map(encodeURIComponent).join('/')}${search}`;
}

/** Returns the whole address of a place, to be shared. */
export function linkTo(path: readonly string[], query: Parameters = {}): string {
  return new URL(addressOf(path, query), location.href).href;
}

/** Goes to an address. With `replace`, the current entry of the history is replaced. */
export function go(address: string, { replace = false } = {}): void {
  if (!replace) {
    location.hash = address;
    return;
  }
  history.replaceState(null, '', address);
  place.value = placeOf(address);
}
